import { isDeepStrictEqual } from "node:util";
import type { ClauseId } from "../../openapi/clauses/register.js";
import type { PlanType } from "../../openapi/clauses/limits.js";
import type { Role, Scope } from "../../openapi/schemas/roles.js";
import type { OperationId } from "../../openapi/operations/register.js";
import type { Requirement } from "../check/check.js";
import type { Answer, Call } from "../client/client.js";
import type { CheckContext } from "../check/context.js";
import type { Resource } from "../target/ledger.js";
import { RunError } from "../client/violation.js";
import { findMember, membersOf, newMember, workingId } from "../steps/member-calls.js";
import { readPages } from "../steps/pages.js";
import { entitiesOf } from "./entity-listing.js";
import { plansOf } from "../steps/plan-list.js";

/**
 * Who may do what. Written by hand from parts 4 and 5 of the specification; only the list of operations comes from the
 * contract, because a table made from the document would agree with the emulator by construction.
 */
export interface Row {
  /** Where the specification says it. */
  readonly cite: string;
  /** Whether it needs a credential at all. */
  readonly isPublic?: true;
  /** Roles whose JWT may; those that are neither here nor in `openRoles` may not. */
  readonly roles: readonly Role[];
  /** Roles about which the specification says nothing. */
  readonly openRoles?: readonly Role[];
  /** Scopes whose API key may; `none` where a JWT is required, `open` where the specification says nothing. */
  readonly scopes: readonly Scope[] | "none" | "open";
  /** The clause that a role breaks when it gets in and should not. */
  readonly roleClause: ClauseId;
  /** The clause that lets a role in; where one is named. */
  readonly grantClause?: ClauseId;
  /** What the success is, 200 without this; `2XX` where the specification names no status. */
  readonly success?: number | "2XX";
  /** A valid request, on things that are made for it where it would use them up; nothing where it cannot be made. */
  readonly call: (context: CheckContext) => Promise<Call | undefined>;
}

const everyone: readonly Role[] = ["owner", "admin", "member", "readonly"];
const writers: readonly Role[] = ["owner", "admin", "member"];

const noParameters: Row["call"] = () => Promise.resolve({});
const inDatabase = async (context: CheckContext, rest: Call = {}): Promise<Call> => ({
  ...rest,
  path: { databaseId: await context.resources.database(), ...rest.path },
});
const inRepository = async (context: CheckContext, rest: Call = {}): Promise<Call> => ({
  ...rest,
  path: { repositoryId: await context.resources.repository(), ...rest.path },
});
const inOrganization = async (context: CheckContext, rest: Call = {}): Promise<Call> => ({
  ...rest,
  path: { organizationId: await context.actors.organizationOf("owner"), ...rest.path },
});

/** A request about an item that is put for it, with a sort key or none. */
const onItem =
  (rest: { readonly sk?: string }) =>
  async (context: CheckContext): Promise<Call> => {
    const path = { pk: context.resources.name(), ...rest };
    await context.call(
      "putItem",
      await inDatabase(context, { setUp: true, path, body: { ...path, data: {} } }),
    );
    return inDatabase(context, { path });
  };

/** A request about an entity that is made for it. */
async function onEntity(context: CheckContext, rest: Call = {}): Promise<Call> {
  const call = await inRepository(context, { setUp: true, body: { data: { made: "for access" } } });
  const { body } = await context.call("createEntity", call);
  return inRepository(context, { ...rest, path: { entityId: body.id as string } });
}

/** A request about a member who is made for it; nothing where pending members go by no id, and all are pending. */
async function onNewMember(context: CheckContext, rest: Call = {}): Promise<Call | undefined> {
  const organizationId = await context.actors.organizationOf("owner");
  const member = await newMember(context, organizationId, { role: "readonly" });
  // what nobody shows nobody sees unchanged
  if (findMember(await membersOf(context, organizationId), member.email) === undefined) return undefined;
  const memberId = await workingId(context, organizationId, member);
  return memberId === undefined ? undefined : { ...rest, path: { organizationId, memberId } };
}

