import { generateIdSuffix } from "../domain/id-suffix.js";

/**
 * The only source of identifiers and secrets: the same seed gives the same ones in the same order. They look
 * random so that no client learns to count on their form.
 */
export class IdGenerator {
  #count: number;

  constructor(
    readonly seed: number,
    count = 0,
  ) {
    this.#count = count;
  }

  /** How many were given out; the state to continue from. */
  get count(): number {
    return this.#count;
  }

  /** A new identifier such as `db_5x1c0q8m2v7k4t9z`. */
  next(prefix: string, length = 16): string {
    this.#count += 1;
    return `${prefix}_${generateIdSuffix(this.seed, this.#count, length)}`;
  }
}
