/** Returns the time since a `performance.now()` in milliseconds, rounded to microseconds. */
export function getElapsedMs(start: number): number {
  return Math.round((performance.now() - start) * 1000) / 1000;
}
