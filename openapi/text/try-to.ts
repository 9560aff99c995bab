/** Returns the result of a function; undefined if it throws. */
export function tryTo<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
