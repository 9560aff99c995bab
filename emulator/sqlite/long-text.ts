/**
 * The marker of a long text in a statement that writes. The text is bound as the bytes of {@link encodeUtf8View}, because
 * sql.js copies text character by character.
 */
export const castToTextSql = "CAST(? AS TEXT)";

const encoder = new TextEncoder();
const scratch = new Uint8Array(64 * 1024);

/** Encodes a text as UTF-8. The bytes are valid only until the next call. */
export function encodeUtf8View(text: string): Uint8Array {
  // A UTF-16 unit has at most three bytes.
  if (text.length * 3 > scratch.length) return encoder.encode(text);
  return scratch.subarray(0, encoder.encodeInto(text, scratch).written);
}
