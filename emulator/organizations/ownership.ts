import type { Store } from "../store/store.js";

/** Counts the active owners of an organization. Invited owners do not count yet. */
export function countOwners(store: Store, organizationId: string): number {
  return store.organizations.ownersOf(organizationId).length;
}

/**
 * Updates `ownerUserId` after a change of members: the creator of the organization as long as they are an owner, and then
 * the owner who joined first. If no owner is left, it does not change.
 */
export function reassignOwnerIfNeeded(store: Store, organizationId: string, now: number): void {
  const organization = store.organizations.byId(organizationId);
  const owners = store.organizations.ownersOf(organizationId);
  if (organization === undefined || owners.some(({ userId }) => userId === organization.ownerUserId)) return;
  const [first] = owners.sort((a, b) => (a.joinedAt ?? 0) - (b.joinedAt ?? 0));
  if (first?.userId === null || first?.userId === undefined) return;
  store.organizations.update({ ...organization, ownerUserId: first.userId, updatedAt: now });
}
