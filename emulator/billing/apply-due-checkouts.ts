import type { Store } from "../store/store.js";
import { applyDueSubscriptions, startSubscription } from "./subscription.js";

/** Puts the plans of paid checkouts in force whose time has come, each at its own time. */
export function applyDueCheckouts(store: Store, now: number): void {
  store.transaction(() => {
    for (const { checkoutId, organizationId, plan, completion } of store.orders.dueCheckouts(now)) {
      if (completion === null) continue;
      const { at, subscriptionId } = completion;
      // what came before it, so that orders are numbered in the order of time
      applyDueSubscriptions(store, at);
      store.orders.completeCheckout(checkoutId, at);
      startSubscription(store, { organizationId, subscriptionId, plan, trial: true, now: at });
    }
  });
}
