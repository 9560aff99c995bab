import type { SubscriptionRow } from "../store/subscriptions.js";
import { addMonths } from "../time/duration.js";
import { maxTime } from "../time/timestamp.js";

/** From `start` to just before `end`, in milliseconds since 1970. */
export interface BillingPeriod {
  readonly start: number;
  readonly end: number;
}

type Timing = Pick<SubscriptionRow, "status" | "anchor" | "trialStart" | "trialEnd">;

/** The trial while it lasts, and after that the calendar month, counted from the anchor, that the moment is in. */
export function getBillingPeriod(
  { status, anchor, trialStart, trialEnd }: Timing,
  now: number,
): BillingPeriod {
  if (status === "trialing" && trialStart !== null && trialEnd !== null)
    return { start: trialStart, end: trialEnd };
  const months = countMonths(anchor, now);
  // the end of the last month that can be written
  return { start: addMonths(anchor, months), end: Math.min(addMonths(anchor, months + 1), maxTime) };
}

/** Whole months that have passed; each is counted from the anchor, so that January 31 leads to March 31. */
export function countMonths(anchor: number, now: number): number {
  if (now < anchor) return 0;
  const from = new Date(anchor);
  const to = new Date(now);
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  return addMonths(anchor, months) > now ? months - 1 : months;
}

/** When time changes the subscription next, or null when it does not. */
export function getDueTime(
  row: Timing & Pick<SubscriptionRow, "plan" | "cancelAtPeriodEnd">,
  now: number,
): number | null {
  const { status, plan, cancelAtPeriodEnd } = row;
  const renews = status === "trialing" || (plan !== "free" && (status === "active" || status === "past_due"));
  if (status === "canceled" || !(renews || cancelAtPeriodEnd)) return null;
  const { end } = getBillingPeriod(row, now);
  return end < maxTime ? end : null;
}
