/** `String.prototype.indexOf` is at its best with parts that are not longer. */
const shortPart = 64;

/** Whether a text holds a part; see {@link placesOf}. */
export function includesText(whole: string, part: string): boolean {
  return placesOf(whole, part, 1).length > 0;
}

/**
 * Where a part begins in a text, from left to right and without overlaps, in time that grows with both and no faster:
 * `indexOf` of JavaScript takes their product for texts that nearly hold the part at many places.
 */
export function placesOf(whole: string, part: string, atMost = Infinity): number[] {
  if (part.length > shortPart) return placesOfLong(whole, part, atMost);
  const places: number[] = [];
  for (let at = whole.indexOf(part); at >= 0 && places.length < atMost; at = whole.indexOf(part, at)) {
    places.push(at);
    at += part.length;
    // the empty part is everywhere; once is enough
    if (part === "") break;
  }
  return places;
}

/** Finds a long part with the table of its borders (Knuth, Morris and Pratt). */
function placesOfLong(whole: string, part: string, atMost: number): number[] {
  const places: number[] = [];
  if (part.length > whole.length) return places;
  const borders = bordersOf(part);
  let matched = 0;
  for (let at = 0; at < whole.length && places.length < atMost; at += 1) {
    const unit = whole.charCodeAt(at);
    while (matched > 0 && part.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
    if (part.charCodeAt(matched) === unit) matched += 1;
    if (matched < part.length) continue;
    places.push(at + 1 - part.length);
    matched = 0;
  }
  return places;
}

/** For each beginning of a text the length of the longest shorter one that it ends with. */
function bordersOf(text: string): Uint32Array {
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
