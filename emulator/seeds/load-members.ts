import { defaultProfile } from "../../openapi/gaps/profile.js";
import type { JsonValue } from "../json/json-value.js";
import { storedEmail } from "../store/users.js";
import type { Attempts } from "./attempts.js";
import type { WholeOrganization } from "./whole-seed.js";
import type { SeedService } from "./seed-service.js";

/**
 * Has the founder invite all others, so that the service can refuse them, and writes down who accepted.
 *
 * @returns whether all are members
 */
export function loadMembers(
  service: SeedService,
  attempts: Attempts,
  { organizationId, founder, members, createdAt }: WholeOrganization,
): boolean {
  const by = { kind: "user", userId: founder, organizationId, role: "owner" } as const;
  const invited = members
    .filter(({ userId }) => userId !== founder)
    .map(({ pointer, email, role, invitedAt }) =>
      attempts.try(pointer, () => {
        const body = new Map<string, JsonValue>(Object.entries({ email, role }));
        service.call("inviteMember", { organizationId }, body, { by, at: invitedAt ?? createdAt });
      }),
    );
  const { organizations } = service.store;
  const founding = members.filter(({ userId }) => userId === founder);
  for (const { pointer, email } of founding.slice(1))
    attempts.mistakes.push({ pointer, detail: `${email} is a member already` });
  organizations.removeMembersOf(organizationId);
  const rows = new Map(members.map((member) => [storedEmail(member.email, defaultProfile), member]));
  for (const [email, { userId, role, joinedAt, invitedAt, invitedBy }] of rows) {
    const status = userId === null ? "pending" : "active";
    organizations.insertMember({
      organizationId,
      userId,
      email,
      role,
      status,
      joinedAt,
      invitedAt,
      invitedBy,
    });
  }
  return founding.length < 2 && invited.every((isMember) => isMember);
}
