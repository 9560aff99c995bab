/** The name that takes the fewest changes to get to from a given one, when these are few. */
export function findNearest(given: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((name) => ({ name, changes: countChanges(given.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.changes - b.changes);
  return best !== undefined && best.changes <= Math.max(2, given.length / 3) ? best.name : undefined;
}

/** Levenshtein distance. */
function countChanges(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++)
      next.push(Math.min((row[j] ?? 0) + (a[i] === b[j] ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    row = next;
  }
  return row[b.length] ?? 0;
}
