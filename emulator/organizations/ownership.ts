import type { Store } from "../store/store.js";

/** How many active owners an organization has; who was invited as one is none yet. */
export function countOwners(store: Store, organizationId: string): number {
  return store.organizations.ownersOf(organizationId).length;
}

/**
 * Keeps `ownerUserId` true after a change of members: who created the organization, as long as they own it; after
 * that the owner who joined first. Where no owner is left it stays as it was.
 */
export function updateOwner(store: Store, organizationId: string, now: number): void {
  const organization = store.organizations.byId(organizationId);
  const owners = store.organizations.ownersOf(organizationId);
  if (organization === undefined || owners.some(({ userId }) => userId === organization.ownerUserId)) return;
  const [first] = owners.sort((a, b) => (a.joinedAt ?? 0) - (b.joinedAt ?? 0));
  if (first?.userId === null || first?.userId === undefined) return;
  store.organizations.update({ ...organization, ownerUserId: first.userId, updatedAt: now });
}
