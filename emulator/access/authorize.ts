import type { Role, Scope } from "../../openapi/schemas/roles.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { Problem } from "../domain/problem.js";
import type { World } from "../world/world.js";
import type { Caller, UserCaller } from "./caller.js";

/** The permitted callers of an operation, from the document. */
export interface AccessRule {
  /** Roles whose access tokens are accepted; undefined if access tokens are rejected (gap `data-credential`). */
  readonly roles: readonly Role[] | undefined;
  /** The organization in which the caller's role counts: that of the token, that of the path, or none. */
  readonly roleIn: "token" | "path" | "none";
  /** The scope that an API key needs; `any` if the handler checks it; undefined if API keys are rejected. */
  readonly scope: Scope | "any" | undefined;
  readonly effect: "read" | "write";
}

/**
 * Rejects callers without access to the operation (clauses AUTH-14, AUTH-18 to AUTH-23, AUTH-26).
 *
 * @param organizationInPath the `organizationId` of the path, for rules with `roleIn: "path"`
 * @throws problems `forbidden`, `wrong-credential-kind`, `organization-not-found`, `foreign-resource`,
 *   `deleted-organization`
 */
export function authorize(rule: AccessRule, caller: Caller, world: World, organizationInPath?: string): void {
  if (caller.kind === "anonymous") return;
  if (caller.kind === "apiKey") {
    if (rule.scope === undefined)
      throw new Problem(
        "wrong-credential-kind",
        "This operation needs a user's access token, not an API key.",
      );
    if (rule.scope !== "any" && !hasScope(caller.scopes, rule.scope, world.profile))
      throw new Problem(
        "forbidden",
        `The API key needs the scope ${rule.scope}; its scopes are ${caller.scopes.join(", ")}.`,
      );
    rejectSuspendedOrganization(rule, caller.organizationId, world);
    return;
  }
  const { roles } = rule;
  if (roles === undefined)
    throw new Problem("wrong-credential-kind", "This operation needs an API key, not a user's access token.");
  if (rule.roleIn === "none") return;
  if (rule.roleIn === "path" && organizationInPath !== undefined) {
    requireRole(roles, getRole(organizationInPath, caller, world), "in this organization");
    rejectDeleted(rule, organizationInPath, world);
    rejectSuspendedOrganization(rule, organizationInPath, world);
    return;
  }
  if (caller.role === undefined)
    throw new Problem(
      "forbidden",
      "You are no longer a member of the organization that this access token is for.",
    );
  requireRole(roles, caller.role, "in this access token's organization");
  rejectSuspendedOrganization(rule, caller.organizationId, world);
}

/**
 * Whether the scopes of a key include the required scope, its family, or everything (gaps `database-all-covers-entities`
 * and `write-scope-reads-entities`).
 */
export function hasScope(scopes: readonly Scope[], required: Scope, profile: Profile): boolean {
  if (scopes.includes(required) || scopes.includes("*")) return true;
  if (required.startsWith("repository:")) {
    if (scopes.includes("database:*") && profile["database-all-covers-entities"] === "granted") return true;
    const isRead = required === "repository:read" && profile["write-scope-reads-entities"] === "granted";
    if (isRead && scopes.includes("repository:write")) return true;
  }
  return scopes.some((scope) => scope.endsWith(":*") && required.startsWith(scope.slice(0, -1)));
}

/** Returns the caller's role in an organization. For others than members, the organization is a foreign resource. */
function getRole(organizationId: string, caller: UserCaller, world: World): Role {
  const member = world.store.organizations.memberOfUser(organizationId, caller.userId);
  const status = world.store.organizations.statusOf(organizationId);
  // Members may still see a deleted organization (gap `deleted-organization`).
  const isGone = status === "deleted" && world.profile["deleted-organization"] !== "shown";
  if (member?.status !== "active" || isGone)
    throw createOrganizationNotFoundProblem(status !== undefined && status !== "deleted", world);
  return member.role;
}

/** Whether foreign resources get a different status, and therefore a different message, than missing resources. */
export function revealsForeignResources({ profile }: Pick<World, "profile">): boolean {
  return profile["foreign-resource-status"] !== profile["missing-resource-status"];
}

/** Creates the problem for an organization that the caller cannot see. */
export function createOrganizationNotFoundProblem(exists: boolean, world: World): Problem {
  if (exists && revealsForeignResources(world))
    return new Problem("foreign-resource", "You are not a member of this organization.");
  return new Problem("organization-not-found", "You are not a member of an organization with this id.");
}

function requireRole(roles: readonly Role[], role: Role, where: string): void {
  if (!roles.includes(role))
    throw new Problem(
      "forbidden",
      `Your role ${where} is ${role}; this operation requires one of these roles: ${roles.join(", ")}.`,
    );
}

/** Rejects changes to a deleted organization that its members can still see. */
function rejectDeleted({ effect }: AccessRule, organizationId: string, { store }: World): void {
  if (effect === "write" && store.organizations.statusOf(organizationId) === "deleted")
    throw new Problem(
      "deleted-organization",
      "The organization has been deleted and can no longer be changed.",
    );
}

/** Rejects changes to a suspended organization. */
export function rejectSuspendedOrganization(
  { effect }: Pick<AccessRule, "effect">,
  organizationId: string,
  { store }: World,
): void {
  if (effect === "write" && store.organizations.statusOf(organizationId) === "suspended")
    throw new Problem("forbidden", "The organization is suspended; its resources cannot be changed.");
}
