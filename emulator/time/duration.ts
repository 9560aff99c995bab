/** The units of short durations, in milliseconds. */
const units = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const shortPattern = /^(\d+(?:\.\d+)?)([smhd])$/;
const isoPattern =
  /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d{1,3})?)S)?)?$/;

/** The error message for an invalid duration. */
export const durationRuleText =
  "must be a duration such as 90s, 10m or 7d, or an ISO 8601 duration such as PT90M or P1M; in ISO 8601, only seconds can have decimals";

/**
 * Adds a duration to a time. Years and months follow the calendar in UTC, as a billing period does.
 *
 * @param from milliseconds since 1970
 * @param duration a number with the unit `s`, `m`, `h` or `d`, or an ISO 8601 duration: `10m`, `PT10M`, `P7D`, `P1M`
 * @returns milliseconds since 1970; undefined for an invalid duration
 */
export function addDuration(from: number, duration: string): number | undefined {
  const [, number, unit] = shortPattern.exec(duration) ?? [];
  if (number !== undefined) return from + Math.round(Number(number) * units[unit as keyof typeof units]);
  const match = isoPattern.exec(duration);
  if (match === null || duration === "P" || duration.endsWith("T")) return undefined;
  // The group of a missing part is undefined, although its type is string.
  const part = (group: number) => Number(match[group] ?? 0);
  const [years, months, weeks, days, hours, minutes] = [part(1), part(2), part(3), part(4), part(5), part(6)];
  const seconds = Number((match[7] ?? "0").replace(",", "."));
  const date = new Date(addMonths(from, years * 12 + months));
  return (
    date.getTime() + (((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60_000 + Math.round(seconds * 1000)
  );
}

/** Returns the same time of day some months later, on the last day of the month if the month is too short. */
export function addMonths(from: number, months: number): number {
  if (months === 0) return from;
  const date = new Date(from);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime();
}
