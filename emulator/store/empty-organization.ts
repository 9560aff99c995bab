import type { Store } from "./store.js";

/** Removes everything that an organization holds: databases, keys, sessions for it, members and billing. */
export function emptyOrganization(store: Store, organizationId: string): void {
  store.databases.removeAllOf(organizationId);
  store.credentials.removeApiKeysOf(organizationId);
  store.credentials.removeRefreshTokensFor(organizationId);
  store.orders.removeAllOf(organizationId);
  store.subscriptions.remove(organizationId);
  store.requestCounts.removeAllOf(organizationId);
  store.organizations.removeMembersOf(organizationId);
}
