/**
 * Marker of a long text in a statement that writes: it is bound as the bytes of {@link encodeUtf8View}, because sql.js copies
 * bytes at once and a text character by character.
 */
export const castToTextSql = "CAST(? AS TEXT)";

const encoder = new TextEncoder();
const scratch = new Uint8Array(64 * 1024);

/** A text in UTF-8. The bytes hold until the next call: they are meant to be bound at once. */
export function encodeUtf8View(text: string): Uint8Array {
  // a character has at most three bytes
  if (text.length * 3 > scratch.length) return encoder.encode(text);
  return scratch.subarray(0, encoder.encodeInto(text, scratch).written);
}
