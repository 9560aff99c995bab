import type { SubscriptionRow } from "../store/subscriptions.js";
import { addMonths } from "../time/duration.js";
import { maxTime } from "../time/timestamp.js";

/** From `start` to just before `end`, in milliseconds since 1970. */
interface BillingPeriod {
  readonly start: number;
  readonly end: number;
}

type Timing = Pick<SubscriptionRow, "status" | "anchor" | "trialStart" | "trialEnd">;

/** Returns the trial while it lasts, and afterwards the month, counted from the anchor, that contains the time. */
export function getBillingPeriod(
  { status, anchor, trialStart, trialEnd }: Timing,
  now: number,
): BillingPeriod {
  if (status === "trialing" && trialStart !== null && trialEnd !== null)
    return { start: trialStart, end: trialEnd };
  const months = countMonths(anchor, now);
  // No later time can be formatted.
  return { start: addMonths(anchor, months), end: Math.min(addMonths(anchor, months + 1), maxTime) };
}

/** Counts the whole months since the anchor; each is counted from the anchor, so that January 31 leads to March 31. */
export function countMonths(anchor: number, now: number): number {
  if (now < anchor) return 0;
  const from = new Date(anchor);
  const to = new Date(now);
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  return addMonths(anchor, months) > now ? months - 1 : months;
}

type Renewal = Pick<SubscriptionRow, "status" | "plan" | "cancelAtPeriodEnd">;

/** Whether the subscription changes by itself when its period ends. */
export function changesAtPeriodEnd({ status, plan, cancelAtPeriodEnd }: Renewal): boolean {
  const renews = status === "trialing" || (plan !== "free" && (status === "active" || status === "past_due"));
  return status !== "canceled" && (renews || cancelAtPeriodEnd);
}

/** Returns the next time at which the subscription changes by itself, or null. */
export function getNextChangeTime(row: Timing & Renewal, now: number): number | null {
  if (!changesAtPeriodEnd(row)) return null;
  const { end } = getBillingPeriod(row, now);
  return end < maxTime ? end : null;
}
