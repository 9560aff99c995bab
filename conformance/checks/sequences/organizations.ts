import fc from "fast-check";
import { type Role, roles } from "../../../openapi/schemas/roles.js";
import { defineChecks } from "../../check/check.js";
import type { ClauseId } from "../../../openapi/clauses/register.js";
import type { OperationId } from "../../../openapi/operations/register.js";
import type { ApiResponse, CallOptions, Caller } from "../../client/client.js";
import { isSuccess } from "../../client/is-success.js";
import type { CheckContext } from "../../check/context.js";
import { databaseList, readPages } from "../../steps/pages.js";
import { assertOrganizationDeleted } from "../../steps/deleted-organization.js";
import { assertNotAtOrganizationLimit } from "../../steps/room-for-organizations.js";
import { findMember, listMembers, callMemberOperation } from "../../steps/member-calls.js";
import type { Session } from "../../target/actors.js";

const password = "certify-password";

/** Returns a caller with a token for an organization. */
async function switched(context: CheckContext, organizationId: string): Promise<Caller> {
  const call = { body: { organizationId } };
  const answer = await context.assertSuccess("AUTH-12", "switchOrganization", call, "2XX");
  const session = context.actors.keep(answer.body as Session, "switched");
  const login = { ...(await context.actors.login("owner")), organizationId };
  return context.actors.bearing(session, login, `token for ${organizationId}`);
}

/** Lists the databases of an organization; databases that are being deleted may be listed for a while. */
async function databasesOf(context: CheckContext, as: Caller): Promise<readonly string[]> {
  const { entries } = await readPages(context, { ...databaseList, as });
  const staying = entries.filter(({ status }: { readonly status: string }) => status !== "Deleting");
  return staying.map(({ databaseId }: { readonly databaseId: string }) => databaseId).toSorted();
}

/** Creates a database with an item in an organization of this run. */
async function databaseWith(context: CheckContext, as: Caller, n: number): Promise<Place> {
  const { databaseId, name } = await context.resources.newDatabase({ as });
  const pk = context.resources.name();
  const call = { as, path: { databaseId, pk }, body: { pk, data: { n } } };
  await context.assertSuccess("AUTH-13", "putItem", call);
  return { databaseId, name, pk, as };
}

interface Place {
  readonly databaseId: string;
  readonly name: string;
  readonly pk: string;
  readonly as: Caller;
}

async function dropDatabase(context: CheckContext, { databaseId, pk }: Place, as: Caller): Promise<void> {
  const path = { databaseId };
  // one with something in it need not be deletable
  await context.call("deleteItem", { as, setUp: true, path: { ...path, pk } });
  await context.assertSuccess("AUTH-13", "deleteDatabase", { as, path }, 204);
  await context.resources.untilGone(databaseId, { as });
  context.resources.removed("database", databaseId);
}

