import { isLowSurrogate } from "../json/character-codes.js";

const lastCharacter = "\u{10FFFF}";

/**
 * Returns the smallest string that is greater, by UTF-8 bytes, than every string with this prefix. Returns undefined if
 * there is none, because the prefix is empty or consists only of U+10FFFF.
 */
export function getPrefixUpperBound(prefix: string): string | undefined {
  let end = prefix.length;
  while (prefix.slice(end - 2, end) === lastCharacter) end -= 2;
  if (end === 0) return undefined;
  const isPair = isLowSurrogate(prefix.charCodeAt(end - 1));
  const start = isPair ? end - 2 : end - 1;
  const last = prefix.codePointAt(start) ?? 0;
  // Surrogates are not characters: U+E000 follows U+D7FF.
  const next = last === 0xd7ff ? 0xe000 : last + 1;
  return prefix.slice(0, start) + String.fromCodePoint(next);
}
