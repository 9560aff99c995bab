/** Computes the FNV-1a hash of a text as a 32-bit integer, which is the same on every machine and protects nothing. */
export function hashText(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return value | 0;
}
