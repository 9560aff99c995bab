import type { ClauseId } from "../clauses/register.js";
import { type Strictness, strictAnswer } from "../gaps/strictness.js";
import type { ProblemKind } from "./problems.js";
import { managingRoles } from "./organizations.js";
import { type Access, defineOperations } from "./operation.js";
import { ref } from "../schemas/ref.js";
import { allRoles } from "../schemas/roles.js";

const prefix = "/api/v1/organizations/{organizationId}/members";

const anyMember: Access = { kind: "protected", roles: allRoles, roleIn: "path" };
const managing: Access = { kind: "protected", roles: managingRoles, roleIn: "path" };
const notThere: readonly ProblemKind[] = ["organization-not-found", "foreign-resource"];
const accessClauses: readonly ClauseId[] = [
  "ORG-18",
  "AUTH-15",
  "AUTH-16",
  "AUTH-17",
  "AUTH-18",
  "GEN-05",
  "GEN-08",
];

const pending = {
  userId: null,
  email: "new@demo.test",
  name: null,
  role: "member",
  status: "pending",
  joinedAt: null,
  invitedAt: "2030-01-01T00:00:10.000Z",
  invitedBy: "user_demo_owner",
};
const active = {
  ...pending,
  userId: "user_demo_member",
  name: "New Member",
  status: "active",
  joinedAt: "2030-01-01T00:00:20.000Z",
};
const inOrganization = { organizationId: "org_demo_pro" };
const ofMember = { ...inOrganization, memberId: active.userId };

/** A member with an id of its own, where members are shown with one. */
function shown(member: typeof pending | typeof active, strictness: Strictness): object {
  const ofActive = strictAnswer(strictness, "member-id") === "own-id";
  const ofPending = strictAnswer(strictness, "pending-member-id") === "own-id";
  if (!ofActive && !ofPending) return member;
  const hasOne = member.status === "pending" ? ofPending : ofActive;
  return { ...member, memberId: hasOne ? "member_5d2k" : null };
}

/** Members of an organization (part 4.6). */
export const memberOperations = defineOperations({
  listMembers: {
    tag: "Members",
    summary: "List the members of an organization",
    routes: { method: "get", path: prefix },
    access: anyMember,
    effect: "read",
    successes: () => [{ status: 200, description: "All members.", schema: ref("MemberList") }],
    problems: notThere,
    clauses: ["ORG-05", "ORG-19", "ORG-20", "ORG-21", "ORG-35", "GEN-01", ...accessClauses],
    example: {
      parameters: inOrganization,
      response: (strictness: Strictness) => ({ members: [shown(active, strictness)] }),
    },
  },
  inviteMember: {
    tag: "Members",
    summary: "Invite somebody into the organization",
    routes: { method: "post", path: prefix },
    access: managing,
    effect: "write",
    requestBody: ref("InviteMemberRequest"),
    successes: () => [
      { status: 201, description: "The invitation is pending.", schema: ref("InvitedMember") },
    ],
    problems: [...notThere, "deleted-organization", "conflict", "ceiling-reached"],
    clauses: [
      "ORG-21",
      "ORG-22",
      "ORG-23",
      "ORG-24",
      "ORG-25",
      "ORG-26",
      "ORG-31",
      "ORG-34",
      "AUTH-26",
      "GEN-01",
      "GEN-06",
      "GEN-09",
      ...accessClauses,
    ],
    example: {
      parameters: inOrganization,
      request: { email: pending.email },
      response: (strictness: Strictness) => shown(pending, strictness),
    },
  },
  updateMember: {
    tag: "Members",
    summary: "Change the role of a member",
    routes: { method: "put", path: `${prefix}/{memberId}` },
    access: managing,
    effect: "write",
    requestBody: ref("UpdateMemberRequest"),
    successes: () => [
      { status: 200, description: "The member with the new role.", schema: ref("Member"), gap: "member-id" },
    ],
    problems: [...notThere, "deleted-organization", "member-not-found", "last-owner"],
    clauses: [
      "ORG-21",
      "ORG-26",
      "ORG-27",
      "ORG-28",
      "ORG-31",
      "AUTH-26",
      "GEN-06",
      "GEN-09",
      ...accessClauses,
    ],
    example: {
      parameters: ofMember,
      request: { role: "admin" },
      response: (strictness: Strictness) => shown({ ...active, role: "admin" }, strictness),
    },
  },
  removeMember: {
    tag: "Members",
    summary: "Remove a member, or leave the organization",
    routes: { method: "delete", path: `${prefix}/{memberId}` },
    access: anyMember,
    effect: "write",
    successes: () => [{ status: 204, description: "The member is gone.", gap: "member-id" }],
    problems: [...notThere, "deleted-organization", "member-not-found", "last-owner"],
    clauses: ["ORG-26", "ORG-29", "ORG-30", ...accessClauses],
    example: { parameters: ofMember },
  },
});
