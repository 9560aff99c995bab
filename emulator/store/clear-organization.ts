import type { Store } from "./store.js";

/** Deletes everything in an organization. Members may be kept, so that they see the deletion (gap `deleted-organization`). */
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
