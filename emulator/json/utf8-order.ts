/**
 * Orders two strings by their UTF-8 bytes, which is the order of their code points: negative if `a` comes first. The
 * operator `<` compares UTF-16 units, and puts U+10000 before U+E000.
 */
export function compareUtf8(a: string, b: string): number {
  if (a === b) return 0;
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at += 1) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return getRank(left) - getRank(right);
  }
  return a.length - b.length;
}

/** Moves surrogates, which stand for U+10000 and above, after the other units. */
function getRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
