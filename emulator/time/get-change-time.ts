/** A time that is further ahead than this, in milliseconds, was written before the clock was set back. */
const maxLeadMs = 1000;

/**
 * Returns the time of a change: the current time or, for several changes within a millisecond, a millisecond after the
 * previous change.
 *
 * @param previous time of the previous change, in milliseconds since 1970
 */
export function getChangeTime(previous: number, now: number): number {
  const isLeading = previous >= now && previous - now <= maxLeadMs;
  return isLeading ? previous + 1 : now;
}
