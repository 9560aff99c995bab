import { hash } from "node:crypto";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** How many ids a world may have given out; beyond 2^53 counting stands still. */
export const maxIdCount = 2 ** 52;

/** What an identifier has behind its prefix: the one of a number, of those that follow from a seed. */
export function idLetters(seed: number, count: number, length: number): string {
  const bytes = hash("sha256", `${seed}/${count}`, "buffer");
  let text = "";
  for (let index = 0; index < length; index += 1) text += alphabet.charAt((bytes[index % 32] ?? 0) & 31);
  return text;
}
