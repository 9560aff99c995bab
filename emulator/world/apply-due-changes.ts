import { applyDueSubscriptions } from "../billing/subscription.js";
import { applyDueCheckouts } from "../billing/apply-due-checkouts.js";
import type { Store } from "../store/store.js";

/**
 * Does what time has brought about, in subscriptions and to databases that are being deleted. Called before anything
 * looks at the world; it costs three comparisons when nothing is due.
 */
export function applyDueChanges(store: Store, now: number): void {
  if (now >= store.orders.nextDueAt()) applyDueCheckouts(store, now);
  applyDueSubscriptions(store, now);
  if (now >= store.databases.nextGoneAt()) store.transaction(() => store.databases.removeGone(now));
}