/** Checks of sequences of changes to organizations and their members. */
export const organizationSequenceChecks = defineChecks(
  {
    id: "sequences/organization-again",
    title:
      "A new organization that takes another organization's former name is independent of that organization",
    clauses: ["ORG-05", "ORG-14", "ORG-16", "DB-09", "GEN-05"],
    needs: ["owner", "create-organizations", "create-databases"],
    run: async (context: CheckContext) => {
      await context.needTokensForData();
      const { resources } = context;
      const name = resources.letters();
      const make = (slug?: string) =>
        context.call("createOrganization", { body: { name, ...(slug === undefined ? {} : { slug }) } });
      const made = await make();
      assertNotAtOrganizationLimit(made);
      const first = context.assertStatus("ORG-05", made, 201).body;
      const path = { organizationId: first.organizationId as string };
      const asFirst = await switched(context, path.organizationId);
      const place = await databaseWith(context, asFirst, 1);
      const other = resources.letters();
      await context.assertSuccess("ORG-14", "updateOrganization", { path, body: { name: other } });
      // a deployment may keep back what the slug of the old name is
      const again = await make();
      if (again.status === 201) {
        const second = again.body.organizationId as string;
        context.assert("ORG-05", second !== path.organizationId, "a new organization", again.body);
        const asSecond = await switched(context, second);
        await assertEmpty(context, second, asSecond, place);
        const renamed = await context.call("getOrganization", { path });
        context.assertEqual("ORG-14", renamed.body?.name, other, "the new name of the first organization");
        const seconds = await context.call("getOrganization", { path: { organizationId: second } });
        context.assertEqual("ORG-14", seconds.body?.name, name, "the name of the second organization");
        const ids = await databasesOf(context, asFirst);
        context.assertEqual("DB-09", ids, [place.databaseId], "the databases in the first organization");
        await context.call("deleteOrganization", { setUp: true, path: { organizationId: second } });
        resources.removed("organization", second);
        // what has the same name goes on
        await context.assertSuccess("ORG-16", "getOrganization", { path });
      }
      await dropDatabase(context, place, asFirst);
      const left = await databaseWith(context, asFirst, 2);
      const deleted = await context.call("deleteOrganization", { path });
      // whether an organization that still has databases can be deleted is open
      if (deleted.status !== 204) {
        await dropDatabase(context, left, asFirst);
        await context.assertSuccess("ORG-16", "deleteOrganization", { path }, 204);
      }
      resources.removed("organization", path.organizationId);
      resources.removed("database", left.databaseId);
      await assertOrganizationDeleted(context, path.organizationId);
      const third = await make(first.slug as string);
      if (third.status !== 201) return;
      const thirdId = third.body.organizationId as string;
      await assertEmpty(context, thirdId, await switched(context, thirdId), left);
    },
  },
  {
    id: "sequences/role-changed",
    title:
      "After a role change, a member has the rights of the new role; after removal, a member has no rights",
    clauses: ["AUTH-13", "AUTH-26", "ORG-15", "ORG-18", "ORG-26", "ORG-27", "ORG-32", "ORG-33", "GEN-05"],
    needs: ["owner", "create-organizations", "control-plane"],
    run: async (context: CheckContext) => {
      await context.needTokensForData();
      const organizationId = await context.resources.newOrganization();
      const path = { organizationId };
      await context.control.call("changeOrganization", { path, body: { plan: "enterprise" } });
      const asOwner = await switched(context, organizationId);
      const place = await databaseWith(context, asOwner, 0);
      await context.property(
        [fc.array(fc.constantFrom(...roles), { minLength: 1, maxLength: 3 })],
        async (sequence) => {
          const email = `${context.resources.name()}@certify.test`;
          const { userId } = await context.control.call("createUser", {
            body: { email, password, name: "Certify" },
          });
          await context.call("inviteMember", { path, setUp: true, body: { email, role: "member" } });
          await context.control.call("acceptInvitation", { body: { organizationId, email } });
          const [home, login] = [
            { email, password },
            { email, password, organizationId },
          ];
          const base = context.actors.bearing(await context.actors.begin(home, "changing"), home, "changing");
          let session = await context.actors.begin(login, "changing");
          const old = context.actors.bearing(session, login, "changing, old token");
          for (const role of sequence) {
            const member = findMember(await listMembers(context, organizationId), email) ?? { userId, email };
            const changed = await callMemberOperation(context, "updateMember", organizationId, member, {
              body: { role },
            });
            context.assertStatus("ORG-27", changed, 200);
            // on the organization itself the members are asked; a token that carries a role decides at most data
            await assertRights(context, organizationId, old, role);
            session = await context.actors.begin(login, "changing");
            const fresh = context.actors.bearing(session, login, `changing, now ${role}`);
            await assertRights(context, organizationId, fresh, role);
            await assertDataRights(context, place, fresh, role);
            await assertDatabaseRights(context, fresh, role);
          }
          const member = findMember(await listMembers(context, organizationId), email) ?? { userId, email };
          const removed = await callMemberOperation(context, "removeMember", organizationId, member);
          context.assertStatus("ORG-26", removed, 204);
          for (const as of [old, { name: "removed", credential: session.accessToken }, base])
            for (const [operation, call] of [
              ["getOrganization", { path }],
              ["listMembers", { path }],
              ["updateOrganization", { path, body: { name: "Stolen" } }],
              ["inviteMember", { path, body: { email: "intruder@certify.example" } }],
              ["switchOrganization", { body: { organizationId } }],
            ] as const)
              await context.assertRefusal("ORG-18", operation, { ...call, as }, "the member was removed");
          await assertNoWayBack(context, place, session);
          await context.control.call("deleteUser", { path: { userId } });
        },
        {
          names: ["sequence"],
          share: 0.3,
          examples: [[["readonly", "admin"]], [["admin", "readonly"]], [["owner", "member"]]],
        },
      );
      await dropDatabase(context, place, asOwner);
    },
  },
);

