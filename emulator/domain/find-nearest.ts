/** Longer names are not compared: the work grows with the square of the length. */
const maxLength = 64;

/** The closest of some names: one that differs in a typo or two, or in case alone. */
export function findNearest(given: string, names: Iterable<string>): string | undefined {
  if (given.length > maxLength) return undefined;
  const allowed = given.length < 4 ? 1 : 2;
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    if (name === given || name.length > maxLength) continue;
    const distance = name.toLowerCase() === given.toLowerCase() ? 0.5 : editDistance(given, name);
    if (distance <= allowed && (best === undefined || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}

/** How many characters are put in, left out or replaced on the way from one text to the other. */
export function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_none, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1)
      next.push(
        Math.min(
          (row[to] ?? 0) + 1,
          (next[to - 1] ?? 0) + 1,
          (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1),
        ),
      );
    row = next;
  }
  return row[other.length] ?? 0;
}
