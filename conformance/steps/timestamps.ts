import type { CheckContext } from "../check/context.js";
import { parseInstant } from "./parse-instant.js";

/** Asserts that a value is a timestamp of GEN-01, and returns its instant in milliseconds since 1970. */
export function assertTimestamp(context: CheckContext, value: unknown, what: string): number {
  const instant = parseInstant(value);
  context.assert("GEN-01", instant !== undefined, `an ISO 8601 string in UTC in ${what}`, value);
  return instant ?? NaN;
}

/** Asserts that a value is an identifier of GEN-02: a string, whatever is in it. */
export function assertIdentifier(context: CheckContext, value: unknown, what: string): string {
  context.assert("GEN-02", typeof value === "string" && value !== "", `a string in ${what}`, value);
  return value as string;
}

/** Two records of one event may be kept with different precision. */
export const instantTolerance = 1000;

/** From one timestamp to another; NaN where one is none. */
export function getMillisecondsBetween(from: unknown, to: unknown): number {
  return (parseInstant(to) ?? NaN) - (parseInstant(from) ?? NaN);
}

/** Whether two timestamps may be of one event. */
export function isNearTimestamp(one: unknown, other: unknown): boolean {
  return Math.abs(getMillisecondsBetween(one, other)) < instantTolerance;
}
