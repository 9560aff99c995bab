import type { Role } from "../../openapi/schemas/roles.js";
import type { ApiResponse, Caller } from "../client/client.js";
import type { CheckContext } from "../check/context.js";
import { isClientError } from "../client/is-client-error.js";
import { RunError } from "../client/violation.js";
import { getResourceLimit } from "../models/get-resource-limit.js";
import { type ListedMember, listPossibleMemberIds } from "../resources/member-ids.js";

/** A member in the list of members. */
export type Member = ListedMember & {
  readonly name: string | null;
  readonly role: Role;
  readonly status: "active" | "pending";
  readonly joinedAt: string | null;
  readonly invitedAt: string | null;
  readonly invitedBy: string | null;
};

/** Lists the members of an organization. */
export async function listMembers(context: CheckContext, organizationId: string): Promise<readonly Member[]> {
  const response = await context.assertSuccess("ORG-19", "listMembers", { path: { organizationId } });
  return response.body.members as Member[];
}

/** Finds the member with an email address, ignoring case. */
export function findMember(members: readonly Member[], email: string): Member | undefined {
  return members.find((member) => member.email.toLowerCase() === email.toLowerCase());
}

/** Sends a request about a member with each possible id of the member until one is accepted. */
export async function callMemberOperation(
  context: CheckContext,
  operation: "updateMember" | "removeMember",
  organizationId: string,
  member: ListedMember,
  rest: { readonly body?: unknown; readonly as?: Caller; readonly intent?: "valid" | "invalid" } = {},
): Promise<ApiResponse> {
  let response: ApiResponse | undefined;
  for (const memberId of listPossibleMemberIds(member)) {
    response = await context.call(operation, { ...rest, path: { organizationId, memberId } });
    if (response.status < 400) return response;
  }
  if (response === undefined) throw new Error("a member has an id");
  return response;
}

/** The password of a user who has accepted an invitation of {@link addMember}. */
export const memberPassword = "certify-password";

/** Invites a user who does not exist. */
export function inviteByEmail(
  context: CheckContext,
  organizationId: string,
  email: string,
  rest: object = {},
  as?: Caller,
): Promise<ApiResponse> {
  return context.call("inviteMember", {
    path: { organizationId },
    body: { email, ...rest },
    ...(as === undefined ? {} : { as }),
  });
}

/**
 * Creates a member: an active member if invitations can be accepted, otherwise a pending member.
 *
 * @param staysPending whether nobody accepts the invitation
 * @returns the member from the list or, if it is not listed, from the response to the invitation
 */
export async function addMember(
  context: CheckContext,
  organizationId: string,
  { role = "member", staysPending = false }: { readonly role?: Role; readonly staysPending?: boolean } = {},
): Promise<Member> {
  const email = context.resources.createInviteAddress();
  const lackOfRoom = await findLackOfRoom(context, organizationId);
  const invited = await inviteByEmail(context, organizationId, email, { role });
  if (isClientError(invited) && lackOfRoom !== undefined) throw new RunError(lackOfRoom);
  // Another check asserts the exact status.
  context.assertStatus("ORG-22", invited, "2XX");
  const isPending = staysPending || !context.offers("control-plane");
  if (!isPending)
    await context.control.call("acceptInvitation", {
      body: { organizationId, email, password: memberPassword },
    });
  const listed = findMember(await listMembers(context, organizationId), email);
  // The specification does not say whether pending members are listed.
  const member = listed ?? (isPending ? (invited.body as Member) : undefined);
  context.assert("ORG-19", member !== undefined, `${email} in the list`, "nobody");
  if (member === undefined) throw new Error("asserted above");
  return member;
}

/** Returns why an invitation may be refused: there may be no room for another member; a pending one need not be listed. */
async function findLackOfRoom(context: CheckContext, organizationId: string): Promise<string | undefined> {
  const { length } = await listMembers(context, organizationId);
  const { body } = await context.call("getOrganization", { path: { organizationId } });
  const most = getResourceLimit("members", body as Parameters<typeof getResourceLimit>[1]);
  return length + 1 < most
    ? undefined
    : `organization ${organizationId} has ${length} of ${most} members, so there may be no room for another`;
}

/** Finds the id that works for a member by setting its current role again; undefined if no id works. */
export async function findWorkingMemberId(
  context: CheckContext,
  organizationId: string,
  member: Member,
): Promise<string | undefined> {
  for (const memberId of listPossibleMemberIds(member)) {
    const response = await context.call("updateMember", {
      setUp: true,
      path: { organizationId, memberId },
      body: { role: member.role },
    });
    if (response.status < 400) return memberId;
  }
  return undefined;
}
