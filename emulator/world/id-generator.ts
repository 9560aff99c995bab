import { hash } from "node:crypto";

/**
 * The only source of ids and secrets. A seed always generates the same ones in the same order. They look random, so that
 * clients do not depend on their form.
 */
export class IdGenerator {
  #count: number;

  constructor(
    readonly seed: number,
    count = 0,
  ) {
    this.#count = count;
  }

  /** The number of generated ids. */
  get count(): number {
    return this.#count;
  }

  /** Generates an id such as `db_5x1c0q8m2v7k4t9z`. */
  next(prefix: string, length = 16): string {
    this.#count += 1;
    return `${prefix}_${generateIdSuffix(this.seed, this.#count, length)}`;
  }
}

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** Generates the suffix of the id with the number `count` in the sequence of a seed. */
function generateIdSuffix(seed: number, count: number, length: number): string {
  const bytes = hash("sha256", `${seed}/${count}`, "buffer");
  let text = "";
  for (let index = 0; index < length; index += 1) text += alphabet.charAt((bytes[index % 32] ?? 0) & 31);
  return text;
}

/** How many ids are compared after the last known id. There may be gaps, because a state does not contain all ids. */
const maxLookahead = 10_000;
/** Maximum number of ids to compare. A state with more ids says how many it has generated. */
const maxCompared = 100_000;

/** Returns how many ids must count as generated, so that no known id is generated again. */
export function restoreIdCount(
  known: Iterable<string>,
  { seed, count }: { readonly seed: number; readonly count: number },
): number {
  const suffixes = new Set(Array.from(known, (id) => id.split("_").at(-1)?.slice(0, comparedLength)));
  let restored = count;
  if (suffixes.size === 0) return restored;
  for (let next = count + 1; next <= Math.min(restored + maxLookahead, count + maxCompared); next += 1)
    if (suffixes.has(generateIdSuffix(seed, next, comparedLength))) restored = next;
  return restored;
}

/** The compared length of suffixes. Suffixes may be longer. */
const comparedLength = 16;
