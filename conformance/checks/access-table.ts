import { isDeepStrictEqual } from "node:util";
import type { ClauseId } from "../../openapi/clauses/register.js";
import type { PlanType } from "../../openapi/clauses/limits.js";
import { getRoutes } from "../../openapi/operations/operation.js";
import { type OperationId, serviceApi } from "../../openapi/operations/register.js";
import type { Role, Scope } from "../../openapi/schemas/roles.js";
import { getPathParameters } from "../../openapi/text/path-template.js";
import type { Requirement } from "../target/requirements.js";
import type { CheckContext } from "../check/context.js";
import type { ApiResponse, CallOptions } from "../client/client.js";
import { RunError } from "../client/violation.js";
import { findMember, listMembers, addMember, findWorkingMemberId } from "../steps/member-calls.js";
import { readPages } from "../steps/pages.js";
import { parsePlanList } from "../models/plan-list.js";
import { createEntityList } from "../steps/entity-client.js";

/**
 * Who may call an operation, how to build a valid request for it, and how to verify that a refused request had no effect.
 * The table is written by hand from parts 4 and 5 of the specification. Only the list of operations comes from the
 * contract, because a table generated from the document would always agree with the emulator.
 */
export interface AccessRow {
  /** The part of the specification that says so. */
  readonly cite: string;
  /** Whether the operation needs a credential. */
  readonly isPublic?: true;
  /** Roles whose JWTs have access; roles that are neither here nor in `openRoles` have no access. */
  readonly roles: readonly Role[];
  /** Roles about which the specification says nothing. */
  readonly openRoles?: readonly Role[];
  /** Scopes whose API keys have access; `none` if a JWT is required, `open` if the specification says nothing. */
  readonly scopes: readonly Scope[] | "none" | "open";
  /** The clause that is broken if a role has access but should not. */
  readonly roleClause: ClauseId;
  /** The clause that grants access to a role, if there is one. */
  readonly grantClause?: ClauseId;
  /** What the target must offer in addition to a database. */
  readonly needs?: readonly Requirement[];
  /**
   * Creates a valid request, in addition to the ids of the resources that all checks share. Resources that the request
   * would use up are created for it; returns undefined if they cannot be created.
   */
  readonly request?: (context: CheckContext) => CallOptions | undefined | Promise<CallOptions | undefined>;
  /** Whether a refusal may have a reason other than the caller. */
  readonly mayBeRefused?: (context: CheckContext) => Promise<boolean>;
  /** Whether a refused request had no effect. */
  readonly unchanged?: (context: CheckContext, call: CallOptions) => Promise<boolean>;
}

/** The resources that all checks share, by the path parameter that names them. */
const shared: Readonly<Record<string, (context: CheckContext) => Promise<string>>> = {
  databaseId: ({ resources }) => resources.getDatabase(),
  repositoryId: ({ resources }) => resources.getRepository(),
  organizationId: ({ actors }) => actors.getOrganizationId("owner"),
};

/** Creates a valid request for an operation; returns undefined if this is not possible. */
export async function createValidCall(
  context: CheckContext,
  operationId: OperationId,
): Promise<CallOptions | undefined> {
  const { request } = accessTable[operationId];
  const given = request === undefined ? {} : await request(context);
  if (given === undefined) return undefined;
  const path: Record<string, string> = { ...given.path };
  const routes = getRoutes(serviceApi.operations[operationId]);
  for (const name of new Set(routes.flatMap((route) => getPathParameters(route.path))))
    if (shared[name] !== undefined) path[name] ??= await shared[name](context);
  return { ...given, path };
}

const everyone: readonly Role[] = ["owner", "admin", "member", "readonly"];
const writers: readonly Role[] = ["owner", "admin", "member"];
const managers: readonly Role[] = ["owner", "admin"];

const items = {
  cite: "part 5: item operations require database:read or database:write; part 4.6: readonly has view-only access",
  roleClause: "AUTH-26",
} as const;
const readsItems: AccessRow = { ...items, roles: everyone, scopes: ["database:read", "database:*", "*"] };
const writesItems: AccessRow = { ...items, roles: writers, scopes: ["database:write", "database:*", "*"] };

const entities = {
  cite: "part 5: repository:read is for reading entities, repository:write for writing and deleting; part 4.6: readonly can only view",
  roleClause: "AUTH-26",
} as const;
const readsEntities: AccessRow = {
  ...entities,
  roles: everyone,
  scopes: ["repository:read", "repository:*", "*"],
};
const writesEntities: AccessRow = {
  ...entities,
  roles: writers,
  scopes: ["repository:write", "repository:*", "*"],
};

