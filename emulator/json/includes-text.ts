/** `String.prototype.includes` is fast for parts of up to this length. */
const maxShortLength = 64;

/**
 * Whether a text contains a part, in time that is linear in both (Knuth, Morris and Pratt). `String.prototype.includes` is
 * quadratic if the text almost contains the part in many places.
 */
export function includesText(whole: string, part: string): boolean {
  if (part.length <= maxShortLength) return whole.includes(part);
  if (part.length > whole.length) return false;
  const borders = computeBorders(part);
  let matched = 0;
  for (let at = 0; at < whole.length; at += 1) {
    const unit = whole.charCodeAt(at);
    while (matched > 0 && part.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
    if (part.charCodeAt(matched) === unit) matched += 1;
    if (matched === part.length) return true;
  }
  return false;
}

/** For each prefix of a text, computes the length of the longest shorter prefix that it ends with. */
function computeBorders(text: string): Uint32Array {
  const borders = new Uint32Array(text.length);
  let border = 0;
  for (let at = 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    while (border > 0 && text.charCodeAt(border) !== unit) border = borders[border - 1] ?? 0;
    if (text.charCodeAt(border) === unit) border += 1;
    borders[at] = border;
  }
  return borders;
}
