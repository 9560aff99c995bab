import { hash } from "node:crypto";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** Maximum number of ids that a world can generate: numbers from 2^53 on cannot be counted. */
export const maxIdCount = 2 ** 52;

/** Returns the suffix of the identifier with a number, in the sequence of a seed. */
export function generateIdSuffix(seed: number, count: number, length: number): string {
  const bytes = hash("sha256", `${seed}/${count}`, "buffer");
  let text = "";
  for (let index = 0; index < length; index += 1) text += alphabet.charAt((bytes[index % 32] ?? 0) & 31);
  return text;
}

/** Number of further ids to compare after the last known one: a state does not contain all generated ids. */
const maxLookahead = 10_000;
/** Maximum number of ids to compare: a state with more of them says how many it has generated. */
const maxCompared = 100_000;

/** Returns how many ids must count as generated, so that none of the given ids is generated again. */
export function restoreIdCount(
  known: Iterable<string>,
  { seed, count }: { readonly seed: number; readonly count: number },
): number {
  const letters = new Set<string>();
  for (const id of known) letters.add(id.split("_").at(-1)?.slice(0, idLength) ?? "");
  let least = count;
  if (letters.size === 0) return least;
  for (let next = count + 1; next <= Math.min(least + maxLookahead, count + maxCompared); next += 1)
    if (letters.has(generateIdSuffix(seed, next, idLength))) least = next;
  return least;
}

/** Ids may be longer, but start with these. */
const idLength = 16;