/** Rows of operations that everybody reads by and all but readonly write by. */
const dataRow =
  (cite: string, readers: Row["scopes"], writing: Row["scopes"]) =>
  (effect: "read" | "write", call: Row["call"], success = 200): Row => ({
    cite,
    roles: effect === "read" ? everyone : writers,
    scopes: effect === "read" ? readers : writing,
    roleClause: "AUTH-26",
    success,
    call,
  });

const itemRow = dataRow(
  "5: item operations require database:read or database:write; 4.6: readonly has view-only access",
  ["database:read", "database:*", "*"],
  ["database:write", "database:*", "*"],
);
const entityRow = dataRow(
  "5: repository:read reads entities, repository:write writes and deletes them; 4.6: readonly looks",
  ["repository:read", "repository:*", "*"],
  ["repository:write", "repository:*", "*"],
);
const managementRow = dataRow(
  "4.4, 4.5 and 5: a JWT; 4.6: owner, admin and member create and manage, readonly looks",
  "none",
  "none",
);

/** Part 4.6 names databases, API keys and members where it says what admin and member manage, and no repositories. */
const ofOpenRoles = (row: Row): Row => ({ ...row, roles: ["owner"], openRoles: ["admin", "member"] });

const organizationRow = (
  roles: readonly Role[],
  roleClause: ClauseId,
  call: Row["call"],
  success = 200,
): Row => ({
  cite: "4.6, column Who; 5: organizations require a JWT",
  roles,
  scopes: "none",
  roleClause,
  success,
  call,
});

/** The same where the clause that shuts others out is the one that lets these in. */
const grantingRow = (...[roles, clause, ...rest]: Parameters<typeof organizationRow>): Row => ({
  ...organizationRow(roles, clause, ...rest),
  grantClause: clause,
});

