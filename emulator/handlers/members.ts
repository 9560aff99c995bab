import type { Member } from "../../openapi/generated/service-types.js";
import type { Role } from "../../openapi/schemas/roles.js";
import {
  countOwners,
  enforceMemberLimit,
  getMemberId,
  hasMemberIds,
  reassignOwnerIfNeeded,
} from "../organizations/members.js";
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
  const email = normalizeEmail(body.email, profile);
  if (email === "") throw createInvalidBodyProblem("/email", "must not be blank");
  const { userId } = getCallingUser(context);
  if (role === "owner")
    requireRightOverOwners(organizationId, context, "Only an owner can invite another owner.");
  const invited = store.organizations.memberOfEmail(organizationId, email);
  if (invited !== undefined) {
    if (invited.status !== "pending" || profile["repeated-invitation"] === "reject")
      throw new Problem("conflict", `${email} is already a member or has already been invited.`);
    rejectTouchingOwner(invited, context);
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
  const member = getMember(organizationId, path.memberId, context);
  if (body.role === "owner")
    requireRightOverOwners(organizationId, context, "Only an owner can make a member an owner.");
  rejectTouchingOwner(member, context);
  if (body.role !== "owner") rejectLastOwner(member, context);
  const updated = { ...member, role: body.role };
  context.store.organizations.updateMember(updated);
  reassignOwnerIfNeeded(context.store, organizationId, context.now);
  return { status: 200, body: describeMember(updated, context) };
};

/** DELETE /api/v1/organizations/{organizationId}/members/{memberId}: a member, an invitation, or oneself. */
export const removeMember: Handler<"removeMember"> = ({ path }, context) => {
  const { organizationId } = path;
  const { userId } = getCallingUser(context);
  const found = findMember(organizationId, path.memberId, context);
  if (found?.userId !== userId) {
    const role = getCallerRole(organizationId, context);
    if (role !== "owner" && role !== "admin")
      throw new Problem(
        "forbidden",
        `Your role in this organization is ${role}, so the only member you can remove is yourself.`,
      );
  }
  const member = found ?? throwMemberNotFound(path.memberId);
  if (member.userId !== userId) rejectTouchingOwner(member, context);
  rejectLastOwner(member, context);
  context.store.organizations.removeMember(member);
  reassignOwnerIfNeeded(context.store, organizationId, context.now);
  return { status: 204 };
};

/** The member with this id. Email addresses are compared without case. */
function findMember(
  organizationId: string,
  memberId: string,
  { store, profile }: HandlerContext,
): MemberRow | undefined {
  const { organizations } = store;
  const email = normalizeEmail(memberId, profile);
  const isMeant = (member: MemberRow | undefined) => {
    if (member === undefined) return false;
    const id = getMemberId(member, profile);
    return id?.value === (id?.is === "email" ? email : memberId);
  };
  const likely = [
    organizations.memberOfUser(organizationId, memberId),
    organizations.memberOfEmail(organizationId, email),
  ];
  // there may be thousands, and an id of their own stands in no column
  return likely.find(isMeant) ?? organizations.membersOf(organizationId).find(isMeant);
}

function getMember(organizationId: string, memberId: string, context: HandlerContext): MemberRow {
  return findMember(organizationId, memberId, context) ?? throwMemberNotFound(memberId);
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

/** Gap `admin-over-owners`. Nobody else than owner and admin comes here. */
function requireRightOverOwners(organizationId: string, context: HandlerContext, detail: string): void {
  if (context.profile["admin-over-owners"] === "allowed") return;
  if (getCallerRole(organizationId, context) !== "owner") throw new Problem("forbidden", detail);
}

/** Whether an admin changes and removes owners, whose invitation may be pending. */
function rejectTouchingOwner({ organizationId, role }: MemberRow, context: HandlerContext): void {
  if (role === "owner")
    requireRightOverOwners(organizationId, context, "Only an owner can change or remove an owner.");
}

/** Gap `last-owner`. */
function rejectLastOwner(
  { organizationId, role, status }: MemberRow,
  { store, profile }: HandlerContext,
): void {
  if (role !== "owner" || status !== "active" || profile["last-owner"] === "allow") return;
  if (countOwners(store, organizationId) === 1)
    throw new Problem("last-owner", "This is the last owner. Make another member an owner first.");
}

function describeMember(member: MemberRow, { store, profile }: HandlerContext): Member {
  const id = getMemberId(member, profile);
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
    ...(hasMemberIds(profile) ? { memberId: id?.is === "own-id" ? id.value : null } : {}),
    // what is null goes by the status in every row: a pending member has no user, an active one joined
  } as Member;
}
