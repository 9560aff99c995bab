import { placesOf } from "../json/places-of.js";
import { closingQuote, endOfValue, quotedTexts, startOfValue, unquoted } from "./quoted-texts.js";

/** What stands where a secret stood. */
export const redacted = "[redacted]";

const secretName =
  /^(?:password|passwd|secret|.*token|.*api[-_]?key|client[-_]?secret|authorization|cookie)$/i;
/** Names of the specification that end like a secret's and are none. */
const openNames = new Set(["pagetoken", "nextpagetoken", "clientrequesttoken"]);
const secretHeader = /authorization|cookie|token|secret|password|api-?key/i;
/** Shorter ones are redacted where they stand, but looking for them elsewhere would hide what is none. */
const minSecretLength = 6;
/** Characters that are looked through for secrets in one exchange, once for each secret; some for each text. */
const maxSearchedCharacters = 2_000_000;
const lookedOfText = 50;

/** Whether the value of a member or parameter of this name is a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name) && !openNames.has(name.toLowerCase());
}

/** Hides secrets in the parts of one request and its answer; what one part names as secret is hidden in all. */
export class Redactor {
  readonly #secrets = new Set<string>();
  /** The secrets as texts may hold them, the longest first; found out when all are known. */
  #forms: readonly string[] | undefined;
  #looked = 0;

  /** The value of a header. */
  header(name: string, value: string): string {
    if (!secretHeader.test(name)) return value;
    const bearer = /^bearer\s+(.*)$/is.exec(value);
    const credential = bearer?.[1] ?? value;
    this.#add(credential);
    // the scheme of another kind of credential is none; a cookie has a name
    for (const part of credential.split(/\s+/)) this.#add(part);
    if (name === "cookie" || name === "set-cookie")
      for (const pair of credential.split(/;\s*/)) this.#add(pair.slice(pair.indexOf("=") + 1));
    return bearer === null ? redacted : `Bearer ${redacted}`;
  }

  /** A path with its query. */
  path(path: string): string {
    return path.replace(/([?&])([^=&]*)=([^&]*)/g, (whole, mark: string, name: string, value: string) => {
      if (!isSecretName(decoded(name))) return whole;
      this.#add(value);
      this.#add(decoded(value));
      return `${mark}${name}=${redacted}`;
    });
  }

  /**
   * A body.
   *
   * @param takesSecrets whether the operation is about credentials: then what is no JSON is hidden as a whole
   */
  body(text: string, takesSecrets: boolean): string {
    if (takesSecrets && !isJson(text)) {
      this.#add(text);
      return redacted;
    }
    return this.#json(text);
  }

  /**
   * Hides every secret that was found in a text of the same exchange, however it is written there. Where there are so
   * many that looking for them would take long, the whole text is hidden.
   */
  everywhere(text: string): string {
    this.#looked += this.#secrets.size * (text.length + lookedOfText);
    if (this.#looked > maxSearchedCharacters) return redacted;
    this.#forms ??= formsOf(this.#secrets);
    let result = text;
    for (const form of this.#forms) result = withoutSecret(result, form);
    return result;
  }

  #add(secret: string): void {
    if (secret.length >= minSecretLength && secret.isWellFormed()) this.#secrets.add(secret);
  }

  /** Hides the values of secret members in a text that is JSON, or begins like it. */
  #json(text: string): string {
    let result = "";
    let from = 0;
    let quote = text.indexOf('"');
    while (quote >= 0) {
      const closing = closingQuote(text, quote);
      if (closing < 0) break;
      let next = closing + 1;
      const start = startOfValue(text, next);
      const name = start < 0 ? undefined : unquoted(text.slice(quote, next));
      if (name !== undefined && isSecretName(name)) {
        next = endOfValue(text, start);
        this.#addValue(text.slice(start, next));
        result += `${text.slice(from, start)}"${redacted}"`;
        from = next;
      }
      quote = text.indexOf('"', next);
    }
    return result + text.slice(from);
  }

  /** Every string of a secret value, or what stands there in place of one. */
  #addValue(written: string): void {
    const texts = quotedTexts(written);
    for (const text of texts) this.#add(unquoted(text) ?? text.slice(1, -1));
    if (texts.length === 0 && !/^(?:true|false|null)?$/.test(written)) this.#add(written.replace(/^"/, ""));
  }
}

/** How the secrets may be written; the longest first, because one may be a part of another. */
function formsOf(secrets: ReadonlySet<string>): readonly string[] {
  return [...secrets]
    .sort((a, b) => b.length - a.length)
    .flatMap((secret) => [
      ...new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]),
    ]);
}

function withoutSecret(text: string, secret: string): string {
  let result = "";
  let from = 0;
  for (const place of placesOf(text, secret)) {
    result += text.slice(from, place) + redacted;
    from = place + secret.length;
  }
  return from === 0 ? text : result + text.slice(from);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
