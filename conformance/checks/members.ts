import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import type { components } from "../../openapi/generated/service-types.js";
import { type Role, roles } from "../../openapi/schemas/roles.js";
import { unknownWordArbitrary } from "../generators/unknown-word.js";
import { defineChecksWithSubject, type SubjectCheck } from "../check/check.js";
import type { CheckContext } from "../check/context.js";
import type { Caller } from "../client/client.js";
import { getResourceLimit } from "../models/get-resource-limit.js";
import { isClientError } from "../client/is-client-error.js";
import { isSuccess } from "../client/is-success.js";
import { RunError } from "../client/violation.js";
import { pendingMemberIdAdvice } from "../resources/resources.js";
import { startOwnerSession } from "../steps/create-new-user.js";
import { findMember, type Member, MemberClient, memberPassword } from "../steps/member-client.js";
import { readUntil } from "../steps/read-until.js";
import { assertCurrentTime } from "../steps/timestamps.js";

/** Ends a check that can create only pending members, because no listed id works for them. */
function endWithoutMemberId(): never {
  const reason =
    "no known kind of `{memberId}` works for pending members, so invitations can be neither changed nor revoked";
  throw new RunError(`${reason}; ${pendingMemberIdAdvice}`);
}

/** Sets a different role of a member, and asserts that the response and the list show it. */
async function assertRoleChange(
  context: CheckContext,
  members: MemberClient,
  member: Member,
  role: Role,
  as?: Caller,
): Promise<void> {
  const response = await members.setRole(member, role, { as });
  context.assertStatus("ORG-27", response, 200);
  context.assertEqual("ORG-27", response.body.role, role, "the role in the response");
  // The specification does not say when a read shows what another caller has just written.
  const isDone = (listed?: Member) => as === undefined || listed === undefined || listed.role === role;
  const listed = await readUntil(context, () => members.find(member.email), isDone);
  // The list need not show pending members.
  if (listed === undefined && member.status === "pending") return;
  context.assertEqual("ORG-27", listed?.role, role, "the role in the list");
}

/** Sets other roles of a pending member until one is accepted; undefined if none is, because the role may be fixed. */
async function findAcceptedRole(
  members: MemberClient,
  pending: Member,
): Promise<{ readonly role: Role; readonly updated: Partial<Member> } | undefined> {
  for (const role of roles.toReversed().filter((other) => other !== pending.role)) {
    const response = await members.setRole(pending, role);
    if (response.status < 400) return { role, updated: (response.body ?? {}) as Partial<Member> };
  }
  return undefined;
}

/** Adds a member whose role can be changed; undefined if the run can invite nobody or the roles of pending members are fixed. */
async function inviteChangeableMember(
  context: CheckContext,
  members: MemberClient,
): Promise<Member | undefined> {
  if (!context.offers("invitations")) return undefined;
  const member = await members.add();
  if (member.status !== "pending") return member;
  const accepted = await findAcceptedRole(members, member);
  return accepted && { ...member, role: accepted.role };
}

/**
 * Returns one of the target's users, whose role the check may change, because the run restores it when the check ends.
 *
 * @throws NotOfferedError when the target has no such user
 */
async function borrowUser(
  context: CheckContext,
  members: MemberClient,
  name = (["readonly", "member"] as const).find((user) => context.offers(user)),
): Promise<Member> {
  if (name === undefined)
    context.notOffered("the run has no member whose role can be changed, and no user `readonly` or `member`");
  if (context.isShard)
    context.notOffered("a shard does not change users' roles, because other shards use the same users");
  const { email } = await context.actors.getLogin(name);
  const member = await members.find(email);
  if (member?.role !== name)
    throw new RunError(
      `${email} is not listed as a member of the owner's organization with the role ${name}`,
    );
  context.resources.recordRole(members.organizationId, member.email, name);
  return member;
}

/** Defines checks on the members of the owner's organization. */
const defineMemberChecks = defineChecksWithSubject(
  ["owner"],
  async (context) => new MemberClient(context, await context.actors.getOrganizationId("owner")),
);

