import fc from "fast-check";
import { type Role, roles } from "../../../openapi/schemas/roles.js";
import { defineChecks } from "../../check/check.js";
import type { ClauseId } from "../../../openapi/clauses/register.js";
import type { OperationId } from "../../../openapi/operations/register.js";
import type { ApiResponse, CallOptions, Caller } from "../../client/client.js";
import { isSuccess } from "../../client/is-success.js";
import type { CheckContext } from "../../check/context.js";
import { createDedicatedOrganization, createNewUser } from "../../steps/create-new-user.js";
import { findMember, listMembers, callMemberOperation } from "../../steps/member-calls.js";
import type { Session } from "../../target/actors.js";

type ItemPath = Readonly<Record<"databaseId" | "pk", string>>;

/** Checks of sequences of changes to organizations and their members. */
export const organizationSequenceChecks = defineChecks({
  id: "sequences/role-changed",
  title:
    "After a role change, a member has the rights of the new role; after removal, a member has no rights",
  clauses: [
    "AUTH-13",
    "AUTH-26",
    "ORG-14",
    "ORG-15",
    "ORG-18",
    "ORG-26",
    "ORG-27",
    "ORG-32",
    "ORG-33",
    "GEN-05",
  ],
  needs: ["owner", "create-organizations", "control-plane"],
  run: async (context) => {
    await context.requireTokenAccessToData();
    const { organizationId, as: asOwner } = await createDedicatedOrganization(context);
    const path = { organizationId };
    await context.control.call("changeOrganization", { path, body: { plan: "enterprise" } });
    const { databaseId } = await context.resources.createDatabase({ as: asOwner });
    const item = { databaseId, pk: context.resources.createName() };
    const put = { as: asOwner, path: item, body: { pk: item.pk, data: { n: 0 } } };
    await context.assertSuccess("AUTH-13", "putItem", put);
    await context.property(
      [fc.array(fc.constantFrom(...roles), { minLength: 1, maxLength: 3 })],
      async (sequence) => {
        const { userId, login: ownLogin } = await createNewUser(context, "changing");
        const { email } = ownLogin;
        await context.call("inviteMember", { path, setUp: true, body: { email, role: "member" } });
        await context.control.call("acceptInvitation", { body: { organizationId, email } });
        const login = { ...ownLogin, organizationId };
        const ownSession = await context.actors.startSession(ownLogin, "changing");
        const asOwnOrganization = context.actors.createCaller(ownSession, ownLogin, "changing");
        let session = await context.actors.startSession(login, "changing");
        const old = context.actors.createCaller(session, login, "changing, old token");
        const listOtherRoles = async () => {
          const { body } = await context.call("listOrganizations", { as: asOwnOrganization });
          const entries = body.organizations as readonly { organizationId: string; role: Role }[];
          const others = entries.filter((entry) => entry.organizationId !== organizationId);
          return others.map((entry) => `${entry.role} of ${entry.organizationId}`).sort();
        };
        const otherRoles = await listOtherRoles();
        const callAboutMember = async (
          operation: "updateMember" | "removeMember",
          call: { body?: object },
        ) => {
          const member = findMember(await listMembers(context, organizationId), email) ?? { userId, email };
          return callMemberOperation(context, operation, organizationId, member, call);
        };
        for (const role of sequence) {
          context.assertStatus("ORG-27", await callAboutMember("updateMember", { body: { role } }), 200);
          // An old token may contain the old role, but for the organization itself, the list of members counts.
          await assertRights(context, organizationId, old, role);
          const what = "the roles in other organizations";
          context.assertEqual("ORG-27", await listOtherRoles(), otherRoles, what);
          session = await context.actors.startSession(login, "changing");
          const fresh = context.actors.createCaller(session, login, `changing, now ${role}`);
          await assertRights(context, organizationId, fresh, role);
          await assertDataRights(context, item, fresh, role);
          await assertDatabaseRights(context, fresh, role);
        }
        context.assertStatus("ORG-26", await callAboutMember("removeMember", {}), 204);
        for (const as of [old, { name: "removed", credential: session.accessToken }, asOwnOrganization])
          for (const [operation, call] of [
            ["getOrganization", { path }],
            ["listMembers", { path }],
            ["updateOrganization", { path, body: { name: "Stolen" } }],
            ["inviteMember", { path, body: { email: "intruder@certify.example" } }],
            ["switchOrganization", { body: { organizationId } }],
          ] as const)
            await context.assertRefusal("ORG-18", operation, { ...call, as }, "the member was removed");
        context.assertEqual("ORG-26", await listOtherRoles(), otherRoles, "the user's other organizations");
        await assertSessionRevoked(context, item, session);
        await context.control.call("deleteUser", { path: { userId } });
      },
      {
        names: ["sequence"],
        share: 0.3,
        examples: [[["readonly", "admin"]], [["admin", "readonly"]], [["owner", "member"]]],
      },
    );
    // A deployment may refuse to delete a database with items, and an organization with a database.
    await context.call("deleteItem", { as: asOwner, setUp: true, path: item });
    await context.call("deleteDatabase", { as: asOwner, setUp: true, path: { databaseId } });
    await context.resources.waitUntilGone(databaseId, { as: asOwner });
  },
});

