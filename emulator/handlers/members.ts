import type { Member } from "../../openapi/generated/service-types.js";
import type { Role } from "../../openapi/schemas/roles.js";
import { createMemberId, enforceMemberLimit, reassignOwnerIfNeeded } from "../organizations/members.js";
import { createInvalidBodyProblem, Problem } from "../domain/problem.js";
import type { MemberRow } from "../store/organizations.js";
import { normalizeEmail } from "../store/users.js";
import { formatTimestampOrNull } from "../time/timestamp.js";
import { getCallingUser } from "./calling-user.js";
import type { HandlerContext, Handler } from "./handler.js";

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
  const email = normalizeEmail(body.email);
  if (email === "") throw createInvalidBodyProblem("/email", "must not be blank");
  const { userId } = getCallingUser(context);
  if (role === "owner")
    assertMayManageOwners(organizationId, context, "Only an owner can invite another owner.");
  const invited = store.organizations.memberOfEmail(organizationId, email);
  if (invited !== undefined) {
    if (invited.status !== "pending" || profile["repeated-invitation"] === "reject")
      throw new Problem("conflict", `${email} is already a member or has already been invited.`);
    assertMayChangeMember(invited, context);
  } else enforceMemberLimit(organizationId, context);
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
  if (invited === undefined) store.organizations.insertMember(member);
  else store.organizations.updateMember(member);
  const pending = { ...describeMember(member, context), userId: null, name: null, joinedAt: null };
  return {
    status: 201,
    body: { ...pending, status: "pending", invitedAt: pending.invitedAt ?? "", invitedBy: userId },
  };
};

/** PUT /api/v1/organizations/{organizationId}/members/{memberId}. */
export const updateMember: Handler<"updateMember"> = ({ path, body }, context) => {
  const { organizationId } = path;
  const member = findMember(organizationId, path.memberId, context) ?? throwMemberNotFound(path.memberId);
  if (body.role === "owner")
    assertMayManageOwners(organizationId, context, "Only an owner can make a member an owner.");
  assertMayChangeMember(member, context);
  if (body.role !== "owner") rejectLastOwner(member, context);
  const updated = { ...member, role: body.role };
  context.store.organizations.updateMember(updated);
  reassignOwnerIfNeeded(context.store, organizationId, context.now);
  return { status: 200, body: describeMember(updated, context) };
};

/** DELETE /api/v1/organizations/{organizationId}/members/{memberId}: a member, an invitation, or the caller. */
export const removeMember: Handler<"removeMember"> = ({ path }, context) => {
  const { organizationId } = path;
  const { userId } = getCallingUser(context);
  const found = findMember(organizationId, path.memberId, context);
  if (found?.userId !== userId) {
    const role = getCallerRole(organizationId, context);
    if (role !== "owner" && role !== "admin")
      throw new Problem(
        "forbidden",
        `Your role in this organization is ${role}, so you can remove only yourself.`,
      );
  }
  const member = found ?? throwMemberNotFound(path.memberId);
  if (member.userId !== userId) assertMayChangeMember(member, context);
  rejectLastOwner(member, context);
  context.store.organizations.removeMember(member);
  reassignOwnerIfNeeded(context.store, organizationId, context.now);
  return { status: 204 };
};

/** Finds a member by id (gap `member-id`). */
function findMember(
  organizationId: string,
  memberId: string,
  { store, profile }: HandlerContext,
): MemberRow | undefined {
  const { organizations } = store;
  const kind = profile["member-id"];
  if (kind === "own-id")
    return organizations.membersOf(organizationId).find((member) => createMemberId(member) === memberId);
  const named = organizations.memberOfEmail(organizationId, normalizeEmail(memberId));
  if (kind === "email" || named?.userId === null) return named;
  return organizations.memberOfUser(organizationId, memberId);
}

function throwMemberNotFound(memberId: string): never {
  throw new Problem(
    "member-not-found",
    `The organization has no member ${memberId}. List the organization's members to find the right id.`,
  );
}

function getCallerRole(organizationId: string, context: HandlerContext): Role {
  const member = context.store.organizations.memberOfUser(organizationId, getCallingUser(context).userId);
  if (member === undefined) throw new Error("the caller is not a member of the organization in the path");
  return member.role;
}

/** Gap `admin-over-owners`. The caller is an owner or an admin. */
function assertMayManageOwners(organizationId: string, context: HandlerContext, detail: string): void {
  if (context.profile["admin-over-owners"] === "allowed") return;
  if (getCallerRole(organizationId, context) !== "owner") throw new Problem("forbidden", detail);
}

function assertMayChangeMember({ organizationId, role }: MemberRow, context: HandlerContext): void {
  if (role === "owner")
    assertMayManageOwners(
      organizationId,
      context,
      "Only an owner can change an owner's role or remove an owner.",
    );
}

function rejectLastOwner({ organizationId, role, status }: MemberRow, { store }: HandlerContext): void {
  if (role !== "owner" || status !== "active") return;
  if (store.organizations.ownersOf(organizationId).length === 1)
    throw new Problem("last-owner", "This is the last owner. Make another member an owner first.");
}

function describeMember(member: MemberRow, { store, profile }: HandlerContext): Member {
  const { userId, email, role, status, joinedAt, invitedAt, invitedBy } = member;
  return {
    userId,
    email,
    name: userId === null ? null : (store.users.byId(userId)?.name ?? null),
    role,
    status,
    joinedAt: formatTimestampOrNull(joinedAt),
    invitedAt: formatTimestampOrNull(invitedAt),
    invitedBy,
    ...(profile["member-id"] === "own-id" ? { memberId: createMemberId(member) } : {}),
    // The status determines which fields are null: a pending member has no user, an active member has joined.
  } as Member;
}
