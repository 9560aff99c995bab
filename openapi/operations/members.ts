import { type ClauseId, getClauseRange } from "../clauses/register.js";
import { type Strictness, getStrictAnswer } from "../gaps/strictness.js";
import type { ProblemKind } from "./problems.js";
import { managementRoles } from "./organizations.js";
import { type Access, defineOperationGroup, defineSuccess, get, post, put, remove } from "./operation.js";
import { ref } from "../schemas/ref.js";
import { allRoles } from "../schemas/roles.js";

const prefix = "/api/v1/organizations/{organizationId}/members";

const readAccess: Access = { kind: "protected", roles: allRoles, roleIn: "path" };
const writeAccess: Access = { kind: "protected", roles: managementRoles, roleIn: "path" };
const notFoundProblems: readonly ProblemKind[] = ["organization-not-found", "foreign-resource"];
const accessClauses: readonly ClauseId[] = [
  "ORG-18",
  ...getClauseRange("AUTH-15", "AUTH-18"),
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

/** Adds the member's own id, if the profile shows one. */
function addMemberId(member: typeof pending | typeof active, strictness: Strictness): object {
  return getStrictAnswer(strictness, "member-id") === "own-id"
    ? { ...member, memberId: "member_5d2k" }
    : member;
}

/** Members of an organization (part 4.6). */
export const memberOperations = defineOperationGroup({
  tag: "Members",
  clauses: accessClauses,
  problems: notFoundProblems,
})({
  listMembers: get(prefix, "List an organization's members", {
    description: "Returns active and pending members. A pending member has no user id and no name.",
    access: readAccess,
    successes: [defineSuccess(200, "All members.", "MemberList")],
    clauses: ["ORG-19", "ORG-05", "ORG-20", "ORG-21", "ORG-35", "GEN-01"],
    example: {
      response: (strictness: Strictness) => ({ members: [addMemberId(active, strictness)] }),
    },
  }),
  inviteMember: post(prefix, "Invite a user to the organization", {
    description:
      "The member is `pending` until the invitation is accepted; the API has no operation for accepting invitations. " +
      "The role defaults to `member`. Pending members count toward the limit. An admin " +
      "cannot invite an owner (gap `admin-over-owners`). Inviting an address that is already invited is rejected (gap " +
      "`repeated-invitation`).",
    access: writeAccess,
    requestBody: ref("InviteMemberRequest"),
    successes: [defineSuccess(201, "The invitation is pending.", "InvitedMember")],
    problems: ["deleted-organization", "conflict", "ceiling-reached"],
    clauses: ["ORG-22", ...getClauseRange("ORG-21", "ORG-26"), "ORG-31", "ORG-34", "GEN-01", "GEN-06"],
    example: {
      request: { email: pending.email },
      response: (strictness: Strictness) => addMemberId(pending, strictness),
    },
  }),
  updateMember: put(`${prefix}/{memberId}`, "Change a member's role", {
    description:
      "`{memberId}` is the user id of an active member or the email address of a pending member (gap " +
      "`member-id`). An admin cannot assign the owner role or change an owner's role (gap " +
      "`admin-over-owners`). The last owner must remain an owner.",
    access: writeAccess,
    requestBody: ref("UpdateMemberRequest"),
    successes: [defineSuccess(200, "The member with the new role.", "Member", { gap: "member-id" })],
    problems: ["deleted-organization", "member-not-found", "last-owner"],
    clauses: ["ORG-27", "ORG-21", ...getClauseRange("ORG-26", "ORG-28"), "ORG-31", "GEN-06"],
    example: {
      request: { role: "admin" },
      response: (strictness: Strictness) => addMemberId({ ...active, role: "admin" }, strictness),
    },
  }),
  removeMember: remove(`${prefix}/{memberId}`, "Remove a member, or leave the organization", {
    description:
      "Owners and admins can remove other members, and every member can leave. `{memberId}` is the user id of an active member " +
      "or the email address of a pending member (gap `member-id`). The last owner cannot be removed.",
    access: readAccess,
    successes: [defineSuccess(204, "The member was removed.", undefined, { gap: "member-id" })],
    problems: ["deleted-organization", "member-not-found", "last-owner"],
    clauses: ["ORG-29", "ORG-26", "ORG-30"],
  }),
});