/** Checks of the members of an organization (parts 2, 3, 4.6 and 8). */
export const memberChecks = defineMemberChecks(
  {
    id: "members/list",
    title: "Every member can list all members with their roles and statuses",
    clauses: ["ORG-09", "ORG-19", "ORG-20", "ORG-21", "ORG-35"],
    run: async (members, context) => {
      const { organizationId } = members;
      const { userId, email } = await context.actors.getSession("owner");
      const listed = await members.list();
      const own = listed.filter((member) => member.userId === userId);
      context.assertEqual("ORG-19", own.length, 1, `entries for ${email}`);
      for (const member of listed.filter(({ status }) => status === "active"))
        for (const field of ["userId", "name"] as const)
          context.assert("ORG-35", typeof member[field] === "string", `${field} of an active member`, member);
      context.assertEqual("ORG-21", own[0]?.status, "active", "the status of a member who has logged in");
      const offered = roles.filter((role) => context.offers(role));
      // A deployment may add members when they log in.
      for (const name of offered) await context.actor(name);
      for (const name of offered) {
        const as = await context.actor(name);
        const response = await context.assertSuccess("ORG-20", "listMembers", {
          as,
          path: { organizationId },
        });
        for (const role of offered) {
          const { email } = await context.actors.getLogin(role);
          const member = findMember(response.body.members as Member[], email);
          context.assertEqual("ORG-19", member?.role, role, `the role of ${role} in the list for ${name}`);
        }
        const findOwn = async () => {
          const { body } = await context.assertSuccess("ORG-09", "listOrganizations", { as });
          const entries = body.organizations as readonly components["schemas"]["OrganizationMembership"][];
          return entries.find((entry) => entry.organizationId === organizationId);
        };
        const entry = await readUntil(context, findOwn, (found) => found?.role === name);
        context.assertEqual("ORG-09", entry?.role, name, `the role in the list of organizations of ${name}`);
      }
    },
  },
  {
    id: "members/invite",
    title: "An invitation creates a pending member with the given role",
    clauses: ["ORG-19", "ORG-22", "ORG-23", "ORG-24", "GEN-01"],
    needs: ["invitations"],
    run: async (members, context) => {
      await context.property(
        {
          role: fc.option(fc.constantFrom(...roles), { nil: undefined }),
          inviter: fc.constantFrom("owner", "admin"),
        },
        async ({ role, inviter }) => {
          const email = context.resources.createInviteAddress();
          // An owner may assign any role; the specification does not say which roles an admin may assign.
          const needsOwner = role === "owner" || role === "admin" || !context.offers("admin");
          const by = needsOwner ? "owner" : inviter;
          const { userId } = await context.actors.getSession(by);
          const rest = role === undefined ? {} : { role };
          const response = await members.invite(email, rest, await context.actor(by));
          context.assertStatus("ORG-22", response, 201);
          for (const [what, member] of [
            ["the response", response.body as Member],
            ["the list", await members.find(email)],
          ] as const) {
            // The specification does not say whether the list contains pending members.
            if (member === undefined) continue;
            const pending = { status: "pending", userId: null, name: null, joinedAt: null };
            context.assertFields("ORG-22", member, pending, what);
            // The deployment may convert addresses to lower case.
            const shownEmail = member.email.toLowerCase();
            context.assertEqual("ORG-22", shownEmail, email.toLowerCase(), `the email in ${what}`);
            const { invitedAt } = member;
            context.assert("ORG-23", typeof invitedAt === "string", `invitedAt in ${what}`, invitedAt);
            await assertCurrentTime(context, invitedAt, `invitedAt in ${what}`);
            context.assertEqual("ORG-23", member.invitedBy, userId, `invitedBy in ${what}`);
            const clause = role === undefined ? "ORG-24" : "ORG-22";
            context.assertEqual(clause, member.role, role ?? "member", `the role in ${what}`);
          }
          await members.remove(response.body as Member);
        },
        {
          share: 0.5,
          examples: [
            { role: undefined, inviter: "owner" },
            { role: "owner", inviter: "owner" },
            { role: "admin", inviter: "owner" },
            { role: "readonly", inviter: "admin" },
          ],
        },
      );
    },
  },
  {
    id: "members/refused-invitations",
    title: "An invitation without an email address or with an unknown role is rejected",
    clauses: ["ORG-25"],
    needs: ["invitations"],
    run: async (members, context) => {
      const path = { organizationId: members.organizationId };
      const refused = new Set<unknown>();
      const refuse = async (body: { readonly email?: string; readonly role?: string }, because: string) => {
        refused.add(body.email?.toLowerCase());
        await context.assertRefusal("ORG-25", "inviteMember", { path, body }, because);
      };
      for (const body of [{}, { role: "member" }]) await refuse(body, "the email is missing");
      await context.property(
        { role: unknownWordArbitrary(roles) },
        ({ role }) =>
          refuse({ email: context.resources.createInviteAddress(), role }, `${role} is not a role`),
        { share: 0.5, examples: [{ role: "superuser" }, { role: "owners" }] },
      );
      // Other checks may change the number of members.
      const invited = (await members.list()).filter(({ email }) =>
        // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- a deployment may omit the field
        refused.has(email?.toLowerCase()),
      );
      context.assertEqual("ORG-25", invited, [], "members invited by refused requests");
    },
  },
  {
    id: "members/change-one-role",
    title: "The role of at least one member can be changed",
    clauses: ["ORG-27"],
    // The role may be that of a user with whom other checks work.
    alone: true,
    run: async (members, context) => {
      const invited = await inviteChangeableMember(context, members);
      const changeRole = async (member: Member) => {
        const role = member.role === "readonly" ? "member" : "readonly";
        await assertRoleChange(context, members, member, role);
        const as = await startOwnerSession(context, "owner in another session");
        await assertRoleChange(context, members, member, member.role, as);
      };
      if (invited !== undefined) await changeRole(invited);
      // A deployment may store pending and active members in different places.
      const canBorrow = !context.isShard && (context.offers("readonly") || context.offers("member"));
      if (invited === undefined || (invited.status === "pending" && canBorrow))
        await changeRole(await borrowUser(context, members));
    },
  },
  ...(["member", "readonly"] as const).map((name): SubjectCheck<MemberClient> => ({
    id: `members/${name}-promotes-self`,
    title: `A user with the role ${name} cannot become an admin by changing their own role`,
    clauses: ["ORG-26"],
    needs: [name],
    // A faulty deployment changes the role of a user with whom other checks work.
    alone: true,
    run: async (members, context) => {
      const member = await borrowUser(context, members, name);
      const options = { as: await context.actor(name), intent: "invalid" } as const;
      const response = await members.setRole(member, "admin", options);
      context.assertRefused("ORG-26", response, `${name} cannot manage members`);
      const { role } = (await members.find(member.email)) ?? {};
      context.assertEqual("ORG-26", role, name, "the role after the refusal");
    },
  })),
  {
    id: "members/change-role",
    title: "A member has the role that was set last",
    clauses: ["ORG-27", "ORG-28", "ORG-31"],
    needs: ["invitations"],
    after: ["members/change-one-role"],
    run: async (members, context) => {
      const member = await members.add();
      const { email } = member;
      // No id may work for a pending member. If one does, the clause applies to the member.
      const pending = await members.add({ staysPending: true });
      const accepted = await findAcceptedRole(members, pending);
      if (accepted !== undefined) {
        const { role = accepted.role } = (await members.find(pending.email)) ?? {};
        context.assertEqual("ORG-27", role, accepted.role, "the role of the pending member in the list");
        const { status, invitedAt, invitedBy } = accepted.updated;
        const isInvited = typeof invitedAt === "string" && typeof invitedBy === "string";
        const what = "the pending member, with invitedAt and invitedBy";
        context.assert("ORG-27", status !== "pending" || isInvited, what, accepted.updated);
      } else if (member.status === "pending") {
        context.notOffered(
          "the roles of pending members cannot be changed, and the run has no other members",
        );
      }
      let { role: current } = member;
      await context.property(
        { sequence: fc.array(fc.constantFrom(...roles), { minLength: 1, maxLength: 4 }) },
        async ({ sequence }) => {
          for (const role of sequence) {
            const clause = role === "owner" ? "ORG-31" : "ORG-27";
            const response = await members.setRole(member, role);
            // The specification does not say that a role can be set again.
            if (role === current && isClientError(response)) continue;
            context.assertStatus(clause, response, 200);
            current = role;
            context.assertEqual("ORG-27", response.body.role, role, "the role in the response");
            const shownEmail = (response.body as Member).email.toLowerCase();
            context.assertEqual("ORG-27", shownEmail, email.toLowerCase(), "the email in the response");
            const listed = await members.find(email);
            if (listed === undefined && member.status === "pending") continue;
            context.assertEqual(clause, listed?.role, role, "the role in the list");
          }
        },
        { share: 0.5, examples: [{ sequence: allRoleChanges }] },
      );
      const before = await members.find(email);
      for (const role of [undefined, "superuser", "admins"]) {
        const response = await members.setRole(member, role, { intent: "invalid" });
        context.assertRefused("ORG-28", response, "the role is missing or unknown");
      }
      const after = await members.find(email);
      context.assertEqual("ORG-28", after?.role, before?.role, "the role after the refusals");
      for (const each of [member, pending]) await members.remove(each);
    },
  },
  {
    id: "members/remove",
    title: "Removing a member removes only that member from the list",
    clauses: ["ORG-29"],
    needs: ["invitations"],
    run: async (members, context) => {
      const listEmails = async () => (await members.list()).map(({ email }) => email);
      const before = await listEmails();
      const pending = await members.add({ staysPending: true });
      const last = await members.add();
      const kept: string[] = [];
      const listed = new Set(await listEmails());
      for (const member of [pending, last]) {
        const response = await members.remove(member);
        // No id may work for a pending member.
        if (member.status === "pending" && response.status >= 400) {
          kept.push(member.email);
          continue;
        }
        context.assertStatus("ORG-29", response, 204);
        const others = member === pending ? [last.email] : kept;
        const expected = [...before, ...others.filter((email) => listed.has(email))].toSorted();
        const remaining = await readUntil(
          context,
          async () => (await listEmails()).toSorted(),
          (emails) => isDeepStrictEqual(emails, expected),
        );
        context.assertEqual("ORG-29", remaining, expected, "the remaining members");
      }
      if (kept.length === 2) endWithoutMemberId();
      const again = await members.remove(last, { intent: "may-be-refused" });
      context.assert("ORG-29", again.status < 500, "no server error", again.text);
    },
  },
  {
    id: "members/ceiling",
    title: "An organization can have as many active members as its plan and settings allow, but no more",
    clauses: ["ORG-34"],
    needs: ["create-organizations", "invitations", "control-plane"],
    run: async (_, context) => {
      const organizationId = await context.resources.createOrganization();
      const members = new MemberClient(context, organizationId);
      const path = { organizationId };
      // A few invitations reach these limits: first the limit in the settings, then the lower limit of the plan.
      for (const [plan, maxMembers] of [
        ["enterprise", 4],
        ["pro", 12],
      ] as const) {
        await context.control.call("changeOrganization", { path, body: { plan, settings: { maxMembers } } });
        const { body } = await context.call("getOrganization", { path });
        const ceiling = getResourceLimit("members", body);
        const listActive = async () => (await members.list()).filter(({ status }) => status === "active");
        const assertJoining = async (expected: boolean, what: string) => {
          const hasJoined = await tryJoin(context, organizationId);
          context.assertEqual("ORG-34", hasJoined, expected, `whether ${what}`);
        };
        // The specification does not say whether pending members count.
        while ((await listActive()).length < ceiling)
          await assertJoining(true, "there is room for another member");
        await assertJoining(false, `a member beyond ${ceiling} can join`);
        const active = await listActive();
        context.assertEqual("ORG-34", active.length, ceiling, "active members after the refusal");
        const leaving = active.find(({ role }) => role === "member");
        if (leaving !== undefined) await members.remove(leaving);
        await assertJoining(true, "a member can join after another one left");
      }
      await context.call("deleteOrganization", { path });
    },
  },
);

/** A sequence of roles that contains every change from one role to another. */
const allRoleChanges: Role[] = roles.flatMap((from) => roles.flatMap((to) => [from, to]));

/** Invites a user, who accepts; returns whether the user is then a member. The deployment may refuse either step. */
async function tryJoin(context: CheckContext, organizationId: string): Promise<boolean> {
  const email = context.resources.createInviteAddress();
  const path = { organizationId };
  // With this intent, the client returns a 429 that persists: it may report the limit instead of throttling.
  const invited = await context.call("inviteMember", { path, body: { email }, intent: "may-be-refused" });
  if (!isSuccess(invited)) return false;
  try {
    const body = { organizationId, email, password: memberPassword };
    await context.control.call("acceptInvitation", { body });
    return true;
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    return false;
  }
}
