/** Longer names are not compared: the work grows with the square of the length. */
const maxLength = 64;

/** The closest of some names: one that differs in a typo or two, or in case alone. */
export function findNearest(given: string, names: Iterable<string>): string | undefined {
  if (given.length > maxLength) return undefined;
  const allowed = given.length < 4 ? 1 : 2;
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    if (name === given || Math.abs(name.length - given.length) > allowed) continue;
    const distance = name.toLowerCase() === given.toLowerCase() ? 0.5 : getEditDistance(given, name);
    if (distance <= allowed && (best === undefined || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}

/** How many characters are put in, left out or replaced on the way from one text to the other. */
export function getEditDistance(one: string, other: string): number {
  return getWeightedEditDistance(Array.from(one), Array.from(other), (a, b) => (a === b ? 0 : 1));
}

/** What it costs to make one list of another: 1 for each part put in or left out, and what a replaced part costs. */
export function getWeightedEditDistance(
  one: readonly string[],
  other: readonly string[],
  weighReplacement: (a: string, b: string) => number,
): number {
  let row = Array.from({ length: other.length + 1 }, (_none, index) => index);
  one.forEach((part, at) => {
    const next = [at + 1];
    other.forEach((wanted, to) => {
      const replaced = (row[to] ?? 0) + weighReplacement(part, wanted);
      next.push(Math.min((row[to + 1] ?? 0) + 1, (next[to] ?? 0) + 1, replaced));
    });
    row = next;
  });
  return row[other.length] ?? Infinity;
}
