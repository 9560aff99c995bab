import { planNumbers } from "../../openapi/limits.js";
import type { Role } from "../../openapi/operations/operation.js";
import { countOwners, updateOwner } from "../organizations/ownership.js";
import { invalidBody, Problem } from "../problem.js";
import type { MemberRow } from "../store/organizations.js";
import { storedEmail } from "../store/users.js";
import { timestampOrNull } from "../time/timestamp.js";
import { callingUser } from "./calling-user.js";
import type { Context, Handler } from "./handler.js";

/** GET /api/v1/organizations/{organizationId}/members. */
export const listMembers: Handler<"listMembers"> = ({ path }, context) => ({
  status: 200,
  body: {
    members: context.store.organizations
      .membersOf(path.organizationId)
      .map((member) => describeMember(member, context)),
  },
});

/** POST /api/v1/organizations/{organizationId}/members. */
export const inviteMember: Handler<"inviteMember"> = ({ path, body }, context) => {
  const { store, now, profile } = context;
  const { organizationId } = path;
  const role = body.role ?? "member";
  const email = storedEmail(body.email, profile);
  if (email === "") throw invalidBody("/email", "must not be blank");
  const { userId } = callingUser(context);
  if (role === "owner") requireOwner(organizationId, context, "Only an owner can invite an owner.");
  if (store.organizations.memberOfEmail(organizationId, email) !== undefined)
    throw new Problem("conflict", `${email} is a member or invited already.`);
  refuseAboveCeiling(organizationId, context);
  const member: MemberRow = {
    organizationId,
    userId: null,
    email,
    role,
    status: "pending",
    joinedAt: null,
    invitedAt: now,
    invitedBy: userId,
  };
  store.organizations.insertMember(member);
  const pending = { ...describeMember(member, context), userId: null, name: null, joinedAt: null };
  return {
    status: 201,
    body: { ...pending, status: "pending", invitedAt: pending.invitedAt ?? "", invitedBy: userId },
  };
};

/** PUT /api/v1/organizations/{organizationId}/members/{memberId}. */
export const updateMember: Handler<"updateMember"> = ({ path, body }, context) => {
  const { organizationId } = path;
  const member = memberOfPath(organizationId, path.memberId, context);
  if (body.role === "owner")
    requireOwner(organizationId, context, "Only an owner can make somebody an owner.");
  refuseTouchingOwner(member, context);
  if (body.role !== "owner") refuseLastOwner(member, context);
  context.store.organizations.setRole(member, body.role);
  updateOwner(context.store, organizationId, context.now);
  return { status: 200, body: describeMember({ ...member, role: body.role }, context) };
};

/** DELETE /api/v1/organizations/{organizationId}/members/{memberId}: a member, an invitation, or oneself. */
export const removeMember: Handler<"removeMember"> = ({ path }, context) => {
  const { organizationId } = path;
  const { userId } = callingUser(context);
  const found = findMember(organizationId, path.memberId, context);
  if (found?.userId !== userId) {
    const role = roleOfCaller(organizationId, context);
    if (role !== "owner" && role !== "admin")
      throw new Problem(
        "forbidden",
        `Your role in this organization is ${role}; you can remove yourself only.`,
      );
  }
  const member = found ?? missingMember(path.memberId);
  if (member.userId !== userId) refuseTouchingOwner(member, context);
  refuseLastOwner(member, context);
  context.store.organizations.removeMember(member);
  updateOwner(context.store, organizationId, context.now);
  return { status: 204 };
};

/** The member of this id (gap `member-id`): a pending one goes by the email address in any case. */
function findMember(
  organizationId: string,
  memberId: string,
  { store, profile }: Context,
): MemberRow | undefined {
  const byEmail = store.organizations.memberOfEmail(organizationId, storedEmail(memberId, profile));
  if (profile["member-id"] === "email") return byEmail;
  return (
    store.organizations.memberOfUser(organizationId, memberId) ??
    (byEmail?.status === "pending" ? byEmail : undefined)
  );
}

function memberOfPath(organizationId: string, memberId: string, context: Context): MemberRow {
  return findMember(organizationId, memberId, context) ?? missingMember(memberId);
}

function missingMember(memberId: string): never {
  throw new Problem(
    "member-not-found",
    `The organization has no member ${memberId}. GET the members lists them.`,
  );
}

function roleOfCaller(organizationId: string, context: Context): Role {
  const member = context.store.organizations.memberOfUser(organizationId, callingUser(context).userId);
  if (member === undefined) throw new Error("the caller is a member of the organization of the path");
  return member.role;
}

function requireOwner(organizationId: string, context: Context, detail: string): void {
  if (roleOfCaller(organizationId, context) !== "owner") throw new Problem("forbidden", detail);
}

/** An admin neither changes nor removes an owner, whose invitation may be pending. */
function refuseTouchingOwner({ organizationId, role }: MemberRow, context: Context): void {
  if (role === "owner") requireOwner(organizationId, context, "Only an owner can change or remove an owner.");
}

/** Gap `last-owner`. */
function refuseLastOwner({ organizationId, role, status }: MemberRow, { store, profile }: Context): void {
  if (role !== "owner" || status !== "active" || profile["last-owner"] === "allow") return;
  if (countOwners(store, organizationId) === 1)
    throw new Problem("last-owner", "This is the last owner. Make somebody else an owner first.");
}

/** Clause ORG-34: the plan and the organization's settings both set a ceiling; pending members count. */
function refuseAboveCeiling(organizationId: string, { store }: Context): void {
  const organization = store.organizations.byId(organizationId);
  if (organization === undefined) throw new Error("an organization with members has a row");
  const { plan, maxMembers } = organization;
  const ceiling = Math.min(planNumbers[plan].limits?.maxTeamMembers ?? Infinity, maxMembers);
  if (store.organizations.countMembers(organizationId) >= ceiling)
    throw new Problem(
      "ceiling-reached",
      `The organization may have ${ceiling} members, the owner and pending ones included (plan ${plan}). ` +
        "Remove one or change the plan.",
    );
}

function describeMember(member: MemberRow, { store }: Context) {
  const { userId, email, role, status, joinedAt, invitedAt, invitedBy } = member;
  return {
    userId,
    email,
    name: userId === null ? null : (store.users.byId(userId)?.name ?? null),
    role,
    status,
    joinedAt: timestampOrNull(joinedAt),
    invitedAt: timestampOrNull(invitedAt),
    invitedBy,
  };
}
