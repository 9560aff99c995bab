import { createHash } from "node:crypto";
import { planTerms } from "../../openapi/clauses/limits.js";
import { Problem } from "../domain/problem.js";
import type { MemberRow } from "../store/organizations.js";
import type { Store } from "../store/store.js";
import type { World } from "../world/world.js";

/** Returns the deployment's own id of a member, which the member keeps from the invitation on. */
export function createMemberId({ organizationId, email }: MemberRow): string {
  const hash = createHash("sha256").update(`${organizationId} ${email}`).digest("hex");
  return `member_${hash.slice(0, 16)}`;
}

/**
 * Rejects more members than the plan and the settings of the organization allow (clause ORG-34).
 *
 * @throws a problem `ceiling-reached`
 */
export function enforceMemberLimit(organizationId: string, { store }: World): void {
  const organization = store.organizations.byId(organizationId);
  if (organization === undefined) throw new Error("an organization with members has no row");
  const { plan, maxMembers } = organization;
  const ceiling = Math.min(planTerms[plan].limits?.maxTeamMembers ?? Infinity, maxMembers);
  if (store.organizations.countMembers(organizationId) >= ceiling)
    throw new Problem(
      "ceiling-reached",
      `The organization's maximum number of members, including the owner and pending members, is ` +
        `${ceiling} (plan ${plan}). Remove a member or switch to a plan with a higher limit.`,
    );
}

/**
 * Updates `ownerUserId` after a change of members. If the user is no longer an owner, the owner who joined first takes their
 * place. If there is no owner, nothing changes.
 */
export function reassignOwnerIfNeeded(store: Store, organizationId: string, now: number): void {
  const organization = store.organizations.byId(organizationId);
  const owners = store.organizations.ownersOf(organizationId);
  if (organization === undefined || owners.some(({ userId }) => userId === organization.ownerUserId)) return;
  const [first] = owners.sort((a, b) => (a.joinedAt ?? 0) - (b.joinedAt ?? 0));
  if (first?.userId === null || first?.userId === undefined) return;
  store.organizations.update({ ...organization, ownerUserId: first.userId, updatedAt: now });
}