const looks: AccessRow = {
  cite: "parts 4.4, 4.5 and 5: a JWT is required; part 4.6: owner, admin and member can create and manage, readonly can only view",
  roles: everyone,
  scopes: "none",
  roleClause: "AUTH-26",
};
const manages: AccessRow = { ...looks, roles: writers };
/** Part 4.6 says that admin and member manage databases, API keys and members, but does not mention repositories. */
const managesRepositories: AccessRow = { ...looks, roles: ["owner"], openRoles: ["admin", "member"] };

const ofOrganization = (roles: readonly Role[], roleClause: ClauseId): AccessRow => ({
  cite: "part 4.6, column Who; part 5: operations on organizations require a JWT",
  roles,
  scopes: "none",
  roleClause,
});
/** Like `ofOrganization`, if the same clause admits these roles and excludes all others. */
const granting = (roles: readonly Role[], clause: ClauseId): AccessRow => ({
  ...ofOrganization(roles, clause),
  grantClause: clause,
});

/** A row about billing, for which the specification names only the owner. */
const ofOwner = (roleClause: ClauseId): AccessRow => ({
  cite: "part 4.7; the specification does not say who besides the owner may view this",
  roles: ["owner"],
  openRoles: ["admin", "member", "readonly"],
  scopes: "open",
  roleClause,
});

const open = (cite: string, roleClause: ClauseId): AccessRow => ({
  cite,
  isPublic: true,
  roles: everyone,
  scopes: "open",
  roleClause,
});
const health: AccessRow = { ...open("part 4.9: no authentication", "HEALTH-06"), grantClause: "HEALTH-06" };
const plans: AccessRow = { ...open("part 5: the plan catalog is public", "BILL-24"), grantClause: "BILL-24" };

const sql: AccessRow = {
  cite: "part 4.8",
  roles: everyone,
  scopes: "open",
  roleClause: "SQL-43",
  needs: ["sql"],
};

/** Puts an item for a request, with or without a sort key. */
const newItem = (rest: { readonly sk?: string }) => async (context: CheckContext) => {
  const path = {
    databaseId: await context.resources.getDatabase(),
    pk: context.resources.createName(),
    ...rest,
  };
  await context.call("putItem", { setUp: true, path, body: { pk: path.pk, ...rest, data: {} } });
  return { path };
};

/** Creates an entity for a request. */
async function newEntity(context: CheckContext) {
  const path = { repositoryId: await context.resources.getRepository() };
  const body = { data: { made: "for access" } };
  const made = await context.call("createEntity", { setUp: true, path, body });
  return { path: { ...path, entityId: made.body.id as string } };
}

/** Invites a member for a request; undefined if all members are pending and pending members have no id. */
async function newMemberPath(context: CheckContext) {
  const organizationId = await context.actors.getOrganizationId("owner");
  const member = await addMember(context, organizationId, { role: "readonly" });
  // what nobody shows nobody sees unchanged
  if (findMember(await listMembers(context, organizationId), member.email) === undefined) return undefined;
  const memberId = await findWorkingMemberId(context, organizationId, member);
  return memberId === undefined ? undefined : { path: { organizationId, memberId } };
}

const createTable = ({ resources }: CheckContext) => resources.createTable("id INT, PRIMARY KEY (id)");

/**
 * Whether a read found something. A refused read is inconclusive, so it must not count as evidence of an effect.
 *
 * @throws RunError when the answer is neither a success nor "there is nothing"
 */
function isThere({ status, text }: ApiResponse, look: OperationId): boolean {
  if (status === 200) return true;
  if (status === 404 || status === 410) return false;
  throw new RunError(
    `the suite could not check whether a refused request changed anything: ${look} returned ${status} ${text.slice(0, 200)}`,
  );
}

/** Whether a read of the same resource by the owner finds it. */
const found =
  (operationId: OperationId) =>
  async (context: CheckContext, { path = {} }: CallOptions) =>
    (await context.call(operationId, { path, setUp: true })).status === 200;

/** Whether the partition to which a request would have written has no item. */
async function hasNoItems(context: CheckContext, { path = {}, body }: CallOptions): Promise<boolean> {
  const { databaseId = "" } = path;
  const sent = body as { pk?: string; items?: readonly { pk: string }[] };
  const partitionKey = sent.pk ?? sent.items?.[0]?.pk;
  const call = { setUp: true, path: { databaseId }, body: { partitionKey } };
  const answer = await context.call("queryItems", call);
  return !isThere(answer, "queryItems") || answer.body.items.length === 0;
}

/** Whether the member of a request still has its original role. */
async function isReadonly(context: CheckContext, { path = {} }: CallOptions): Promise<boolean> {
  const { organizationId = "", memberId = "" } = path;
  const answer = await context.call("listMembers", { setUp: true, path: { organizationId } });
  const members = isThere(answer, "listMembers") ? (answer.body.members as { role: string }[]) : [];
  return members.find((known) => Object.values(known).includes(memberId))?.role === "readonly";
}

