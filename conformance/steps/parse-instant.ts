const date =
  "(?<year>\\d{4})(?:-?(?<month>0[1-9]|1[0-2])-?(?<day>0[1-9]|[12]\\d|3[01])" +
  "|-?(?<ordinal>00[1-9]|0[1-9]\\d|[12]\\d\\d|3[0-5]\\d|36[0-6])" +
  "|-?W(?<week>0[1-9]|[1-4]\\d|5[0-3])-?(?<weekday>[1-7]))";
const time =
  "(?<hour>[01]\\d|2[0-3])(?::?(?<minute>[0-5]\\d)(?::?(?<second>[0-5]\\d|60)(?:[.,](?<fraction>\\d+))?)?)?";
const form = new RegExp(`^${date}T${time}(?:Z|[+-]00(?::?00)?)$`, "i");

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/**
 * Parses an ISO 8601 text as an instant in milliseconds since 1970: a calendar date, ordinal date or week date, and a time
 * in UTC, in basic or extended format, with any number of decimals after a point or a comma.
 *
 * @returns undefined for other texts and for dates that do not exist
 */
export function parseInstant(value: unknown): number | undefined {
  const parts = typeof value === "string" ? form.exec(value)?.groups : undefined;
  if (parts === undefined) return undefined;
  const number = (name: string) => Number(parts[name] ?? 0);
  const day = dayOf(parts, number);
  return day === undefined
    ? undefined
    : day +
        (number("hour") * 60 + number("minute")) * minuteMs +
        number("second") * 1000 +
        Math.trunc(Number(`0.${parts.fraction ?? 0}`) * 1000);
}

/** Returns midnight of a date, in milliseconds since 1970. */
function dayOf(
  { month, ordinal }: Readonly<Record<string, string | undefined>>,
  number: (name: string) => number,
): number | undefined {
  const year = number("year");
  if (month !== undefined) {
    const midnight = utc(year, number("month"), number("day"));
    return new Date(midnight).getUTCMonth() + 1 === number("month") ? midnight : undefined;
  }
  if (ordinal !== undefined) {
    const midnight = utc(year, 1, number("ordinal"));
    return new Date(midnight).getUTCFullYear() === year ? midnight : undefined;
  }
  // the fourth of January is in the first week
  const fourth = utc(year, 1, 4);
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * dayMs;
  return monday + ((number("week") - 1) * 7 + number("weekday") - 1) * dayMs;
}

/** Returns a date in UTC; unlike in `Date.UTC`, the years 0 to 99 are not short for 1900 to 1999. */
function utc(year: number, month: number, day: number): number {
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day);
  return midnight.getTime();
}
