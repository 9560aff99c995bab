import { getBillingPeriod } from "../billing/billing-period.js";
import { findSubscription } from "../billing/subscription.js";
import { Problem } from "../domain/problem.js";
import type { RequestCount } from "../store/request-counts.js";
import type { World } from "../world/world.js";
import type { Caller } from "./caller.js";

const secondMs = 1000;

/**
 * Counts a request for the organization of its credential, unless there are too many (gap `rate-limit`). Rejected requests,
 * and requests of users who have left the organization, do not count.
 *
 * @throws a problem `rate-limited`
 */
export function countRequest(caller: Caller, world: World, now: number): void {
  if (caller.kind === "anonymous" || (caller.kind === "user" && caller.role === undefined)) return;
  const { organizationId } = caller;
  rejectAboveRate(organizationId, world, now);
  getRequestCount(organizationId, world, now).requests += 1;
}

/** Returns the organization's requests in the current billing period. */
export function getRequestCount(organizationId: string, { store }: World, now: number): RequestCount {
  const current = store.requestCounts.findCurrent(organizationId);
  if (current !== undefined && current.start <= now && now < current.end) return current;
  const { start, end } = getBillingPeriod(findSubscription(store, organizationId), now);
  return store.requestCounts.startPeriod(organizationId, start, end);
}

function rejectAboveRate(organizationId: string, { store, profile }: World, now: number): void {
  const limit = profile["rate-limit"];
  if (limit === "none") return;
  const window = store.requestCounts.getWindow(organizationId, now);
  // Setting the clock back also starts a new window.
  if (now < window.start || now >= window.start + secondMs) {
    window.start = now;
    window.requests = 0;
  }
  if (window.requests >= limit) {
    const detail = `The organization has sent too many requests in one second; the limit is ${limit}. Wait as long as Retry-After says.`;
    throw new Problem("rate-limited", detail, { headers: { "Retry-After": "1" } });
  }
  window.requests += 1;
}
