const lastCodePoint = 0x10ffff;

/**
 * The smallest string that comes, by UTF-8 bytes, after every string with this prefix: the exclusive end of a range
 * scan that begins at the prefix. `undefined` when there is no end: the prefix is empty or holds U+10FFFF alone.
 */
export function prefixUpperBound(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === lastCodePoint) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  // surrogates are no characters of their own: U+D7FF is followed by U+E000
  const next = last === 0xd7ff ? 0xe000 : last + 1;
  return String.fromCodePoint(...points, next);
}
