import type { ClauseId } from "../../openapi/clauses/register.js";
import type { CheckContext } from "../check/context.js";
import { parseClaims, parseClaimTime } from "../client/claims.js";
import { sleep } from "../client/time-source.js";
import { parseInstant } from "./parse-instant.js";

/**
 * Asserts that a value is a timestamp of GEN-01, and returns its instant in milliseconds since 1970. A missing value breaks
 * another clause, which the contract's validation of the response reports.
 *
 * @throws TypeError if the value is missing
 */
export function assertTimestamp(context: CheckContext, value: unknown, what: string): number {
  if (value === undefined) throw new TypeError(`a timestamp is missing: ${what}`);
  const instant = parseInstant(value);
  context.assert("GEN-01", instant !== undefined, `an ISO 8601 string in UTC in ${what}`, value);
  return instant ?? NaN;
}

/** Tolerance in milliseconds for clocks that need not agree; the offsets of time zones are larger. */
const clockToleranceMs = 10 * 60_000;

/**
 * Asserts that a timestamp of GEN-01 that was just set is the current time in UTC. The clock of a deployment may be set to
 * any time, so it is wrong only if a new access token shows another time, too.
 */
export async function assertCurrentTime(context: CheckContext, value: unknown, what: string): Promise<void> {
  const instant = assertTimestamp(context, value, what);
  const isCurrent = (now: number) => Math.abs(instant - now) < clockToleranceMs;
  if (isCurrent(Date.now()) || !context.offers("owner")) return;
  const { accessToken } = await context.actors.startSession(await context.actors.getLogin("owner"), "fresh");
  const issued = parseClaimTime(parseClaims(accessToken).iat);
  if (Number.isNaN(issued)) return;
  context.assert("GEN-01", isCurrent(issued), `the current time in UTC in ${what}`, value);
}

/** Tolerance in milliseconds, because two records of one event may have different precision. */
const toleranceMs = 1000;

/**
 * Waits longer than the tolerance, so that times before and after differ. Timestamps may have whole seconds, and the clock of
 * an emulator may be frozen.
 */
export async function waitForLaterTime(context: CheckContext): Promise<void> {
  if (context.offers("control-plane")) await context.control.advance("PT2S");
  else await sleep(toleranceMs + 100);
}

/** Maximum difference between the clocks of one deployment, in milliseconds. */
export const maxClockSkewMs = 60_000;

/** Returns the time between two timestamps; NaN if one of them is not a timestamp. */
export function getMillisecondsBetween(from: unknown, to: unknown): number {
  return (parseInstant(to) ?? NaN) - (parseInstant(from) ?? NaN);
}

/** Whether two timestamps may belong to the same event. */
export function areTimestampsClose(one: unknown, other: unknown): boolean {
  return Math.abs(getMillisecondsBetween(one, other)) < toleranceMs;
}

/** Asserts that createdAt is exactly the same instant in two GET responses. */
export function assertSameCreation(
  context: CheckContext,
  clause: ClauseId,
  ...responses: readonly [{ readonly createdAt?: unknown }, { readonly createdAt?: unknown }]
): void {
  const [one, other] = responses.map(({ createdAt }) => parseInstant(createdAt));
  context.assertEqual(clause, one, other, "the instant of createdAt in two GET responses");
}

/** Asserts that two timestamps may belong to the same event. */
export function assertSameInstant(
  context: CheckContext,
  clause: ClauseId,
  actual: unknown,
  expected: string | undefined,
  what: string,
): void {
  context.assert(clause, areTimestampsClose(actual, expected), `${what} ${expected ?? "unknown"}`, actual);
}
