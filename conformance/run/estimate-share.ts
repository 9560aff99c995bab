import { type Area, type Check, getArea } from "../check/check.js";

/** How many requests a check of an area sends on average, rounded, measured on the emulator with ten runs per property. */
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

/** A check that has ended or is under way, with the requests that it has sent. */
interface SentRequests {
  readonly check: Check;
  readonly requests: number;
}

/**
 * Estimates how much of a run is done, from 0 to 1. Requests decide how long a run takes, and a check of one area sends a
 * hundred times as many as a check of another. Checks that ended without a request are left out: they were not declared.
 */
export function estimateShare(
  selected: readonly Check[],
  ended: readonly SentRequests[],
  running: readonly SentRequests[],
): number {
  const weigh = (checks: readonly Check[]) =>
    checks.reduce((sum, check) => sum + usualRequests[getArea(check)], 0);
  const tried = ended.filter(({ requests }) => requests > 0).map(({ check }) => check);
  const skipped = ended.filter(({ requests }) => requests === 0).map(({ check }) => check);
  const all = weigh(selected) - weigh(skipped);
  const sent = running.reduce(
    (sum, { check, requests }) => sum + Math.min(requests, usualRequests[getArea(check)]),
    0,
  );
  return all <= 0 ? 1 : Math.min(1, (weigh(tried) + sent) / all);
}
