import { maxTime } from "./timestamp.js";

const pattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/i;

/**
 * Parses an ISO 8601 time with a time zone.
 *
 * @returns milliseconds since 1970; undefined for other text and for days that do not exist
 */
export function parseTimestamp(text: string): number | undefined {
  if (!pattern.test(text)) return undefined;
  const milliseconds = Date.parse(text);
  if (Number.isNaN(milliseconds) || milliseconds < 0 || milliseconds > maxTime) return undefined;
  return isCalendarDate(text.slice(0, 10)) ? milliseconds : undefined;
}

/** Whether a date in the form `YYYY-MM-DD` exists. `Date` reads February 30 as March 2. */
export function isCalendarDate(date: string): boolean {
  return new Date(`${date}T00:00:00Z`).getUTCDate() === Number(date.slice(8));
}