/** Asserts the rights of a role in the organization: to read it, to change it and to invite members. */
async function assertRights(
  context: CheckContext,
  organizationId: string,
  as: Caller,
  role: Role,
): Promise<void> {
  const path = { organizationId };
  const manages = role === "owner" || role === "admin";
  const { body } = await context.call("listOrganizations", { as });
  const entry = (body?.organizations as { organizationId: string; role: Role }[]).find(
    (listed) => listed.organizationId === organizationId,
  );
  context.assertEqual("ORG-27", entry?.role, role, "the role in the member's list of organizations");
  const name = context.resources.createPlainName();
  const readOwner = async () =>
    (await context.call("getOrganization", { path })).body?.ownerUserId as unknown;
  const owner = await readOwner();
  await assertMay(context, role, manages, "ORG-15", "updateOrganization", { as, path, body: { name } });
  context.assertEqual("ORG-14", await readOwner(), owner, "the ownerUserId after an update");
  if (!context.offers("invitations")) return;
  const email = context.resources.createInviteAddress();
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

const databaseClauses = {
  owner: "AUTH-13",
  admin: "ORG-32",
  member: "ORG-33",
  readonly: "AUTH-26",
} as const;

/** Asserts the rights of a role on databases, with a token issued after the change. */
async function assertDatabaseRights(context: CheckContext, as: Caller, role: Role): Promise<void> {
  const { resources } = context;
  const clause = databaseClauses[role];
  const isAllowed = role !== "readonly";
  const body = { name: resources.createName(), region: resources.region };
  const created = await assertMay(context, role, isAllowed, clause, "createDatabase", { as, body }, 201);
  if (!isAllowed) return;
  const databaseId = created.body.databaseId as string;
  await resources.waitUntilReady(databaseId, { as });
  await context.assertSuccess(clause, "deleteDatabase", { as, path: { databaseId } }, 204);
  await resources.waitUntilGone(databaseId, { as });
  resources.recordRemoval("database", databaseId);
}

/** Asserts the rights of a role on items, with a token issued after the change. */
async function assertDataRights(
  context: CheckContext,
  path: ItemPath,
  as: Caller,
  role: Role,
): Promise<void> {
  const { body } = await context.assertSuccess("AUTH-13", "getItem", { as, path });
  const before = body.data as { n: number };
  const data = { n: before.n + 1 };
  const isAllowed = role !== "readonly";
  const clause = isAllowed ? "AUTH-13" : "AUTH-26";
  await assertMay(context, role, isAllowed, clause, "putItem", { as, path, body: { pk: path.pk, data } });
  const after = await context.call("getItem", { path, as });
  context.assertEqual(clause, after.body?.data, isAllowed ? data : before, "data");
}

/** Asserts that a removed member cannot use a refresh token to get a token with access to the data. */
async function assertSessionRevoked(
  context: CheckContext,
  path: ItemPath,
  { refreshToken }: Session,
): Promise<void> {
  const response = await context.call("refreshSession", { body: { refreshToken } });
  const { accessToken } = (response.body ?? {}) as { readonly accessToken?: string };
  if (isSuccess(response) && accessToken !== undefined) {
    context.actors.registerTokens(response.body as Session, "refreshed");
    const as = { name: "refreshed after the removal", credential: accessToken };
    const item = await context.call("getItem", { as, path, intent: "invalid" });
    context.assertRefused("GEN-05", item, "the member was removed before the token was issued");
  } else context.assertRefused("GEN-05", response, "the member was removed");
}
