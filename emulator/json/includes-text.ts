/** `String.prototype.includes` is at its best with parts that are not longer. */
const shortPart = 64;

/**
 * Whether a text holds a part, in time that grows with both and no faster (Knuth, Morris and Pratt): `includes` of
 * JavaScript takes their product for texts that nearly hold the part at many places.
 */
export function includesText(whole: string, part: string): boolean {
  if (part.length <= shortPart) return whole.includes(part);
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

/** For each beginning of a text the length of the longest shorter one that it ends with. */
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
