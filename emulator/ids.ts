import { hash } from "node:crypto";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * The only source of identifiers and secrets: the same seed gives the same ones in the same order. They look
 * random so that no client learns to count on their form.
 */
export class Ids {
  readonly #seed: number;
  #count: number;

  constructor(seed: number, count = 0) {
    this.#seed = seed;
    this.#count = count;
  }

  get seed(): number {
    return this.#seed;
  }

  /** How many were given out; the state to continue from. */
  get count(): number {
    return this.#count;
  }

  /** A new identifier such as `db_5x1c0q8m2v7k4t9z`. */
  next(prefix: string, length = 16): string {
    this.#count += 1;
    return `${prefix}_${idLetters(this.#seed, this.#count, length)}`;
  }
}

/** What an identifier has behind its prefix: the one of a number, of those that follow from a seed. */
export function idLetters(seed: number, count: number, length: number): string {
  const bytes = hash("sha256", `${seed}/${count}`, "buffer");
  let text = "";
  for (let index = 0; index < length; index += 1) text += alphabet.charAt((bytes[index % 32] ?? 0) & 31);
  return text;
}
