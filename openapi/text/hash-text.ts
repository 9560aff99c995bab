/** Computes the FNV-1a hash of a text (over UTF-16 units) as a 32-bit integer. The hash is not cryptographic. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash | 0;
}
