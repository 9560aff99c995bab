/** The contract's form of a time in milliseconds: ISO 8601, UTC, three digits of a second. */
export function formatTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** The same for a time that may be missing. */
export function formatTimestampOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : formatTimestamp(milliseconds);
}

/**
 * Where the clock of a namespace ends: a year before the last time that can be written, so that what follows from the
 * present (the end of a trial or billing period, the expiry of a session) can be written as well.
 */
export const maxClockTime = Date.UTC(9998, 11, 31, 23, 59, 59, 999);

/** Largest time that {@link formatTimestamp} writes with a four-digit year. */
export const maxTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const form = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/i;

/**
 * Reads an ISO 8601 time with a time zone.
 *
 * @returns milliseconds since 1970, or nothing for text of another form and for days that do not exist
 */
export function parseTimestamp(text: string): number | undefined {
  if (!form.test(text)) return undefined;
  const milliseconds = Date.parse(text);
  if (Number.isNaN(milliseconds) || milliseconds < 0 || milliseconds > maxTime) return undefined;
  // Date.parse takes February 30 for March 2
  const [year, month, day] = text.slice(0, 10).split("-").map(Number) as [number, number, number];
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate() ? milliseconds : undefined;
}

/** The `Date` header of a time in milliseconds since 1970. */
export function formatHttpDate(milliseconds: number): string {
  return new Date(milliseconds).toUTCString();
}
