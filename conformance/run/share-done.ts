import type { Check } from "../check/check.js";
import { costOf } from "./cost-of.js";

/** A check under way counts as done up to this share: how long it still takes nobody knows. */
const mostOfRunning = 0.9;

/** How much of a run is done, from 0 to 1, by what its checks usually cost. */
export function shareDone(
  checks: readonly Check[],
  finished: ReadonlySet<Check["id"]>,
  running: readonly { readonly check: Check; readonly requests: number }[],
): number {
  let done = 0;
  let total = 0;
  for (const check of checks) {
    const cost = costOf(check);
    total += cost;
    if (finished.has(check.id)) done += cost;
  }
  for (const { check, requests } of running)
    if (!finished.has(check.id)) done += Math.min(requests, costOf(check) * mostOfRunning);
  return total === 0 ? 1 : Math.min(1, done / total);
}
