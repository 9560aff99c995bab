import { maxTime } from "./timestamp.js";

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
