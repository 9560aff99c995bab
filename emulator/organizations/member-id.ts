import { createHash } from "node:crypto";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { MemberRow } from "../store/organizations.js";

/** A member's id in paths. */
export interface MemberId {
  readonly is: "user-id" | "email" | "own-id";
  readonly value: string;
}

/** A member's id (gaps `member-id` and `pending-member-id`); undefined for an invitation without one. */
export function getMemberId(member: MemberRow, profile: Profile): MemberId | undefined {
  const { userId, email } = member;
  const is = userId === null ? profile["pending-member-id"] : profile["member-id"];
  if (is === "none") return undefined;
  if (is === "email") return { is, value: email };
  return is === "user-id" && userId !== null
    ? { is, value: userId }
    : { is: "own-id", value: createMemberId(member) };
}

/** Whether responses include the deployment's own ids of members. */
export function hasMemberIds(profile: Profile): boolean {
  return profile["member-id"] === "own-id" || profile["pending-member-id"] === "own-id";
}

/** Returns an id that a member has from the invitation on. */
function createMemberId({ organizationId, email }: MemberRow): string {
  const hash = createHash("sha256").update(`${organizationId} ${email}`).digest("hex");
  return `member_${hash.slice(0, 16)}`;
}
