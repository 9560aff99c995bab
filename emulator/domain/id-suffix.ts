import { hash } from "node:crypto";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** How many ids a world may have given out; beyond 2^53 counting stands still. */
export const maxIdCount = 2 ** 52;

/** What an identifier has behind its prefix: the one of a number, of those that follow from a seed. */
export function generateIdSuffix(seed: number, count: number, length: number): string {
  const bytes = hash("sha256", `${seed}/${count}`, "buffer");
  let text = "";
  for (let index = 0; index < length; index += 1) text += alphabet.charAt((bytes[index % 32] ?? 0) & 31);
  return text;
}

/** How many behind the last known one are compared: not all that are made stay in a state. */
const maxLookahead = 10_000;

/** How many ids have to count as given out, so that none of these is made again. */
export function findIdCount(
  known: Iterable<string>,
  { seed, count }: { readonly seed: number; readonly count: number },
): number {
  const letters = new Set<string>();
  for (const id of known) letters.add(id.split("_").at(-1)?.slice(0, idLength) ?? "");
  let least = count;
  if (letters.size === 0) return least;
  for (let next = count + 1; next <= least + maxLookahead; next += 1)
    if (letters.has(generateIdSuffix(seed, next, idLength))) least = next;
  return least;
}

/** Ids have more letters than that in some places, and begin with these. */
const idLength = 16;
