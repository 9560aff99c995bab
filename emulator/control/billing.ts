import { billingPeriod } from "../billing/billing-period.js";
import {
  changeStatus,
  setCancelAtPeriodEnd,
  startSubscription,
  subscriptionOf,
} from "../billing/subscription.js";
import { Problem } from "../domain/problem.js";
import type { SubscriptionRow } from "../store/subscriptions.js";
import { timestamp, timestampOrNull } from "../time/timestamp.js";
import type { ControlHandler } from "./control-handler.js";
import { organizationToChange } from "./organizations.js";

/** POST /_emulator/checkouts/{checkoutId}/complete: what paying would do. */
export const completeCheckout: ControlHandler<"completeCheckout"> = ({ path }, { world }) => {
  const { store, ids, clock } = world;
  const now = clock.now();
  const checkout = store.orders.checkout(path.checkoutId);
  if (checkout === undefined)
    throw new Problem("checkout-not-found", "There is no checkout of this id in the namespace.");
  const { checkoutId, organizationId, plan, completedAt } = checkout;
  if (completedAt !== null)
    throw new Problem("checkout-completed", `The checkout was completed at ${timestamp(completedAt)}.`);
  store.orders.completeCheckout(checkoutId, now);
  const subscriptionId = ids.next("sub");
  const row = startSubscription(store, { organizationId, subscriptionId, plan, trial: true, now });
  return { status: 200, body: describeSubscription(row, now) };
};

/** PATCH /_emulator/subscriptions/{organizationId}: the plan first, then the status, then how it ends. */
export const changeSubscription: ControlHandler<"changeSubscription"> = ({ path, body }, { world }) => {
  const { store, ids, clock } = world;
  const now = clock.now();
  const { organizationId } = organizationToChange(path.organizationId, world);
  const { plan, status, cancelAtPeriodEnd } = body;
  let row = subscriptionOf(store, organizationId);
  if (plan !== undefined && plan !== row.plan)
    row = startSubscription(store, {
      organizationId,
      subscriptionId: ids.next("sub"),
      plan,
      trial: false,
      now,
    });
  if (status !== undefined) row = changeStatus(store, row, status, now);
  if (cancelAtPeriodEnd !== undefined) row = setCancelAtPeriodEnd(store, row, cancelAtPeriodEnd, now);
  return { status: 200, body: describeSubscription(row, now) };
};

function describeSubscription(row: SubscriptionRow, now: number) {
  const { organizationId, subscriptionId, plan, status, trialStart, trialEnd, cancelAtPeriodEnd } = row;
  const { start, end } = billingPeriod(row, now);
  return {
    organizationId,
    subscriptionId,
    plan,
    status,
    currentPeriodStart: timestamp(start),
    currentPeriodEnd: timestamp(end),
    trialStart: timestampOrNull(trialStart),
    trialEnd: timestampOrNull(trialEnd),
    cancelAtPeriodEnd,
  };
}