/** Whether the owner's organization has the given plan, for which an operation need not be offered. */
const underPlan = (plan: PlanType) => async (context: CheckContext) => {
  const path = { organizationId: await context.actors.getOrganizationId("owner") };
  const { body } = await context.call("getOrganization", { path, setUp: true });
  return (body as { plan?: unknown } | undefined)?.plan === plan;
};

/** On the free plan, there need not be a subscription. */
const aboutSubscription = { mayBeRefused: underPlan("free") };

export const accessTable: Readonly<Record<OperationId, AccessRow>> = {
  login: {
    ...open("part 4.1: login needs no credential", "AUTH-01"),
    request: async (context) => {
      const { email, password } = await context.actors.getLogin("owner");
      return { body: { email, password } };
    },
  },
  refreshSession: {
    ...open("part 4.1: a refresh needs a refresh token and no credential", "AUTH-09"),
    request: async (context) => {
      const { refreshToken } = await context.actors.startSession(
        await context.actors.getLogin("owner"),
        "fresh",
      );
      return { body: { refreshToken } };
    },
  },
  switchOrganization: {
    cite: "parts 4.1 and 5: organization switching requires a JWT",
    roles: everyone,
    scopes: "none",
    roleClause: "AUTH-13",
    request: async ({ actors }) => ({ body: { organizationId: await actors.getOrganizationId("owner") } }),
  },
  putItem: {
    ...writesItems,
    request: (context) => {
      const path = { pk: context.resources.createName(), sk: "access" };
      return { path, body: { ...path, data: {} } };
    },
    unchanged: hasNoItems,
  },
  getItem: { ...readsItems, request: newItem({}) },
  getItemWithSortKey: { ...readsItems, request: newItem({ sk: "access" }) },
  deleteItem: { ...writesItems, request: newItem({}), unchanged: found("getItem") },
  deleteItemWithSortKey: {
    ...writesItems,
    request: newItem({ sk: "access" }),
    unchanged: found("getItemWithSortKey"),
  },
  queryItems: {
    ...readsItems,
    request: ({ resources }) => ({ body: { partitionKey: resources.createName() } }),
  },
  scanItems: { ...readsItems, request: () => ({ body: { limit: 1 } }) },
  batchWriteItems: {
    ...writesItems,
    request: ({ resources }) => ({
      body: { items: [{ operation: "Put", pk: resources.createName(), data: {} }] },
    }),
    unchanged: hasNoItems,
  },
  batchGetItems: {
    ...readsItems,
    request: ({ resources }) => ({ body: { keys: [{ pk: resources.createName() }] } }),
  },
  transactGetItems: {
    ...readsItems,
    request: ({ resources }) => ({ body: { items: [{ pk: resources.createName() }] } }),
  },
  transactWriteItems: {
    ...writesItems,
    request: ({ resources }) => ({
      body: { items: [{ action: "Put", pk: resources.createName(), data: {} }] },
    }),
    unchanged: hasNoItems,
  },
  createDatabase: {
    ...manages,
    needs: ["create-databases"],
    request: ({ resources }) => ({ body: { name: resources.createName(), region: resources.region } }),
  },
  listDatabases: { ...looks, request: () => ({ query: { limit: 1 } }) },
  getDatabase: looks,
  deleteDatabase: {
    ...manages,
    needs: ["create-databases"],
    request: async ({ resources }) => ({
      path: { databaseId: (await resources.createDatabase()).databaseId },
    }),
    unchanged: found("getDatabase"),
  },
  createRepository: {
    ...managesRepositories,
    request: ({ resources }) => {
      const name = resources.createPlainName();
      return { body: { name, entityName: `E${name}` } };
    },
  },
  listRepositories: looks,
  getRepository: looks,
  deleteRepository: {
    ...managesRepositories,
    request: async ({ resources }) => ({
      path: { repositoryId: await resources.createRepository(await resources.getDatabase()) },
    }),
    unchanged: found("getRepository"),
  },
  createEntity: {
    ...writesEntities,
    request: ({ resources }) => ({ body: { data: { made: resources.createName() } } }),
    unchanged: async (context, { path: { repositoryId = "" } = {}, body }) => {
      const { entries } = await readPages(context, createEntityList(repositoryId));
      return !entries.some(({ data }) => isDeepStrictEqual(data, (body as { data: unknown }).data));
    },
  },
  listEntities: { ...readsEntities, request: () => ({ query: { limit: 1 } }) },
  getEntity: { ...readsEntities, request: newEntity },
  updateEntity: {
    ...writesEntities,
    request: async (context) => ({ ...(await newEntity(context)), body: { data: { changed: true } } }),
    unchanged: async (context, { path = {} }) => {
      const answer = await context.call("getEntity", { path, setUp: true });
      return isThere(answer, "getEntity") && !("changed" in answer.body.data);
    },
  },
  deleteEntity: { ...writesEntities, request: newEntity, unchanged: found("getEntity") },
  queryEntities: { ...readsEntities, request: () => ({ body: { limit: 1 } }) },
  createOrganization: {
    ...ofOrganization(everyone, "ORG-01"),
    needs: ["create-organizations"],
    request: ({ resources }) => ({ body: { name: resources.createPlainName() } }),
  },
  listOrganizations: ofOrganization(everyone, "ORG-09"),
  getOrganization: granting(everyone, "ORG-11"),
  updateOrganization: {
    ...granting(managers, "ORG-15"),
    request: async (context) => {
      const path = { organizationId: await context.actors.getOrganizationId("owner") };
      // the name that it has: nobody's organization is renamed
      const { body } = await context.call("getOrganization", { path, setUp: true });
      return { path, body: { name: body.name as string } };
    },
  },
  // the caller is no member of an organization that is made for the request; ORG-17 has a check of its own, and that of
  // its owner, whose token here is for another one, is ORG-16
  deleteOrganization: {
    ...ofOrganization([], "ORG-18"),
    openRoles: ["owner"],
    needs: ["create-organizations"],
    request: async ({ resources }) => ({ path: { organizationId: await resources.createOrganization() } }),
    unchanged: found("getOrganization"),
  },
  listMembers: granting(everyone, "ORG-20"),
  inviteMember: {
    ...granting(managers, "ORG-26"),
    needs: ["invitations"],
    request: ({ resources }) => ({ body: { email: resources.createInviteAddress() } }),
  },
  updateMember: {
    ...granting(managers, "ORG-26"),
    needs: ["invitations"],
    request: async (context) => {
      const call = await newMemberPath(context);
      return call && { ...call, body: { role: "member" } };
    },
    unchanged: isReadonly,
  },
  removeMember: {
    ...granting(managers, "ORG-26"),
    needs: ["invitations"],
    request: newMemberPath,
    unchanged: isReadonly,
  },
  getPaymentInfo: {
    ...ofOwner("BILL-07"),
    ...aboutSubscription,
    cite: "part 5: payment info requires a JWT; part 4.6 excludes no role from reading it",
    scopes: "none",
  },
  createCheckout: {
    cite: "part 4.6: the owner manages billing, admin cannot change it, readonly can only view it; member is not mentioned",
    roles: ["owner"],
    openRoles: ["member"],
    scopes: "open",
    roleClause: "BILL-17",
    needs: ["checkout"],
    request: async (context) => ({
      body: { planType: (await underPlan("free")(context)) ? "pro" : "enterprise" },
    }),
    // downgrades go through the portal
    mayBeRefused: underPlan("enterprise"),
  },
  getPaymentPortal: {
    ...ofOwner("BILL-17"),
    ...aboutSubscription,
    cite: "part 4.6: the owner manages billing; the specification does not say who else may request the link",
    needs: ["checkout"],
  },
  getPaymentStatus: { ...ofOwner("BILL-12"), ...aboutSubscription },
  getUsage: ofOwner("BILL-15"),
  listPlans: plans,
  getPlan: {
    ...plans,
    request: async (context) => {
      const { body } = await context.call("listPlans", { setUp: true });
      return { path: { planId: parsePlanList(body)?.[0]?.planId ?? "" } };
    },
  },
  runSqlQuery: {
    ...sql,
    cite: "part 4.8 rule 5: SELECT is allowed with a JWT; the specification does not map scopes to SQL levels",
    grantClause: "SQL-43",
    request: async (context) => ({
      body: { sql: `SELECT * FROM ${await createTable(context)} WHERE id = 1` },
    }),
  },
  executeSql: {
    ...sql,
    cite: "part 4.8 rule 5: CREATE is allowed with a JWT; the specification leaves readonly (part 4.6: view-only) and keys open",
    roles: writers,
    openRoles: ["readonly"],
    roleClause: "AUTH-26",
    request: ({ resources }) => ({
      body: { sql: `CREATE TABLE ${resources.createPlainName()} (id INT, PRIMARY KEY (id))` },
    }),
  },
  listSqlTables: sql,
  getSqlTableSchema: {
    ...sql,
    request: async (context) => ({ path: { tableName: await createTable(context) } }),
  },
  getHealth: health,
  getReadiness: health,
  getLiveness: health,
};
