import { applyDueSubscriptionChanges, startSubscription } from "../billing/subscription.js";
import type { Store } from "../store/store.js";

/**
 * Does what time has brought about, in subscriptions and to databases that are being deleted. Called before anything
 * looks at the world; it costs three comparisons when nothing is due.
 */
export function applyDueChanges(store: Store, now: number): void {
  if (now >= store.orders.nextDueAt()) store.transaction(() => applyDueCheckouts(store, now));
  applyDueSubscriptionChanges(store, now);
  if (now >= store.databases.nextGoneAt()) store.transaction(() => store.databases.removeGone(now));
}

/** Applies the plans of paid checkouts that are due, each at its own time. */
function applyDueCheckouts(store: Store, now: number): void {
  for (const { checkoutId, organizationId, plan, completion } of store.orders.dueCheckouts(now)) {
    if (completion === null) continue;
    const { at, subscriptionId } = completion;
    // earlier changes first, so that orders are numbered in order of time
    applyDueSubscriptionChanges(store, at);
    store.orders.completeCheckout(checkoutId, at);
    startSubscription(store, { organizationId, subscriptionId, plan, trial: true, now: at });
  }
}
