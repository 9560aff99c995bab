import fc from "fast-check";
import type { ClauseId } from "../../../openapi/clauses/register.js";
import type { components } from "../../../openapi/generated/service-types.js";
import { type Role, roles } from "../../../openapi/schemas/roles.js";
import { defineChecks } from "../../check/check.js";
import type { Caller } from "../../client/client.js";
import { isSuccess } from "../../client/is-success.js";
import type { CheckContext } from "../../check/context.js";
import { listPossibleMemberIds } from "../../resources/member-ids.js";
import { createDedicatedOrganization } from "../../steps/create-new-user.js";
import type { OperationCall } from "../../steps/data-calls.js";
import { type Member, MemberClient, memberPassword } from "../../steps/member-client.js";
import type { Login, Session } from "../../target/actors.js";
import { getRoleExpectation } from "../access/access.js";

/** Checks of sequences of changes to organizations and their members. */
export const organizationSequenceChecks = defineChecks({
  id: "sequences/role-changed",
  title:
    "A member has exactly the rights of the role that was set last and, after leaving or removal, no rights",
  clauses: [
    ...(["AUTH-26", "GEN-05", "ORG-11", "ORG-14", "ORG-15", "ORG-16", "ORG-17", "ORG-18"] as const),
    ...(["ORG-20", "ORG-22", "ORG-26", "ORG-27", "ORG-29", "ORG-30", "ORG-32", "ORG-33"] as const),
  ],
  needs: ["owner", "create-organizations", "control-plane"],
  run: async (context) => {
    const { actors, control, resources } = context;
    const { organizationId, as: asOwner } = await createDedicatedOrganization(context);
    const path = { organizationId };
    const members = new MemberClient(context, organizationId);
    await control.call("changeOrganization", { path, body: { plan: "enterprise" } });
    const pending = await members.add({ staysPending: true });
    // A user can be a member of several organizations.
    const other = await actors.getOrganizationId("owner");
    const invitation = { path: { organizationId: other }, body: { email: pending.email } };
    const invited = (await context.assertSuccess("ORG-22", "inviteMember", invitation, 201)).body as Member;
    await new MemberClient(context, other).remove(invited);
    const { databaseId } = await resources.createDatabase({ as: asOwner });
    const item = { databaseId, pk: resources.createName() };
    const getOwner = async () =>
      (await context.call("getOrganization", { path })).body.ownerUserId as unknown;
    const owner = await getOwner();
    await context.property(
      { sequence: fc.array(fc.constantFrom(...roles), { minLength: 1, maxLength: 3 }), leaves: fc.boolean() },
      async ({ sequence, leaves }) => {
        const member = await members.add();
        const login = { email: member.email, password: memberPassword };
        const begin = async (to: Login, name: string) =>
          actors.createCaller(await actors.startSession(to, name), to, name);
        const inOther = await begin(login, "changing");
        const before = await listRoles(context, inOther);
        const ownLogin = { ...login, organizationId };
        const old = await begin(ownLogin, "changing, old token");
        // Whether access tokens give access to data is open, but not whether readonly users may write.
        const listOwnedCalls = (): readonly OperationCall[] => [
          ["putItem", { path: item, body: { pk: item.pk, data: { by: member.email } } }],
          ["createDatabase", { body: { name: resources.createName(), region: resources.region } }],
        ];
        let session: Session | undefined;
        for (const role of sequence) {
          context.assertStatus("ORG-27", await members.setRole(member, role), 200);
          session = await actors.startSession(ownLogin, "changing");
          const fresh = actors.createCaller(session, ownLogin, `changing, now ${role}`);
          // An old token may contain the old role, but for the organization itself, the list of members counts.
          for (const as of [old, fresh]) {
            const expected = { ...before, [organizationId]: role };
            context.assertEqual("ORG-27", await listRoles(context, as), expected, "the roles of the member");
            const calls = [...listCalls(context, organizationId), ...(as === fresh ? listOwnedCalls() : [])];
            await assertRights(context, as, role, calls);
            if (role === "member" || role === "readonly")
              await assertCannotManageMembers(context, as, role, { organizationId, member, pending });
          }
          context.assertEqual("ORG-14", await getOwner(), owner, "the ownerUserId after an update");
        }
        const removed = await members.remove(member, leaves ? { as: old } : {});
        context.assertStatus(leaves ? "ORG-30" : "ORG-29", removed, 204);
        const left = await members.find(member.email);
        context.assertEqual("ORG-29", left, undefined, "the entry of the former member");
        const others = Object.keys(before).filter((id) => id !== organizationId);
        const after = await listRoles(context, inOther);
        context.assertFields("ORG-29", after, before, "the list of organizations", others);
        const former = { name: "removed", credential: session?.accessToken ?? "" };
        await assertHasNoRights(context, [old, former, inOther], organizationId);
        await assertCannotReadAfterRefresh(context, session?.refreshToken, item);
        await control.call("deleteUser", { path: { userId: member.userId ?? "" } });
      },
      {
        share: 0.3,
        examples: [
          { sequence: ["readonly", "admin"], leaves: true },
          { sequence: ["admin", "readonly"], leaves: true },
          { sequence: ["owner", "member"], leaves: true },
          { sequence: ["owner"], leaves: false },
        ],
      },
    );
    // A deployment may refuse to delete a database with items, and an organization with a database.
    await context.call("deleteItem", { as: asOwner, setUp: true, path: item });
    await removeDatabase(context, "DB-12", databaseId, asOwner);
    // This comes last, because an organization that is wrongly deleted is gone.
    const last = await members.add();
    const login = { email: last.email, password: memberPassword, organizationId };
    const as = await actors.logIn(login, "last member");
    for (const role of ["admin", "readonly", "member"] as const) {
      context.assertStatus("ORG-27", await members.setRole(last, role), 200);
      await context.assertRefusal("ORG-17", "deleteOrganization", { as, path }, `${role} is not the owner`);
    }
    await context.assertSuccess("ORG-16", "deleteOrganization", { path }, 204);
  },
});

