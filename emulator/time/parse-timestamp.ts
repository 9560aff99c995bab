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
  // `Date.parse` reads February 30 as March 2.
  const [year, month, day] = text.slice(0, 10).split("-").map(Number) as [number, number, number];
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate() ? milliseconds : undefined;
}
