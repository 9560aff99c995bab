import type { PlanType } from "../../../openapi/clauses/limits.js";
import type { Role } from "../../../openapi/schemas/roles.js";

/** A member. People are numbers; `accepted` is false for a pending invitation. */
export interface ModelMember {
  readonly person: number;
  role: Role;
  accepted: boolean;
}

export interface ModelOrganization {
  readonly creator: number;
  plan: PlanType;
  /** `settings.maxMembers`. */
  maxMembers: number;
  databases: number;
  deleted: boolean;
  members: ModelMember[];
}

/** Part 8. */
const limitsByPlan: Readonly<Record<PlanType, { readonly members: number; readonly databases: number }>> = {
  free: { members: 1, databases: 3 },
  pro: { members: 10, databases: 10 },
  enterprise: { members: Infinity, databases: Infinity },
};

/**
 * A model of organizations and their members by parts 4.6 and 8, independent of the emulator. Every method returns the status
 * of a request, and applies its effect.
 */
export class OrganizationsModel {
  readonly organizations: ModelOrganization[] = [];

  create(actor: number): number {
    this.organizations.push({
      creator: actor,
      plan: "free",
      maxMembers: limitsByPlan.free.members,
      databases: 0,
      deleted: false,
      members: [{ person: actor, role: "owner", accepted: true }],
    });
    return 201;
  }

  /** Returns the role of an active member; undefined for others, and after the organization is deleted. */
  roleOf(actor: number, organization: ModelOrganization): Role | undefined {
    if (organization.deleted) return undefined;
    return organization.members.find(({ person, accepted }) => person === actor && accepted)?.role;
  }

  get(actor: number, organization: ModelOrganization): number {
    return this.roleOf(actor, organization) === undefined ? 404 : 200;
  }

  update(actor: number, organization: ModelOrganization): number {
    const role = this.roleOf(actor, organization);
    if (role === undefined) return 404;
    return role === "owner" || role === "admin" ? 200 : 403;
  }

  delete(actor: number, organization: ModelOrganization): number {
    const role = this.roleOf(actor, organization);
    if (role === undefined) return 404;
    if (role !== "owner") return 403;
    organization.deleted = true;
    organization.members = [];
    return 204;
  }

  invite(actor: number, organization: ModelOrganization, person: number, role: Role): number {
    const own = this.roleOf(actor, organization);
    if (own === undefined) return 404;
    if (own !== "owner" && (own !== "admin" || role === "owner")) return 403;
    if (organization.members.some((member) => member.person === person)) return 409;
    if (
      organization.members.length >=
      Math.min(organization.maxMembers, limitsByPlan[organization.plan].members)
    )
      return 403;
    organization.members.push({ person, role, accepted: false });
    return 201;
  }

  /** A change of plan also changes the settings. */
  changePlan(organization: ModelOrganization, plan: PlanType): void {
    if (organization.plan !== plan) organization.maxMembers = limitsByPlan[plan].members;
    organization.plan = plan;
  }

  /** Returns whether there was an invitation to accept. */
  accept(organization: ModelOrganization, person: number): boolean {
    const member = organization.members.find((each) => each.person === person && !each.accepted);
    if (member !== undefined) member.accepted = true;
    return member !== undefined;
  }

  changeRole(actor: number, organization: ModelOrganization, person: number, role: Role): number {
    const own = this.roleOf(actor, organization);
    if (own === undefined) return 404;
    if (own !== "owner" && own !== "admin") return 403;
    const member = organization.members.find((each) => each.person === person);
    if (member === undefined) return 404;
    if (own === "admin" && (role === "owner" || member.role === "owner")) return 403;
    if (role !== "owner" && isLastOwner(member, organization)) return 409;
    member.role = role;
    return 200;
  }

  remove(actor: number, organization: ModelOrganization, person: number): number {
    const own = this.roleOf(actor, organization);
    if (own === undefined) return 404;
    const member = organization.members.find((each) => each.person === person);
    if (person !== actor) {
      if (own !== "owner" && own !== "admin") return 403;
      if (member === undefined) return 404;
      if (own === "admin" && member.role === "owner") return 403;
    }
    if (member === undefined) return 404;
    if (isLastOwner(member, organization)) return 409;
    organization.members = organization.members.filter((each) => each !== member);
    return 204;
  }

  /** The token is for the organization, whenever it was issued. */
  createDatabase(actor: number, organization: ModelOrganization): number {
    if (organization.deleted) return 401;
    const role = this.roleOf(actor, organization);
    if (role === undefined || role === "readonly") return 403;
    if (organization.databases >= limitsByPlan[organization.plan].databases) return 403;
    organization.databases += 1;
    return 201;
  }

  listDatabases(actor: number, organization: ModelOrganization): number {
    if (organization.deleted) return 401;
    return this.roleOf(actor, organization) === undefined ? 403 : 200;
  }
}

function isLastOwner(member: ModelMember, { members }: ModelOrganization): boolean {
  const owners = members.filter(({ role, accepted }) => role === "owner" && accepted);
  return owners.length === 1 && owners[0] === member;
}
