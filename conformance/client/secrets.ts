/** Knows every secret of a run and the name that stands for it in all outputs. */
export class Secrets {
  readonly #names = new Map<string, string>();

  /**
   * @param name how the secret is named in outputs, as an environment variable: `OWNER_TOKEN`
   * @returns the secret, so that a call can be wrapped around its first use
   */
  add(name: string, secret: string): string {
    if (secret.length >= shortestSecret && !this.#names.has(secret))
      this.#names.set(secret, name.toUpperCase().replace(/[^A-Z0-9]+/g, "_"));
    return secret;
  }

  /** The text with every secret replaced by `$NAME`. */
  hide(text: string): string {
    let hidden = text;
    // longer ones first: a secret may be a part of another
    for (const [secret, name] of [...this.#names].sort(([a], [b]) => b.length - a.length))
      if (hidden.includes(secret)) hidden = hidden.replaceAll(secret, `$${name}`);
    return hidden.replace(jwt, "$$TOKEN");
  }
}

/** Shorter texts would be found by chance; no credential is that short. */
const shortestSecret = 6;

/** Tokens that nobody registered, as in answers that were never read. */
const jwt = /\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]*/g;
