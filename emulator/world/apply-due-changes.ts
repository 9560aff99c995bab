import { applyDueSubscriptionChanges, getHigherPlan, startSubscription } from "../billing/subscription.js";
import type { Store } from "../store/store.js";

/**
 * Applies changes that are due: paid checkouts, changes of subscriptions, and deletions of databases. Called before the world
 * is read. If nothing is due, it costs three comparisons.
 */
export function applyDueChanges(store: Store, now: number): void {
  if (now >= store.orders.nextDueAt()) store.transaction(() => applyDueCheckouts(store, now));
  applyDueSubscriptionChanges(store, now);
  if (now >= store.databases.nextGoneAt()) store.transaction(() => store.databases.removeGone(now));
}

/** Applies the plans of paid checkouts that are due, each at its own time. */
function applyDueCheckouts(store: Store, now: number): void {
  for (const checkout of store.orders.dueCheckouts(now)) {
    const { organizationId, plan, completesAt: at, subscriptionId } = checkout;
    if (at === null || subscriptionId === null) continue;
    // Earlier changes are applied first, so that orders are numbered in order of time.
    applyDueSubscriptionChanges(store, at);
    store.orders.putCheckout({ ...checkout, completesAt: null, subscriptionId: null, completedAt: at });
    if (getHigherPlan(store, organizationId, plan) === undefined)
      startSubscription(store, { organizationId, subscriptionId, plan, trial: true, now: at });
  }
}
