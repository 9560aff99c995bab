import { planTerms } from "../../openapi/clauses/limits.js";
import { getBillingPeriod } from "../billing/billing-period.js";
import { findSubscription } from "../billing/subscription.js";
import { Problem } from "../domain/problem.js";
import type { RequestCount } from "../store/request-counts.js";
import type { World } from "../world/world.js";
import type { Caller } from "./caller.js";

const secondMs = 1000;

/**
 * Counts a request for the organization of its credential, unless there are too many (gaps `rate-limit` and
 * `monthly-requests`). Rejected requests, and requests of users who have left the organization, do not count.
 *
 * @param isQuotaBound whether the monthly requests of the plan limit the operation
 * @throws problems `rate-limited`, `quota-exhausted`
 */
export function countRequest(caller: Caller, isQuotaBound: boolean, world: World, now: number): void {
  if (caller.kind === "anonymous" || (caller.kind === "user" && caller.role === undefined)) return;
  const { organizationId } = caller;
  rejectAboveRate(organizationId, world, now);
  const count = getRequestCount(organizationId, world, now);
  if (isQuotaBound && world.profile["monthly-requests"] === 429)
    rejectAboveQuota(organizationId, count, world, now);
  count.requests += 1;
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
  if (window.requests >= limit)
    throw createRetryProblem(
      "rate-limited",
      `The organization has sent too many requests in one second; the limit is ${limit}. Wait as long as Retry-After says.`,
      window.start + secondMs,
      now,
    );
  window.requests += 1;
}

function rejectAboveQuota(organizationId: string, count: RequestCount, { store }: World, now: number): void {
  const plan = store.organizations.byId(organizationId)?.plan ?? "free";
  const limit = planTerms[plan].limits?.maxRequestsPerMonth;
  if (limit !== undefined && count.requests >= limit)
    throw createRetryProblem(
      "quota-exhausted",
      `The organization has used all ${limit} requests for its current billing period (plan ${plan}). Wait for the next period, or switch to a plan with a higher limit.`,
      count.end,
      now,
    );
}

function createRetryProblem(
  kind: "rate-limited" | "quota-exhausted",
  detail: string,
  until: number,
  now: number,
): Problem {
  const seconds = Math.max(1, Math.ceil((until - now) / secondMs));
  return new Problem(kind, detail, { headers: { "Retry-After": String(seconds) } });
}
