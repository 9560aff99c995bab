import { planTerms } from "../../openapi/clauses/limits.js";
import { Problem } from "../domain/problem.js";
import type { World } from "../world/world.js";

/**
 * Refuses more members than the plan and the settings of the organization allow (clause ORG-34). Whether pending members
 * count is gap `pending-members-count`.
 *
 * @throws a problem `ceiling-reached`
 */
export function enforceMemberLimit(organizationId: string, { store, profile }: World): void {
  const organization = store.organizations.byId(organizationId);
  if (organization === undefined) throw new Error("an organization with members has a row");
  const { plan, maxMembers } = organization;
  const ceiling = Math.min(planTerms[plan].limits?.maxTeamMembers ?? Infinity, maxMembers);
  const countsPending = profile["pending-members-count"] === "counted";
  const members = countsPending
    ? store.organizations.countMembers(organizationId)
    : store.organizations.membersOf(organizationId).filter(({ status }) => status === "active").length;
  if (members >= ceiling)
    throw new Problem(
      "ceiling-reached",
      `The organization's maximum number of members, including the owner${countsPending ? " and pending members" : ""}, is ` +
        `${ceiling} (plan ${plan}). Remove a member or change the plan.`,
    );
}
