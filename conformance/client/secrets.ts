import { escapePattern } from "./escape-pattern.js";
import type { Exchange } from "./exchange.js";

/** What a name stands for in outputs. */
export interface Secret {
  /** `variable`: an environment variable that the target file names; `value`: a field of a body, or a token of unknown kind. */
  readonly kind: "variable" | keyof typeof nameFormats;
  /** The user or caller, the scope of an API key, or the name of the variable or field. */
  readonly of: string;
}

/** Creates names like those of environment variables: `OWNER_TOKEN`. */
const nameFormats = {
  "access token": (user: string) => `${user} TOKEN`,
  "refresh token": (user: string) => `${user} REFRESH TOKEN`,
  password: (user: string) => `${user} PASSWORD`,
  "API key": (scope: string) => `KEY ${scope.replace("*", "ALL")}`,
  credential: (caller: string) => `${caller} CREDENTIAL`,
  value: (field: string) => field.replaceAll(/(?=[A-Z])/g, "_"),
};

/** Variables to which curl scripts assign other values. */
const scriptVariables: ReadonlySet<string> = new Set(["BASE", "RUN", "RESPONSE"]);

/** Matches all secrets that are not JWTs, in every encoding. */
interface Spellings {
  /** Recognizes texts without secrets, the usual case, in one pass. */
  readonly any: RegExp;
  /** Spellings of secrets, the longest first. */
  readonly secrets: readonly (readonly [string, Secret])[];
}

/** Replaces every secret of a run with a name in all outputs. */
export class SecretMasker {
  readonly #secrets = new Map<string, Secret>();
  readonly #used = new Map<string, Secret>();
  /** Names of the user's environment variables, which no other secret may have. */
  readonly #variables = new Set<string>();
  #spellings: Spellings | undefined;

  /**
   * @param variable the user's environment variable that contains the secret, whose name the secret has in outputs
   * @returns the secret
   */
  add(kind: keyof typeof nameFormats, of: string, secret: string, variable?: string): string {
    if (secret.length >= minSecretLength && !this.#secrets.has(secret)) {
      const isUsable = variable !== undefined && !scriptVariables.has(variable);
      if (isUsable) this.#variables.add(variable);
      this.#secrets.set(secret, isUsable ? { kind: "variable", of: variable } : { kind, of });
      this.#spellings = undefined;
    }
    return secret;
  }

  /** Replaces every secret in a text with `$NAME`; in JSON texts, also masks credentials that were not registered. */
  hide(text: string): string {
    let hidden = text.includes(tokenStart)
      ? text.replace(possibleToken, (characters) => this.#hideToken(characters))
      : text;
    this.#spellings ??= this.#listSpellings();
    if (this.#spellings.any.test(hidden))
      for (const [spelling, secret] of this.#spellings.secrets)
        if (hidden.includes(spelling)) hidden = hidden.replaceAll(spelling, () => this.#name(secret));
    if (!hidden.includes('"')) return hidden;
    return hidden.replace(credentialField, (whole, start: string, field: string, value: string) =>
      value === "" || value.startsWith("$") ? whole : `${start}${this.#name({ kind: "value", of: field })}"`,
    );
  }

  /** Masks a token, registered or not, at the end of a sequence of characters. */
  #hideToken(characters: string): string {
    const start = characters.indexOf(tokenStart);
    if (start < 0) return characters;
    const token = characters.slice(start);
    if (!wholeJwt.test(token)) return characters;
    // A dot may end a sentence.
    const secret = this.#secrets.get(token) ?? this.#secrets.get(token.replace(/\.$/, ""));
    return characters.slice(0, start) + this.#name(secret ?? { kind: "value", of: "token" });
  }

  /** The names used in outputs so far. */
  get names(): ReadonlyMap<string, Secret> {
    return this.#used;
  }

  #name(secret: Secret): string {
    const { kind, of } = secret;
    let name = kind === "variable" ? of : toVariableName(nameFormats[kind](of));
    while (kind !== "variable" && this.#variables.has(name)) name += "_";
    this.#used.set(name, secret);
    return `$${name}`;
  }

  /** Masks the secrets in an exchange. */
  hideExchange(exchange: Exchange): Exchange {
    const { request, answer, failure } = exchange;
    const caller = this.hide(exchange.caller);
    return {
      ...exchange,
      caller,
      request: {
        method: request.method,
        url: this.hide(request.url),
        headers: this.#hideHeaders(request.headers, caller),
        body: request.body && this.hide(request.body),
      },
      answer: answer && {
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
        // An unknown credential may be an altered secret.
        const [, scheme = "", credential = ""] = /^(Bearer )?(.*)$/s.exec(hidden) ?? [];
        return [
          name,
          maskedSecret.test(credential) ? hidden : scheme + this.#name({ kind: "credential", of: caller }),
        ];
      }),
    );
  }

  #listSpellings(): Spellings {
    const spellings = new Map<string, Secret>();
    for (const [text, secret] of this.#secrets)
      if (!wholeJwt.test(text))
        for (const spelling of [
          text,
          JSON.stringify(text).slice(1, -1),
          // In an emulator's journal, bodies are texts within JSON.
          JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1),
          encodeURIComponent(text.toWellFormed()),
        ])
          spellings.set(spelling, secret);
    return {
      any:
        spellings.size === 0
          ? matchesNothing
          : new RegExp(Array.from(spellings.keys(), escapePattern).join("|")),
      // A secret may be part of a longer one.
      secrets: [...spellings].sort(([a], [b]) => b.length - a.length),
    };
  }
}

const matchesNothing = /(?!)/;

/** Minimum length of a secret; shorter texts would be found by chance. */
const minSecretLength = 6;

/** Matches characters that may contain a JSON Web Token; each character is examined once. */
const possibleToken = /[A-Za-z0-9_.-]{10,}/g;
const tokenStart = "eyJ";
const wholeJwt = /^eyJ[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*)+$/;

/**
 * Matches fields with credentials, fields with similar names, and links that give access. Cursors, page tokens and request
 * tokens give no access.
 */
const credentialField =
  /("(?!(?:nextPage|page|clientRequest)Token")([A-Za-z0-9_-]{0,40}(?:[Pp]assword|[Tt]oken|[Ss]ecret|api_?[Kk]ey|portalUrl|checkoutUrl|invoicePdfUrl))"\s{0,20}:\s{0,20}")((?:[^"\\]|\\.)*)"/g;

const credentialHeaders = new Set(["authorization", "cookie", "set-cookie"]);
const maskedSecret = /^\$\w+$/;

/** Creates a shell variable name, which must not begin with a digit: `$1ST` is the first argument followed by `ST`. */
function toVariableName(name: string): string {
  return name
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^(?=\d)/, "_");
}
