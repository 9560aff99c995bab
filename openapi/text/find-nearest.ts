/** Maximum length of names to compare, because the time is quadratic in the length. */
const maxLength = 64;

/** Finds the most similar name: one that differs by at most two typos, or only in case. */
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

/** Returns the number of insertions, deletions and replacements of characters between two texts. */
export function getEditDistance(one: string, other: string): number {
  return getWeightedEditDistance(Array.from(one), Array.from(other), (a, b) => (a === b ? 0 : 1));
}

/** Returns the edit distance of two lists. An insertion or deletion costs 1; a replacement costs its weight. */
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