/** Asserts that the creator of an organization is its member, and that it contains nothing of another organization. */
async function assertEmpty(
  context: CheckContext,
  organizationId: string,
  as: Caller,
  { databaseId, pk }: Place,
): Promise<void> {
  context.assertEqual("DB-09", await databasesOf(context, as), [], "the databases in a new organization");
  const members = await context.call("listMembers", { as, path: { organizationId } });
  const count: unknown = members.body?.members?.length;
  context.assertEqual("ORG-05", count, 1, "the number of members in a new organization");
  const item = await context.call("getItem", { as, path: { databaseId, pk }, intent: "invalid" });
  context.assertRefused("GEN-05", item, "the item belongs to the other organization");
}

/** Asserts the rights of a role on the organization: to read it, to change it, to invite. */
async function assertRights(
  context: CheckContext,
  organizationId: string,
  as: Caller,
  role: Role,
): Promise<void> {
  const path = { organizationId };
  const manages = role === "owner" || role === "admin";
  const own = await context.call("listOrganizations", { as });
  const entry = (own.body?.organizations as { organizationId: string; role: Role }[]).find(
    (known) => known.organizationId === organizationId,
  );
  context.assertEqual("ORG-27", entry?.role, role, "the role in the member's list of organizations");
  const name = context.resources.letters();
  await assertMay(context, role, manages, "ORG-15", "updateOrganization", { as, path, body: { name } });
  if (!context.offers("invitations")) return;
  const email = context.resources.inviteAddress();
  await assertMay(context, role, manages, "ORG-26", "inviteMember", { as, path, body: { email } }, 201);
  const invited = manages ? findMember(await listMembers(context, organizationId), email) : undefined;
  if (invited !== undefined) await callMemberOperation(context, "removeMember", organizationId, invited);
}

/** Calls an operation, and asserts that it is executed if the role allows it, and refused otherwise. */
function assertMay(
  context: CheckContext,
  role: Role,
  isAllowed: boolean,
  clause: ClauseId,
  operationId: OperationId,
  call: Omit<CallOptions, "intent">,
  status = 200,
): Promise<ApiResponse> {
  return isAllowed
    ? context.assertSuccess(clause, operationId, call, status)
    : context.assertRefusal(clause, operationId, call, `the role is now ${role}`);
}

const clauseOfDatabases = {
  owner: "AUTH-13",
  admin: "ORG-32",
  member: "ORG-33",
  readonly: "AUTH-26",
} as const;

/** Asserts the rights of a role on databases, with a token issued after the change. */
async function assertDatabaseRights(context: CheckContext, as: Caller, role: Role): Promise<void> {
  const { resources } = context;
  const clause = clauseOfDatabases[role];
  const isAllowed = role !== "readonly";
  const body = { name: resources.name(), region: resources.region };
  const made = await assertMay(context, role, isAllowed, clause, "createDatabase", { as, body }, 201);
  if (!isAllowed) return;
  const databaseId = made.body.databaseId as string;
  await resources.untilReady(databaseId, { as });
  await context.assertSuccess(clause, "deleteDatabase", { as, path: { databaseId } }, 204);
  await resources.untilGone(databaseId, { as });
  resources.removed("database", databaseId);
}

/** Asserts the rights of a role on items, with a token issued after the change. */
async function assertDataRights(
  context: CheckContext,
  { databaseId, pk }: Place,
  as: Caller,
  role: Role,
): Promise<void> {
  const path = { databaseId, pk };
  const before = (await context.assertSuccess("AUTH-13", "getItem", { as, path })).body.data as { n: number };
  const data = { n: before.n + 1 };
  const isAllowed = role !== "readonly";
  const clause = isAllowed ? "AUTH-13" : "AUTH-26";
  await assertMay(context, role, isAllowed, clause, "putItem", { as, path, body: { pk, data } });
  const after = await context.call("getItem", { path, as });
  context.assertEqual(clause, after.body?.data, isAllowed ? data : before, "data");
}

/** Asserts that a removed member cannot obtain a new token with access to the data from an old session. */
async function assertNoWayBack(
  context: CheckContext,
  { databaseId, pk }: Place,
  { refreshToken }: Session,
): Promise<void> {
  const answer = await context.call("refreshSession", { body: { refreshToken } });
  const { accessToken } = (answer.body ?? {}) as { readonly accessToken?: string };
  if (isSuccess(answer) && accessToken !== undefined) {
    context.actors.keep(answer.body as Session, "refreshed");
    const as = { name: "refreshed after the removal", credential: accessToken };
    const item = await context.call("getItem", { as, path: { databaseId, pk }, intent: "invalid" });
    context.assertRefused("GEN-05", item, "the member was removed before the token was issued");
  } else context.assertRefused("GEN-05", answer, "the member was removed");
}