/** Asserts that a caller can do exactly what a role allows. */
async function assertRights(
  context: CheckContext,
  as: Caller,
  role: Role,
  calls: readonly OperationCall[],
): Promise<void> {
  for (const [operationId, call] of calls) {
    const { expected, clause } = getRoleExpectation(role, operationId);
    if (expected === "refused") {
      await context.assertRefusal(clause, operationId, { ...call, as }, `the role is now ${role}`);
      continue;
    }
    const response = await context.call(operationId, { ...call, as });
    if (expected === "allowed") context.assertStatus(clause, response, "2XX");
    if (operationId === "createDatabase")
      await removeDatabase(context, clause, (response.body as { databaseId: string }).databaseId, as);
  }
}

/** Asserts that a member can neither change the own role nor remove another member. */
async function assertCannotManageMembers(
  context: CheckContext,
  as: Caller,
  role: Role,
  of: { readonly organizationId: string; readonly member: Member; readonly pending: Member },
): Promise<void> {
  const because = `${role} cannot manage members`;
  const getPath = (member: Member) => ({
    organizationId: of.organizationId,
    memberId: listPossibleMemberIds(member)[0] ?? "",
  });
  for (const newRole of roles) {
    const call = { as, path: getPath(of.member), body: { role: newRole } };
    await context.assertRefusal("ORG-26", "updateMember", call, because);
  }
  await context.assertRefusal("ORG-26", "removeMember", { as, path: getPath(of.pending) }, because);
}

const noLongerMember = "the user is no longer a member";

/** Asserts that an organization refuses everything to a former member. */
async function assertHasNoRights(
  context: CheckContext,
  callers: readonly Caller[],
  organizationId: string,
): Promise<void> {
  const calls: readonly OperationCall[] = [
    ...listCalls(context, organizationId),
    ["switchOrganization", { body: { organizationId } }],
  ];
  for (const as of callers)
    for (const [operationId, call] of calls)
      await context.assertRefusal("ORG-18", operationId, { ...call, as }, noLongerMember);
}

/** Asserts that the refresh token of a former member gives no access to the data of the organization. */
async function assertCannotReadAfterRefresh(
  context: CheckContext,
  refreshToken: string | undefined,
  item: { readonly databaseId: string; readonly pk: string },
): Promise<void> {
  const call = { body: { refreshToken }, intent: "may-be-refused" } as const;
  const refreshed = await context.call("refreshSession", call);
  if (isSuccess(refreshed)) {
    const { accessToken } = context.actors.registerTokens(refreshed.body as Session, "refreshed");
    const as = { name: "refreshed after the removal", credential: accessToken };
    await context.assertRefusal("GEN-05", "getItem", { as, path: item }, noLongerMember);
  } else context.assertRefused("GEN-05", refreshed, noLongerMember);
}

async function removeDatabase(
  context: CheckContext,
  clause: ClauseId,
  databaseId: string,
  as: Caller,
): Promise<void> {
  const { resources } = context;
  await resources.waitUntilReady(databaseId, { as });
  await context.assertSuccess(clause, "deleteDatabase", { as, path: { databaseId } }, 204);
  await resources.waitUntilGone(databaseId, { as });
  resources.recordRemoval("database", databaseId);
}

/** Requests about an organization that its members may send, some of them only with some roles. */
function listCalls({ resources }: CheckContext, organizationId: string): readonly OperationCall[] {
  const path = { organizationId };
  return [
    ["getOrganization", { path }],
    ["listMembers", { path }],
    ["updateOrganization", { path, body: { name: resources.createPlainName() } }],
    ["inviteMember", { path, body: { email: resources.createInviteAddress() } }],
  ];
}

/** Returns a user's role in each of the user's organizations. */
async function listRoles(context: CheckContext, as: Caller): Promise<Readonly<Record<string, Role>>> {
  const { body } = await context.call("listOrganizations", { as });
  const entries = body.organizations as readonly components["schemas"]["OrganizationMembership"][];
  return Object.fromEntries(entries.map((entry) => [entry.organizationId, entry.role]));
}
