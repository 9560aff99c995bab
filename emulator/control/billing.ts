import { getBillingPeriod } from "../billing/billing-period.js";
import {
  changeSubscriptionStatus,
  rejectLowerPlan,
  setCancelAtPeriodEnd,
  startSubscription,
  findSubscription,
} from "../billing/subscription.js";
import { planTerms } from "../../openapi/clauses/limits.js";
import { formatInvoiceNumber, planCurrency } from "../billing/plan-catalog.js";
import { parseReturnUrls } from "../billing/return-addresses.js";
import { createInvalidBodyProblem, Problem } from "../domain/problem.js";
import type { CheckoutRow, OrderRow } from "../store/orders.js";
import type { Store } from "../store/store.js";
import type { SubscriptionRow } from "../store/subscriptions.js";
import { addDuration, durationRuleText } from "../time/duration.js";
import { maxClockTime, formatTimestamp, formatTimestampOrNull } from "../time/timestamp.js";
import type { ControlHandlers } from "./control-types.js";
import { findChangeableOrganization } from "./organizations.js";

/** Checkouts, subscriptions and orders. */
export const billingHandlers = {
  getCheckout: ({ path }, { world: { store } }) => {
    const checkout = findCheckout(store, path.checkoutId);
    const { checkoutId, organizationId, plan, createdAt, completesAt, completedAt } = checkout;
    const isTrialUsed = findSubscription(store, organizationId).trialUsed;
    const { monthlyPriceCents, trialDays } = planTerms[plan];
    return {
      checkoutId,
      organizationId,
      plan,
      amount: monthlyPriceCents,
      trialDays: isTrialUsed ? 0 : trialDays,
      createdAt: formatTimestamp(createdAt),
      completesAt: formatTimestampOrNull(completesAt),
      completedAt: formatTimestampOrNull(completedAt),
    };
  },
  /** Does what the Pay button would do. */
  completeCheckout: ({ path, body }, { world }) => {
    const { store, ids, clock } = world;
    const now = clock.now();
    const checkout = findCheckout(store, path.checkoutId);
    const { organizationId, plan, completesAt, completedAt } = checkout;
    if (completedAt !== null)
      throw new Problem(
        "checkout-completed",
        `The checkout was completed at ${formatTimestamp(completedAt)}.`,
      );
    if (completesAt !== null)
      throw new Problem(
        "checkout-completed",
        `The checkout has already been paid; its plan will take effect at ${formatTimestamp(completesAt)}.`,
      );
    rejectLowerPlan(store, organizationId, plan);
    const { after } = body;
    if (after !== undefined) {
      const at = addDuration(now, after);
      if (at === undefined) throw createInvalidBodyProblem("/after", durationRuleText);
      if (!(at <= maxClockTime))
        throw createInvalidBodyProblem(
          "/after",
          "must not end after the year 9998, the last year that the clock supports",
        );
      if (at > now) {
        store.orders.putCheckout({ ...checkout, completesAt: at, subscriptionId: ids.next("sub") });
        return describeSubscription(store, findSubscription(store, organizationId), now);
      }
    }
    store.orders.putCheckout({ ...checkout, completedAt: now });
    const subscriptionId = ids.next("sub");
    const row = startSubscription(store, { organizationId, subscriptionId, plan, trial: true, now });
    return describeSubscription(store, row, now);
  },
  getSubscription: ({ path }, { world }) => {
    const { store, clock } = world;
    const { organizationId } = findChangeableOrganization(path.organizationId, world);
    return describeSubscription(store, findSubscription(store, organizationId), clock.now());
  },
  listOrders: ({ path }, { world }) => {
    const { organizationId } = findChangeableOrganization(path.organizationId, world);
    return { orders: world.store.orders.all(organizationId).map(describeOrder) };
  },
  getReturnAddresses: (_request, { returnAddresses }) => ({ ...returnAddresses }),
  setReturnAddresses: ({ body }, namespace) => {
    namespace.returnAddresses = parseReturnUrls(body);
    return { ...namespace.returnAddresses };
  },
  /** Changes the plan first, then the status, then the cancellation. */
  changeSubscription: ({ path, body }, { world }) => {
    const { store, ids, clock } = world;
    const now = clock.now();
    const { organizationId } = findChangeableOrganization(path.organizationId, world);
    const { plan, status, cancelAtPeriodEnd } = body;
    let row = findSubscription(store, organizationId);
    const isResumed = row.status === "canceled" && status === undefined;
    if (plan !== undefined && (plan !== row.plan || isResumed))
      row = startSubscription(store, {
        organizationId,
        subscriptionId: ids.next("sub"),
        plan,
        trial: false,
        now,
      });
    if (status !== undefined) row = changeSubscriptionStatus(store, row, status, now);
    if (cancelAtPeriodEnd !== undefined) row = setCancelAtPeriodEnd(store, row, cancelAtPeriodEnd, now);
    return describeSubscription(store, row, now);
  },
} satisfies Partial<ControlHandlers>;

/** @throws a problem `checkout-not-found` */
function findCheckout(store: Store, checkoutId: string): CheckoutRow {
  const checkout = store.orders.checkout(checkoutId);
  if (checkout === undefined)
    throw new Problem("checkout-not-found", `There is no checkout with the id ${checkoutId}.`);
  return checkout;
}

function describeOrder({ orderId, organizationId, number, amount, status, createdAt }: OrderRow) {
  return {
    orderId,
    organizationId,
    amount,
    currency: planCurrency,
    status,
    invoiceNumber: formatInvoiceNumber(number),
    createdAt: formatTimestamp(createdAt),
  };
}

function describeSubscription(store: Store, row: SubscriptionRow, now: number) {
  const { organizationId, subscriptionId, plan, status, trialStart, trialEnd, cancelAtPeriodEnd } = row;
  const { start, end } = getBillingPeriod(row, now);
  return {
    organizationId,
    subscriptionId,
    plan,
    status,
    currentPeriodStart: formatTimestamp(start),
    currentPeriodEnd: formatTimestamp(end),
    trialStart: formatTimestampOrNull(trialStart),
    trialEnd: formatTimestampOrNull(trialEnd),
    cancelAtPeriodEnd,
    upcomingPlans: store.orders.upcomingCheckouts(organizationId).map((checkout) => ({
      plan: checkout.plan,
      startsAt: formatTimestamp(checkout.completesAt ?? now),
    })),
  };
}