export const accessTable: Readonly<Record<OperationId, Row>> = {
  login: {
    ...publicRow("AUTH-01", "4.1: login takes no credential"),
    call: async (context) => {
      const { email, password } = await context.actors.login("owner");
      return { body: { email, password } };
    },
  },
  refreshSession: {
    ...publicRow("AUTH-09", "4.1: a refresh takes a refresh token and no credential"),
    success: "2XX",
    call: async (context) => {
      const { refreshToken } = await context.actors.begin(await context.actors.login("owner"), "fresh");
      return { body: { refreshToken } };
    },
  },
  switchOrganization: {
    cite: "4.1 and 5: organization switching requires a JWT",
    roles: everyone,
    scopes: "none",
    roleClause: "AUTH-13",
    success: "2XX",
    call: async (context) => ({ body: { organizationId: await context.actors.organizationOf("owner") } }),
  },
  putItem: itemRow("write", (context) => {
    const keys = { pk: context.resources.name(), sk: "access" };
    return inDatabase(context, { path: keys, body: { ...keys, data: {} } });
  }),
  getItem: itemRow("read", onItem({})),
  getItemWithSortKey: itemRow("read", onItem({ sk: "access" })),
  deleteItem: itemRow("write", onItem({}), 204),
  deleteItemWithSortKey: itemRow("write", onItem({ sk: "access" }), 204),
  queryItems: itemRow("read", (context) =>
    inDatabase(context, { body: { partitionKey: context.resources.name() } }),
  ),
  scanItems: itemRow("read", (context) => inDatabase(context, { body: { limit: 1 } })),
  batchWriteItems: itemRow("write", (context) =>
    inDatabase(context, { body: { items: [{ operation: "Put", pk: context.resources.name(), data: {} }] } }),
  ),
  batchGetItems: itemRow("read", (context) =>
    inDatabase(context, { body: { keys: [{ pk: context.resources.name() }] } }),
  ),
  transactGetItems: itemRow("read", (context) =>
    inDatabase(context, { body: { items: [{ pk: context.resources.name() }] } }),
  ),
  transactWriteItems: itemRow("write", (context) =>
    inDatabase(context, { body: { items: [{ action: "Put", pk: context.resources.name(), data: {} }] } }),
  ),
  createDatabase: managementRow(
    "write",
    ({ resources }) => Promise.resolve({ body: { name: resources.name(), region: resources.region } }),
    201,
  ),
  listDatabases: managementRow("read", () => Promise.resolve({ query: { limit: 1 } })),
  getDatabase: managementRow("read", (context) => inDatabase(context)),
  deleteDatabase: managementRow(
    "write",
    async (context) => ({ path: { databaseId: (await context.resources.newDatabase()).databaseId } }),
    204,
  ),
  createRepository: ofOpenRoles(
    managementRow(
      "write",
      (context) => inDatabase(context, { body: { name: context.resources.letters(), entityName: "Access" } }),
      201,
    ),
  ),
  listRepositories: managementRow("read", (context) => inDatabase(context)),
  getRepository: managementRow("read", async (context) =>
    inDatabase(context, { path: { repositoryId: await context.resources.repository() } }),
  ),
  deleteRepository: ofOpenRoles(
    managementRow(
      "write",
      async (context) => {
        const databaseId = await context.resources.database();
        return { path: { databaseId, repositoryId: await context.resources.newRepository(databaseId) } };
      },
      204,
    ),
  ),
  createEntity: entityRow(
    "write",
    (context) => inRepository(context, { body: { data: { made: context.resources.name() } } }),
    201,
  ),
  listEntities: entityRow("read", (context) => inRepository(context, { query: { limit: 1 } })),
  getEntity: entityRow("read", (context) => onEntity(context)),
  updateEntity: entityRow("write", (context) => onEntity(context, { body: { data: { changed: true } } })),
  deleteEntity: entityRow("write", (context) => onEntity(context), 204),
  queryEntities: entityRow("read", (context) => inRepository(context, { body: { limit: 1 } })),
  createOrganization: organizationRow(
    everyone,
    "ORG-01",
    (context) => Promise.resolve({ body: { name: context.resources.letters() } }),
    201,
  ),
  listOrganizations: organizationRow(everyone, "ORG-09", noParameters),
  getOrganization: grantingRow(everyone, "ORG-11", (context) => inOrganization(context)),
  updateOrganization: grantingRow(["owner", "admin"], "ORG-15", async (context) => {
    const call = await inOrganization(context);
    // the name that it has: nobody's organization is renamed
    const { body } = await context.call("getOrganization", { ...call, setUp: true });
    return { ...call, body: { name: body.name as string } };
  }),
  // the caller is no member of an organization that is made for the request; ORG-17 has a check of its own, and that of
  // its owner, whose token here is for another one, is ORG-16
  deleteOrganization: {
    ...organizationRow(
      [],
      "ORG-18",
      async (context) => ({ path: { organizationId: await context.resources.newOrganization() } }),
      204,
    ),
    openRoles: ["owner"],
  },
  listMembers: grantingRow(everyone, "ORG-20", (context) => inOrganization(context)),
  inviteMember: grantingRow(
    ["owner", "admin"],
    "ORG-26",
    (context) => inOrganization(context, { body: { email: context.resources.inviteAddress() } }),
    201,
  ),
  updateMember: grantingRow(["owner", "admin"], "ORG-26", (context) =>
    onNewMember(context, { body: { role: "member" } }),
  ),
  removeMember: grantingRow(["owner", "admin"], "ORG-26", (context) => onNewMember(context), 204),
  getPaymentInfo: {
    ...ownersRow("BILL-07"),
    cite: "5: payment info requires a JWT; 4.6 names nobody who may not look",
    scopes: "none",
  },
  createCheckout: {
    cite: "4.6: the owner manages billing, admin cannot change it, readonly looks; member is not shown",
    roles: ["owner"],
    openRoles: ["member"],
    scopes: "open",
    roleClause: "BILL-17",
    call: async (context) => {
      const isFree = await underPlan("free")(context);
      return { body: { planType: isFree ? "pro" : "enterprise" } };
    },
  },
  getPaymentPortal: {
    ...ownersRow("BILL-17"),
    cite: "4.6: the owner manages billing; who else may ask for the link is not shown",
  },
  getPaymentStatus: ownersRow("BILL-12"),
  getUsage: ownersRow("BILL-15"),
  listPlans: publicRow("BILL-24", "5: the plan catalog is public"),
  getPlan: {
    ...publicRow("BILL-24", "5: the plan catalog is public"),
    call: async (context) => {
      const { body } = await context.call("listPlans", { setUp: true });
      return { path: { planId: plansOf(body)?.[0]?.planId ?? "" } };
    },
  },
  runSqlQuery: {
    cite: "4.8 rule 5: SELECT is allowed for a JWT; which scopes are SQL levels is not shown",
    roles: everyone,
    scopes: "open",
    roleClause: "SQL-43",
    grantClause: "SQL-43",
    call: async (context) => {
      const table = await context.resources.newTable("id INT, PRIMARY KEY (id)");
      return inDatabase(context, { body: { sql: `SELECT * FROM ${table} WHERE id = 1` } });
    },
  },
  executeSql: {
    cite: "4.8 rule 5: CREATE for a JWT; whether also for readonly (4.6: view-only), and key levels, are not shown",
    roles: writers,
    openRoles: ["readonly"],
    scopes: "open",
    roleClause: "AUTH-26",
    call: async (context) =>
      inDatabase(context, {
        body: { sql: `CREATE TABLE ${context.resources.letters()} (id INT, PRIMARY KEY (id))` },
      }),
  },
  listSqlTables: {
    cite: "4.8",
    roles: everyone,
    scopes: "open",
    roleClause: "SQL-43",
    call: (context) => inDatabase(context),
  },
  getSqlTableSchema: {
    cite: "4.8",
    roles: everyone,
    scopes: "open",
    roleClause: "SQL-43",
    call: async (context) =>
      inDatabase(context, {
        path: { tableName: await context.resources.newTable("id INT, PRIMARY KEY (id)") },
      }),
  },
  getHealth: publicRow("HEALTH-06", "4.9: no authentication"),
  getReadiness: publicRow("HEALTH-06", "4.9: no authentication"),
  getLiveness: publicRow("HEALTH-06", "4.9: no authentication"),
};

