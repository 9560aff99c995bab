import type { Role } from "../../openapi/schemas/roles.js";
import type { ApiResponse, Caller, CallOptions } from "../client/client.js";
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

/** Finds the member with an email address, ignoring case. */
export function findMember(members: readonly Member[], email: string): Member | undefined {
  return members.find((member) => member.email.toLowerCase() === email.toLowerCase());
}

/** The password of a user who has accepted an invitation of {@link MemberClient.add}. */
export const memberPassword = "certify-password";

/** Calls the operations on the members of one organization. */
export class MemberClient {
  constructor(
    private readonly context: CheckContext,
    readonly organizationId: string,
  ) {}

  async list(): Promise<readonly Member[]> {
    const { organizationId } = this;
    const response = await this.context.assertSuccess("ORG-19", "listMembers", { path: { organizationId } });
    return response.body.members as Member[];
  }

  /** Finds the member with an email address in the list. */
  async find(email: string): Promise<Member | undefined> {
    return findMember(await this.list(), email);
  }

  /** Invites a user who does not exist. */
  invite(email: string, rest: object = {}, as?: Caller): Promise<ApiResponse> {
    const path = { organizationId: this.organizationId };
    return this.context.call("inviteMember", { path, body: { email, ...rest }, as });
  }

  setRole(member: ListedMember, role: string | undefined, options?: CallOptions): Promise<ApiResponse> {
    return this.callWithPossibleIds("updateMember", member, { ...options, body: { role } });
  }

  remove(member: ListedMember, options?: CallOptions): Promise<ApiResponse> {
    return this.callWithPossibleIds("removeMember", member, options);
  }

  /**
   * Creates a member: an active member if invitations can be accepted, otherwise a pending member.
   *
   * @param staysPending whether nobody accepts the invitation
   * @returns the member from the list or, if it is not listed, from the response to the invitation
   */
  async add({
    role = "member",
    staysPending = false,
  }: { readonly role?: Role; readonly staysPending?: boolean } = {}): Promise<Member> {
    const { context, organizationId } = this;
    const email = context.resources.createInviteAddress();
    const lackOfRoom = await this.findLackOfRoom();
    const invited = await this.invite(email, { role });
    if (isClientError(invited) && lackOfRoom !== undefined) throw new RunError(lackOfRoom);
    // Another check asserts the exact status.
    context.assertStatus("ORG-22", invited, "2XX");
    const isPending = staysPending || !context.offers("control-plane");
    if (!isPending)
      await context.control.call("acceptInvitation", {
        body: { organizationId, email, password: memberPassword },
      });
    // The specification does not say whether pending members are listed.
    const member = (await this.find(email)) ?? (isPending ? (invited.body as Member) : undefined);
    context.assert("ORG-19", member !== undefined, `${email} in the list`, "nobody");
    if (member === undefined) throw new Error("asserted above");
    return member;
  }

  /** Finds the id that works for a member by setting its current role again; undefined if no id works. */
  async findWorkingId(member: Member): Promise<string | undefined> {
    for (const memberId of listPossibleMemberIds(member)) {
      const response = await this.context.call("updateMember", {
        setUp: true,
        path: { organizationId: this.organizationId, memberId },
        body: { role: member.role },
      });
      if (response.status < 400) return memberId;
    }
    return undefined;
  }

  /** Sends a request about a member with each possible id of the member until one is accepted. */
  private async callWithPossibleIds(
    operation: "updateMember" | "removeMember",
    member: ListedMember,
    options?: CallOptions,
  ): Promise<ApiResponse> {
    let response: ApiResponse | undefined;
    for (const memberId of listPossibleMemberIds(member)) {
      const path = { organizationId: this.organizationId, memberId };
      response = await this.context.call(operation, { ...options, path });
      if (response.status < 400) return response;
    }
    if (response === undefined) throw new Error("a member has an id");
    return response;
  }

  /** Returns why an invitation may be refused: there may be no room for another member; a pending one need not be listed. */
  private async findLackOfRoom(): Promise<string | undefined> {
    const { organizationId } = this;
    const { length } = await this.list();
    const { body } = await this.context.call("getOrganization", { path: { organizationId } });
    const most = getResourceLimit("members", body as Parameters<typeof getResourceLimit>[1]);
    return length + 1 < most
      ? undefined
      : `organization ${organizationId} has ${length} of ${most} members, so there may be no room for another`;
  }
}
