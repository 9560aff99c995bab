import type { CheckContext } from "../check/context.js";

/** ISO 8601 in UTC, with any precision. */
const utc = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d(:\d\d([.,]\d+)?)?([Zz]|[+-]00(:?00)?)$/;

/** Demands that a value is a timestamp of GEN-01, and returns its instant in milliseconds since 1970. */
export function demandTimestamp(context: CheckContext, value: unknown, what: string): number {
  const text = typeof value === "string" ? value : "";
  const instant = Date.parse(
    text
      .toUpperCase()
      .replace(",", ".")
      .replace(/[+-]00(:?00)?$/, "Z"),
  );
  context.demand(
    "GEN-01",
    utc.test(text) && !Number.isNaN(instant),
    `${what} as an ISO 8601 string in UTC`,
    value,
  );
  return instant;
}

/** Demands that a value is an identifier of GEN-02: a string, whatever is in it. */
export function demandIdentifier(context: CheckContext, value: unknown, what: string): string {
  context.demand("GEN-02", typeof value === "string" && value !== "", `${what} as a string`, value);
  return value as string;
}

/** Two records of one event may be kept with different precision. */
export const instantTolerance = 1000;