function publicRow(roleClause: ClauseId, cite: string): Row {
  return { cite, isPublic: true, roles: everyone, scopes: "open", roleClause, call: noParameters };
}

/** A row about billing, of which the specification names the owner alone. */
function ownersRow(roleClause: ClauseId): Row {
  return {
    cite: "4.7; who but the owner may look is not shown",
    roles: ["owner"],
    openRoles: ["admin", "member", "readonly"],
    scopes: "open",
    roleClause,
    call: noParameters,
  };
}

/** What it takes to try an operation, and how to see that a refused request did nothing. */
export interface Trial {
  /** What the target has to offer beside a database. */
  readonly needs?: readonly Requirement[];
  /** What a success leaves behind, for the ledger. */
  readonly makes?: Pick<Resource, "kind"> & { readonly idMember?: string };
  /** Whether a refusal may have another reason than who asks. */
  readonly mayBeRefused?: (context: CheckContext) => Promise<boolean>;
  /** Whether, after a refusal, all is as it was. */
  readonly unchanged?: (context: CheckContext, call: Call) => Promise<boolean>;
}

/**
 * Whether a look found something. A look that was refused shows nothing: it must not pass for "it was done".
 *
 * @throws RunTrouble when it was neither answered nor told that there is nothing
 */
function isThere({ status, text }: Answer, look: OperationId): boolean {
  if (status === 200) return true;
  if (status === 404 || status === 410) return false;
  throw new RunError(
    `whether a refused request has changed anything could not be seen: ${look} was answered ${status} ${text.slice(0, 200)}`,
  );
}

/** Whether an operation on the same thing finds it, for the owner. */
const found =
  (operationId: OperationId) =>
  async (context: CheckContext, { path = {} }: Call): Promise<boolean> =>
    (await context.call(operationId, { path, setUp: true })).status === 200;

