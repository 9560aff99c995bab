const date =
  "(?<year>\\d{4})(?:-?(?<month>0[1-9]|1[0-2])-?(?<day>0[1-9]|[12]\\d|3[01])" +
  "|-?(?<ordinal>00[1-9]|0[1-9]\\d|[12]\\d\\d|3[0-5]\\d|36[0-6])" +
  "|-?W(?<week>0[1-9]|[1-4]\\d|5[0-3])-?(?<weekday>[1-7]))";
const time =
  "(?<hour>[01]\\d|2[0-3])(?::?(?<minute>[0-5]\\d)(?::?(?<second>[0-5]\\d|60)(?:[.,](?<fraction>\\d+))?)?)?";
const isoInstant = new RegExp(`^${date}T${time}(?:Z|[+-]00(?::?00)?)$`, "i");

/**
 * Parses an ISO 8601 text as an instant in milliseconds since 1970: a calendar date, ordinal date or week date, and a time
 * in UTC, in basic or extended format, with any number of decimals after a point or a comma.
 *
 * @returns undefined for other texts and for dates that do not exist
 */
export function parseInstant(value: unknown): number | undefined {
  const parts = typeof value === "string" ? isoInstant.exec(value)?.groups : undefined;
  if (parts === undefined) return undefined;
  const number = (name: string) => Number(parts[name] ?? 0);
  const [year, month, ordinal, week] = [number("year"), number("month"), number("ordinal"), number("week")];
  // Unlike `Date.UTC`, `setUTCFullYear` does not read the years 0 to 99 as 1900 to 1999.
  const instant = new Date(0);
  if (week === 0) instant.setUTCFullYear(year, Math.max(0, month - 1), ordinal || number("day"));
  else {
    // The first week contains 4 January.
    instant.setUTCFullYear(year, 0, 4);
    const monday = instant.getUTCDate() - ((instant.getUTCDay() + 6) % 7);
    instant.setUTCDate(monday + (week - 1) * 7 + number("weekday") - 1);
  }
  // A date that does not exist, such as 30 February, becomes a date in the next month or year.
  if (month > 0 && instant.getUTCMonth() !== month - 1) return undefined;
  if (ordinal > 0 && instant.getUTCFullYear() !== year) return undefined;
  const milliseconds = Math.trunc(Number(`0.${parts.fraction ?? 0}`) * 1000);
  return instant.setUTCHours(number("hour"), number("minute"), number("second"), milliseconds);
}
