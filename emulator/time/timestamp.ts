/** The contract's form of a time in milliseconds: ISO 8601, UTC, three digits of a second. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** The same for a time that may be missing. */
export function timestampOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : timestamp(milliseconds);
}

/** Largest time that {@link timestamp} writes with a four-digit year. */
export const endOfTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
