import { settleSubscriptions } from "../billing/subscription.js";
import { settleCheckouts } from "../billing/settle-checkouts.js";
import type { Store } from "../store/store.js";

/**
 * Does what time has brought about, in subscriptions and to databases that are being deleted. Called before anything
 * looks at the world; it costs three comparisons when nothing is due.
 */
export function settleWorld(store: Store, now: number): void {
  if (now >= store.orders.nextDueAt()) settleCheckouts(store, now);
  settleSubscriptions(store, now);
  if (now >= store.databases.nextGoneAt()) store.transaction(() => store.databases.removeGone(now));
}