/** Whether there is no item of the partition that a request would have written to. */
const noItems =
  (partitionKey: (call: Call) => string) =>
  async (context: CheckContext, call: Call): Promise<boolean> => {
    const body = { partitionKey: partitionKey(call) };
    const answer = await context.call("queryItems", await inDatabase(context, { setUp: true, body }));
    return !isThere(answer, "queryItems") || answer.body.items.length === 0;
  };

const firstPk = ({ body }: Call) => (body as { items: { pk: string }[] }).items[0]?.pk ?? "";

/** The role that the member of a request has. */
async function roleOf(context: CheckContext, { path = {} }: Call): Promise<string | undefined> {
  const { organizationId = "", memberId } = path;
  const answer = await context.call("listMembers", { setUp: true, path: { organizationId } });
  if (!isThere(answer, "listMembers")) return undefined;
  const members = answer.body.members as { role: string }[];
  return members.find((known) => Object.values(known).includes(memberId ?? ""))?.role;
}

/** Whether the owner's organization has a plan under which something need not be offered. */
const underPlan =
  (plan: PlanType) =>
  async (context: CheckContext): Promise<boolean> => {
    const path = { organizationId: await context.actors.organizationOf("owner") };
    const { body } = await context.call("getOrganization", { path, setUp: true });
    return (body as { plan?: unknown } | undefined)?.plan === plan;
  };

/** There is no subscription under the free plan. */
const aboutSubscription: Trial = { mayBeRefused: underPlan("free") };

const ofSql: Trial = { needs: ["sql"] };

/** Operations that are no matter of course. */
export const trials: Readonly<Partial<Record<OperationId, Trial>>> = {
  putItem: { unchanged: noItems(({ path }) => path?.pk ?? "") },
  deleteItem: { unchanged: found("getItem") },
  deleteItemWithSortKey: { unchanged: found("getItemWithSortKey") },
  batchWriteItems: { unchanged: noItems(firstPk) },
  transactWriteItems: { unchanged: noItems(firstPk) },
  createDatabase: { needs: ["create-databases"], makes: { kind: "database", idMember: "databaseId" } },
  deleteDatabase: { needs: ["create-databases"], unchanged: found("getDatabase") },
  createRepository: { makes: { kind: "repository", idMember: "repositoryId" } },
  deleteRepository: { unchanged: found("getRepository") },
  createEntity: {
    unchanged: async (context, { path: { repositoryId = "" } = {}, body }) => {
      const { entries } = await readPages(context, entitiesOf(repositoryId));
      return !entries.some(({ data }) => isDeepStrictEqual(data, (body as { data: unknown }).data));
    },
  },
  updateEntity: {
    unchanged: async (context, { path = {} }) => {
      const answer = await context.call("getEntity", { path, setUp: true });
      return isThere(answer, "getEntity") && !("changed" in answer.body.data);
    },
  },
  deleteEntity: { unchanged: found("getEntity") },
  createOrganization: {
    needs: ["create-organizations"],
    makes: { kind: "organization", idMember: "organizationId" },
  },
  deleteOrganization: { needs: ["create-organizations"], unchanged: found("getOrganization") },
  inviteMember: { needs: ["invitations"], makes: { kind: "member" } },
  updateMember: {
    needs: ["invitations"],
    unchanged: async (context, call) => (await roleOf(context, call)) === "readonly",
  },
  removeMember: {
    needs: ["invitations"],
    unchanged: async (context, call) => (await roleOf(context, call)) !== undefined,
  },
  // downgrades go through the portal
  createCheckout: { needs: ["checkout"], mayBeRefused: underPlan("enterprise") },
  getPaymentPortal: { needs: ["checkout"], ...aboutSubscription },
  getPaymentInfo: aboutSubscription,
  getPaymentStatus: aboutSubscription,
  runSqlQuery: ofSql,
  executeSql: ofSql,
  listSqlTables: ofSql,
  getSqlTableSchema: ofSql,
};
