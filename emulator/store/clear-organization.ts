import type { Store } from "./store.js";

/**
 * Deletes everything in an organization: databases, keys, sessions, billing, and its members unless
 * they are to see that it is deleted (gap `deleted-organization`).
 */
export function clearOrganization(
  store: Store,
  organizationId: string,
  { keepMembers = false }: { readonly keepMembers?: boolean } = {},
): void {
  store.databases.removeAllOf(organizationId);
  store.credentials.removeApiKeysOf(organizationId);
  store.credentials.removeRefreshTokensFor(organizationId);
  store.orders.removeAllOf(organizationId);
  store.subscriptions.remove(organizationId);
  store.requestCounts.removeAllOf(organizationId);
  if (!keepMembers) store.organizations.removeMembersOf(organizationId);
}
