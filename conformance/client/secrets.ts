import type { Exchange } from "./exchange.js";

/** Matches all secrets that are not JWTs, in every encoding. */
interface Spellings {
  /** Recognizes texts without secrets, the usual case, in one pass. */
  readonly any: RegExp;
  /** Secrets and their names, the longest first. */
  readonly named: readonly (readonly [string, string])[];
}

/** Replaces every secret of a run with a name in all outputs. */
export class SecretMasker {
  readonly #names = new Map<string, string>();
  readonly #used = new Set<string>();
  #spellings: Spellings | undefined;

  /**
   * @param name name of the secret in outputs, like an environment variable: `OWNER_TOKEN`
   * @param variable environment variable that contains the secret; replaces the name
   * @returns the secret, so that a call can be wrapped around its first use
   */
  add(name: string, secret: string, variable = toVariableName(name)): string {
    if (secret.length >= minSecretLength && !this.#names.has(secret)) {
      this.#names.set(secret, variable);
      this.#spellings = undefined;
    }
    return secret;
  }

  /** Replaces every secret in a text with `$NAME`; in JSON texts, also masks credentials that were not registered. */
  hide(text: string): string {
    let hidden = text.includes(tokenStart) ? text.replace(tokenText, (run) => this.#hideToken(run)) : text;
    this.#spellings ??= this.#spell();
    if (this.#spellings.any.test(hidden))
      for (const [spelling, name] of this.#spellings.named)
        if (hidden.includes(spelling)) hidden = hidden.replaceAll(spelling, () => this.#named(name));
    if (!hidden.includes('"')) return hidden;
    return hidden.replace(credentialMember, (whole, start: string, member: string, value: string) =>
      value === "" || value.startsWith("$")
        ? whole
        : `${start}${this.#named(toVariableName(member.replaceAll(/(?=[A-Z])/g, "_")))}"`,
    );
  }

  /** Masks all tokens, registered or not, in a run of characters. */
  #hideToken(run: string): string {
    const start = run.indexOf(tokenStart);
    if (start < 0) return run;
    const token = run.slice(start);
    if (!wholeJwt.test(token)) return run;
    // a dot may be the sentence's
    const name = this.#names.get(token) ?? this.#names.get(token.replace(/\.$/, "")) ?? "TOKEN";
    return run.slice(0, start) + this.#named(name);
  }

  /** The names used in outputs so far. */
  get names(): ReadonlySet<string> {
    return this.#used;
  }

  #named(name: string): string {
    this.#used.add(name);
    return `$${name}`;
  }

  /** Masks the secrets in an exchange. */
  hideExchange(exchange: Exchange): Exchange {
    const { request, answer, caller, failure } = exchange;
    return {
      ...exchange,
      caller: this.hide(caller),
      request: {
        method: request.method,
        url: this.hide(request.url),
        headers: this.#hideHeaders(request.headers, caller),
        body: request.body === undefined ? undefined : this.hide(request.body),
      },
      answer:
        answer === undefined
          ? undefined
          : {
              status: answer.status,
              headers: this.#hideHeaders(answer.headers, caller),
              body: this.hide(answer.body),
            },
      ...(failure === undefined ? {} : { failure: this.hide(failure) }),
    };
  }

  #hideHeaders(headers: Readonly<Record<string, string>>, caller: string): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]): [string, string] => {
        const hidden = this.hide(value);
        if (!credentialHeaders.has(name.toLowerCase())) return [name, hidden];
        // what is not known whole may be a secret with a letter changed
        const [, scheme = "", rest = ""] = /^(Bearer )?(.*)$/s.exec(hidden) ?? [];
        return [
          name,
          knownName.test(rest) ? hidden : scheme + this.#named(toVariableName(`${caller} CREDENTIAL`)),
        ];
      }),
    );
  }

  #spell(): Spellings {
    const spellings = new Map<string, string>();
    for (const [secret, name] of this.#names)
      if (!wholeJwt.test(secret))
        for (const spelling of [
          secret,
          JSON.stringify(secret).slice(1, -1),
          // a body within a JSON text, as in the journal of an emulator
          JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1),
          encodeURIComponent(secret.toWellFormed()),
        ])
          spellings.set(spelling, name);
    const escaped = [...spellings.keys()].map((text) => text.replaceAll(syntax, "\\$&"));
    return {
      any: escaped.length === 0 ? nothing : new RegExp(escaped.join("|")),
      // longer ones first: a secret may be a part of another
      named: [...spellings].sort(([a], [b]) => b.length - a.length),
    };
  }
}

const nothing = /(?!)/;
const syntax = /[\\^$.*+?()[\]{}|/]/g;

/** Minimum length of a secret; shorter texts would be found by chance. */
const minSecretLength = 6;

/** A run of characters that may contain a JSON Web Token; each character is examined once. */
const tokenText = /[A-Za-z0-9_.-]{10,}/g;
const tokenStart = "eyJ";
const wholeJwt = /^eyJ[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*)+$/;

/**
 * Matches fields with credentials, fields with similar names, and links that give access. Cursors, page tokens and request
 * tokens give no access.
 */
const credentialMember =
  /("(?!(?:nextPage|page|clientRequest)Token")([A-Za-z0-9_-]{0,40}(?:[Pp]assword|[Tt]oken|[Ss]ecret|api_?[Kk]ey|portalUrl|checkoutUrl|invoicePdfUrl))"\s{0,20}:\s{0,20}")((?:[^"\\]|\\.)*)"/g;

const credentialHeaders = new Set(["authorization", "cookie", "set-cookie"]);
const knownName = /^\$\w+$/;

/** Creates a shell variable name, which must not begin with a digit: `$1ST` is the first argument followed by `ST`. */
function toVariableName(name: string): string {
  return name
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^(?=\d)/, "_");
}
