/** Returns what a function returns; undefined where it throws. */
export function tryTo<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
