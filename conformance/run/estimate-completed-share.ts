import { type Area, type Check, getArea } from "../check/check.js";

/** Rounded average number of requests of a check in each area, measured on the emulator with ten runs per property. */
const usualRequests: Readonly<Record<Area, number>> = {
  preconditions: 90,
  health: 3,
  session: 10,
  plans: 10,
  databases: 50,
  items: 100,
  batches: 90,
  transactions: 100,
  repositories: 70,
  entities: 200,
  sql: 130,
  organizations: 40,
  members: 40,
  billing: 40,
  access: 120,
  isolation: 60,
  limits: 30,
  concurrency: 80,
  sequences: 110,
  time: 20,
};

/** A check that has ended or is in progress, with the number of requests that it has sent. */
interface SentRequests {
  readonly check: Check;
  readonly requests: number;
}

/**
 * Estimates the completed share of a run, from 0 to 1, by the number of requests: checks of one area may send a hundred
 * times as many requests as checks of another. Checks that ended without a request are ignored, as they were not declared.
 */
export function estimateCompletedShare(
  selected: readonly Check[],
  ended: readonly SentRequests[],
  running: readonly SentRequests[],
): number {
  const countUsual = (checks: readonly Check[]) =>
    checks.reduce((sum, check) => sum + usualRequests[getArea(check)], 0);
  const tried = ended.filter(({ requests }) => requests > 0).map(({ check }) => check);
  const skipped = ended.filter(({ requests }) => requests === 0).map(({ check }) => check);
  const all = countUsual(selected) - countUsual(skipped);
  const sent = running.reduce(
    (sum, { check, requests }) => sum + Math.min(requests, usualRequests[getArea(check)]),
    0,
  );
  // A check in progress may send more requests than usual.
  const most = running.length === 0 ? 1 : 0.99;
  return all <= 0 ? most : Math.min(most, (countUsual(tried) + sent) / all);
}
