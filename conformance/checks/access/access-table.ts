import { isDeepStrictEqual } from "node:util";
import type { ClauseId } from "../../../openapi/clauses/register.js";
import type { PlanType } from "../../../openapi/clauses/limits.js";
import type { OperationId } from "../../../openapi/operations/register.js";
import type { Role, Scope } from "../../../openapi/schemas/roles.js";
import { memoize } from "../../../openapi/text/memoize.js";
import type { Requirement } from "../../target/requirements.js";
import type { CheckContext } from "../../check/context.js";
import type { components } from "../../../openapi/generated/service-types.js";
import type { ApiResponse, Caller, CallOptions } from "../../client/client.js";
import { isSuccess } from "../../client/is-success.js";
import { readAllPages } from "../../client/read-all-pages.js";
import { RunError } from "../../client/violation.js";
import { MemberClient } from "../../steps/member-client.js";
import { readPages } from "../../steps/pages.js";
import { parsePlanList } from "../../models/plan-list.js";
import { createEntityList } from "../../steps/entity-client.js";

/** Creates a request; see {@link AccessRow.request}. */
export type CreateRequest = (
  context: CheckContext,
) => CallOptions | undefined | Promise<CallOptions | undefined>;

/**
 * Who may call an operation, how to build a valid request for it, and how to verify that a refused request had no effect.
 * The table is written by hand from parts 4 and 5 of the specification. Only the list of operations comes from the
 * contract, because a table generated from the document would always agree with the emulator.
 */
export interface AccessRow {
  /** The parts of the specification on which the row is based. */
  readonly citation: string;
  /** Whether the operation needs no credential. */
  readonly isPublic?: true;
  /** The scopes that give access to the data that the operation uses: `database:*` to items, `repository:*` to entities. */
  readonly data?: "database" | "repository";
  /** Roles whose JWTs have access; roles that are neither here nor in `openRoles` have no access. */
  readonly roles: readonly Role[];
  /** Roles about which the specification says nothing. */
  readonly openRoles?: readonly Role[];
  /** Scopes whose API keys have access; `none` if a JWT is required, `open` if the specification says nothing. */
  readonly scopes: readonly Scope[] | "none" | "open";
  /** The clause that is broken if a role has access that it should not have. */
  readonly roleClause: ClauseId;
  /** The clause that grants access to a role, if there is one. */
  readonly grantClause?: ClauseId;
  /** What the target must offer in addition to a database. */
  readonly needs?: readonly Requirement[];
  /**
   * Creates a valid request, without the ids of the resources that all checks share. Creates the resources that the
   * request would change or delete; returns undefined if they cannot be created.
   */
  readonly request?: CreateRequest;
  /** More requests of this kind, because a faulty deployment may let access depend on the body. */
  readonly otherRequests?: readonly CreateRequest[];
  /** Whether a refusal may have a reason other than the caller. */
  readonly mayBeRefused?: (context: CheckContext, call: CallOptions, as: Caller) => Promise<boolean>;
  /** A text that the response to a read contains, unless it refers to a further page. */
  readonly shows?: string;
  /** Whether a request had no effect; the path contains the id of the entity or repository that the request created. */
  readonly hadNoEffect?: (context: CheckContext, call: CallOptions, wasAccepted: boolean) => Promise<boolean>;
}

const everyone: readonly Role[] = ["owner", "admin", "member", "readonly"];
const writers: readonly Role[] = ["owner", "admin", "member"];
const managers: readonly Role[] = ["owner", "admin"];

const dataCitations = {
  database:
    "part 5: item operations require database:read or database:write; part 4.6: a readonly user can only view",
  repository:
    "part 5: repository:read is for reading entities, repository:write for writing and deleting; part 4.6: a readonly user can only view",
} as const;
/** Creates a row for an operation on items (`database`) or entities (`repository`). */
const createDataRow = (data: "database" | "repository", effect: "read" | "write"): AccessRow => ({
  citation: dataCitations[data],
  data,
  roles: effect === "read" ? everyone : writers,
  scopes: [`${data}:${effect}`, `${data}:*`, "*"],
  roleClause: "AUTH-26",
});
const itemRead = createDataRow("database", "read");
const itemWrite = createDataRow("database", "write");
const entityRead = createDataRow("repository", "read");
const entityWrite = createDataRow("repository", "write");

const managementRead: AccessRow = {
  citation:
    "parts 4.4, 4.5 and 5: a JWT is required; part 4.6: owner, admin and member can create and manage, readonly can only view",
  roles: everyone,
  scopes: "none",
  roleClause: "AUTH-26",
};
const managementWrite: AccessRow = { ...managementRead, roles: writers };
/** Part 4.6 says that admin and member manage databases, API keys and members, but does not mention repositories. */
const repositoryManagementWrite: AccessRow = {
  ...managementRead,
  roles: ["owner"],
  openRoles: ["admin", "member"],
};

const createOrganizationRow = (roles: readonly Role[], roleClause: ClauseId): AccessRow => ({
  citation: "part 4.6, column Who; part 5: operations on organizations require a JWT",
  roles,
  scopes: "none",
  roleClause,
});
/** Creates a row for a clause that both admits these roles and excludes all others. */
const createGrantingRow = (roles: readonly Role[], clause: ClauseId): AccessRow => ({
  ...createOrganizationRow(roles, clause),
  grantClause: clause,
});

/** Creates a row for an operation on billing, for which the specification names only the owner. */
const createOwnerRow = (roleClause: ClauseId): AccessRow => ({
  citation: "part 4.7; the specification does not say who besides the owner may view this",
  roles: ["owner"],
  openRoles: ["admin", "member", "readonly"],
  scopes: "open",
  roleClause,
});

const createPublicRow = (citation: string, roleClause: ClauseId): AccessRow => ({
  citation,
  isPublic: true,
  roles: everyone,
  scopes: "open",
  roleClause,
});
const healthRow: AccessRow = {
  ...createPublicRow("part 4.9: no authentication", "HEALTH-06"),
  grantClause: "HEALTH-06",
};
const planRow: AccessRow = {
  ...createPublicRow("part 5: the plan catalog is public", "BILL-24"),
  grantClause: "BILL-24",
};

const sqlRow: AccessRow = {
  citation: "part 4.8",
  roles: everyone,
  scopes: "open",
  roleClause: "SQL-43",
  needs: ["sql"],
};

/** Data of the items and entities that are created for requests. */
const createdData = { made: "for access" };
const showsData = { shows: createdData.made };

/** Puts an item for a request, with or without a sort key. */
const createItem = (rest: { readonly sk?: string }) => async (context: CheckContext) => {
  const path = {
    databaseId: await context.resources.getDatabase(),
    pk: context.resources.createName(),
    ...rest,
  };
  await context.call("putItem", { setUp: true, path, body: { pk: path.pk, ...rest, data: createdData } });
  return { path };
};

/** Puts an item for a batch or transaction with one entry, which changes or deletes it. */
const createEntry = (entry: object) => async (context: CheckContext) => {
  const { databaseId, pk } = (await createItem({})(context)).path;
  return { path: { databaseId }, body: { items: [{ pk, ...entry }] } };
};

/** Creates an entity for a request. */
async function createEntity(context: CheckContext) {
  const path = { repositoryId: await context.resources.getRepository() };
  const body = { data: createdData };
  const created = await context.call("createEntity", { setUp: true, path, body });
  return { path: { ...path, entityId: created.body.id as string } };
}

/** Creates an item or entity only once for all requests of a check. */
const createItemOnce = memoize(createItem({}), new WeakMap());
const createEntityOnce = memoize(createEntity, new WeakMap());

/** Creates a request to read an item. */
const onItem =
  (createBody: (pk: string) => object): CreateRequest =>
  async (context) => ({ body: createBody((await createItemOnce(context)).path.pk) });

/** Creates a request to read an entity, alone or in a list. */
const onEntity =
  (rest: CallOptions): CreateRequest =>
  async (context) => ({ ...(await createEntityOnce(context)), ...rest });

/** Invites a member for a request; returns undefined if the member is pending, and not listed or without an id. */
async function createMember(context: CheckContext) {
  const organizationId = await context.actors.getOrganizationId("owner");
  const members = new MemberClient(context, organizationId);
  const member = await members.add({ role: "readonly" });
  // Without an entry in the list, nothing would show whether the request had an effect.
  if ((await members.find(member.email)) === undefined) return undefined;
  const memberId = await members.findWorkingId(member);
  return memberId === undefined ? undefined : { path: { organizationId, memberId } };
}

/** Whether the list of members contains the users whom the owner has invited, which the specification does not say. */
const listsInvited = memoize(async (context: CheckContext) => {
  const members = new MemberClient(context, await context.actors.getOrganizationId("owner"));
  const { email } = await members.add({ staysPending: true });
  return (await members.find(email)) !== undefined;
}, new WeakMap());

const createTable = ({ resources }: CheckContext) => resources.createTable("id INT, PRIMARY KEY (id)");

/**
 * Whether a read found something.
 *
 * @throws RunError when the read was refused for another reason, and therefore says nothing about an effect
 */
function hasFound({ status, text }: ApiResponse, operationId: OperationId): boolean {
  if (status === 200) return true;
  if (status === 404 || status === 410) return false;
  throw new RunError(
    `the suite could not check whether a request changed anything: ${operationId} returned ${status} ${text.slice(0, 200)}`,
  );
}

/** Whether the owner finds the resource of a request by reading it; a deleted one may still be shown with its status. */
const isFoundBy =
  (operationId: OperationId) =>
  async (context: CheckContext, { path = {} }: CallOptions) => {
    const { status, body } = await context.call(operationId, { path, setUp: true });
    return status === 200 && !/^delet/i.test(String((body as { status?: unknown } | undefined)?.status));
  };

/** A write of an item: a Put, or an entry of a batch or transaction. */
interface WriteEntry {
  readonly pk: string;
  readonly operation?: string;
  readonly action?: string;
}

/** Whether the partition of a write has the same items as before: none, or the one that would have been changed. */
async function hasSameItems(context: CheckContext, { path = {}, body }: CallOptions): Promise<boolean> {
  const { databaseId = "" } = path;
  const sent = body as WriteEntry & { readonly items?: readonly WriteEntry[] };
  const { pk, operation, action = operation ?? "Put" } = sent.items?.[0] ?? sent;
  const readPage = (cursor: string | undefined) =>
    context.call("queryItems", { setUp: true, path: { databaseId }, body: { partitionKey: pk, cursor } });
  const items = await readAllPages<{ data: unknown }>("items", readPage, (response) => {
    hasFound(response, "queryItems");
    return [];
  });
  const data = items.map((item) => item.data);
  return isDeepStrictEqual(data, action === "Put" ? [] : [createdData]);
}

/** Whether the member of a request still has the role readonly. */
async function isMemberReadonly(context: CheckContext, { path = {} }: CallOptions): Promise<boolean> {
  const { organizationId = "", memberId = "" } = path;
  const response = await context.call("listMembers", { setUp: true, path: { organizationId } });
  const members = hasFound(response, "listMembers") ? (response.body.members as { role: string }[]) : [];
  return members.find((known) => Object.values(known).includes(memberId))?.role === "readonly";
}

/** Whether the owner's organization has the given plan. */
const hasPlan = (plan: PlanType) => async (context: CheckContext) => {
  const path = { organizationId: await context.actors.getOrganizationId("owner") };
  const { body } = await context.call("getOrganization", { path, setUp: true });
  return (body as { plan?: unknown } | undefined)?.plan === plan;
};

/** An organization on the free plan need not have a subscription. */
const needsSubscription = { mayBeRefused: hasPlan("free") };

export const accessTable: Readonly<Record<OperationId, AccessRow>> = {
  login: {
    ...createPublicRow("part 4.1: login needs no credential", "AUTH-01"),
    request: async (context) => {
      const { email, password } = await context.actors.getLogin("owner");
      return { body: { email, password } };
    },
  },
  refreshSession: {
    ...createPublicRow("part 4.1: a refresh needs a refresh token and no credential", "AUTH-09"),
    request: async (context) => {
      const { refreshToken } = await context.actors.startSession(
        await context.actors.getLogin("owner"),
        "fresh",
      );
      return { body: { refreshToken } };
    },
  },
  switchOrganization: {
    citation: "parts 4.1 and 5: organization switching requires a JWT",
    roles: everyone,
    scopes: "none",
    roleClause: "AUTH-13",
    request: async ({ actors }) => ({ body: { organizationId: await actors.getOrganizationId("owner") } }),
  },
  putItem: {
    ...itemWrite,
    request: (context) => {
      const path = { pk: context.resources.createName(), sk: "access" };
      return { path, body: { ...path, data: {} } };
    },
    hadNoEffect: hasSameItems,
  },
  getItem: { ...itemRead, ...showsData, request: createItemOnce },
  getItemWithSortKey: { ...itemRead, ...showsData, request: createItem({ sk: "access" }) },
  deleteItem: { ...itemWrite, request: createItem({}), hadNoEffect: isFoundBy("getItem") },
  deleteItemWithSortKey: {
    ...itemWrite,
    request: createItem({ sk: "access" }),
    hadNoEffect: isFoundBy("getItemWithSortKey"),
  },
  queryItems: { ...itemRead, ...showsData, request: onItem((partitionKey) => ({ partitionKey })) },
  scanItems: { ...itemRead, ...showsData, request: onItem(() => ({ limit: 1 })) },
  batchWriteItems: {
    ...itemWrite,
    request: ({ resources }) => ({
      body: { items: [{ operation: "Put", pk: resources.createName(), data: {} }] },
    }),
    otherRequests: [createEntry({ operation: "Delete" })],
    hadNoEffect: hasSameItems,
  },
  batchGetItems: { ...itemRead, ...showsData, request: onItem((pk) => ({ keys: [{ pk }] })) },
  transactGetItems: { ...itemRead, ...showsData, request: onItem((pk) => ({ items: [{ pk }] })) },
  transactWriteItems: {
    ...itemWrite,
    request: ({ resources }) => ({
      body: { items: [{ action: "Put", pk: resources.createName(), data: {} }] },
    }),
    otherRequests: [
      createEntry({ action: "Update", data: { changed: true } }),
      createEntry({ action: "Delete" }),
    ],
    hadNoEffect: hasSameItems,
  },
  createDatabase: {
    ...managementWrite,
    needs: ["create-databases"],
    request: ({ resources }) => ({ body: { name: resources.createName(), region: resources.region } }),
  },
  listDatabases: { ...managementRead, shows: '"databaseId"', grantClause: "DB-09" },
  getDatabase: managementRead,
  deleteDatabase: {
    ...managementWrite,
    needs: ["create-databases"],
    request: async ({ resources }) => ({
      path: { databaseId: (await resources.createDatabase()).databaseId },
    }),
    hadNoEffect: isFoundBy("getDatabase"),
  },
  createRepository: {
    ...repositoryManagementWrite,
    request: ({ resources }) => {
      const name = resources.createPlainName();
      return { body: { name, entityName: `E${name}` } };
    },
    hadNoEffect: async (context, { path = {} }) => {
      const { databaseId = "", repositoryId } = path;
      if (repositoryId === undefined) return true;
      await context.resources.waitUntilRepositoryReady({ databaseId, repositoryId });
      return !(await isFoundBy("getRepository")(context, { path }));
    },
  },
  listRepositories: {
    ...managementRead,
    shows: '"repositoryId"',
    request: async ({ resources }) => {
      await resources.getRepository();
      return {};
    },
  },
  getRepository: managementRead,
  deleteRepository: {
    ...repositoryManagementWrite,
    request: async ({ resources }) => ({
      path: { repositoryId: await resources.createRepository(await resources.getDatabase()) },
    }),
    hadNoEffect: isFoundBy("getRepository"),
  },
  createEntity: {
    ...entityWrite,
    request: ({ resources }) => ({ body: { data: { made: resources.createName() } } }),
    hadNoEffect: async (context, { path = {}, body }) => {
      if (path.entityId !== undefined) return !(await isFoundBy("getEntity")(context, { path }));
      const { entries } = await readPages(context, createEntityList(path.repositoryId ?? ""));
      return !entries.some(({ data }) => isDeepStrictEqual(data, (body as { data: unknown }).data));
    },
  },
  listEntities: { ...entityRead, ...showsData, request: onEntity({ query: { limit: 1 } }) },
  getEntity: { ...entityRead, ...showsData, request: onEntity({}) },
  updateEntity: {
    ...entityWrite,
    request: async (context) => ({ ...(await createEntity(context)), body: { data: { changed: true } } }),
    hadNoEffect: async (context, { path = {} }) => {
      const response = await context.call("getEntity", { path, setUp: true });
      return hasFound(response, "getEntity") && !("changed" in response.body.data);
    },
  },
  deleteEntity: { ...entityWrite, request: createEntity, hadNoEffect: isFoundBy("getEntity") },
  queryEntities: { ...entityRead, ...showsData, request: onEntity({ body: { limit: 1 } }) },
  createOrganization: {
    ...createOrganizationRow(everyone, "ORG-01"),
    needs: ["create-organizations"],
    request: ({ resources }) => ({ body: { name: resources.createPlainName() } }),
  },
  listOrganizations: createOrganizationRow(everyone, "ORG-09"),
  getOrganization: createGrantingRow(everyone, "ORG-11"),
  updateOrganization: {
    ...createGrantingRow(managers, "ORG-15"),
    request: async (context) => {
      const path = { organizationId: await context.actors.getOrganizationId("owner") };
      // The request sets all fields to their current values, because a faulty deployment may clear omitted fields.
      const { body } = await context.call("getOrganization", { path, setUp: true });
      const { name, billingEmail, settings } = body as components["schemas"]["Organization"];
      // `compare` sends this body to other targets, and can translate texts, but not booleans.
      return {
        path,
        body: { name, billingEmail, ...(settings.requireMfa && { settings: { requireMfa: true } }) },
      };
    },
    // "Admin cannot change billing" may include the billing address.
    mayBeRefused: async (context, { path = {}, body }, as) => {
      const { name } = body as components["schemas"]["UpdateOrganizationRequest"];
      if (as.name !== "admin") return false;
      const renamed = await context.call("updateOrganization", { as, path, body: { name } });
      if (isSuccess(renamed)) context.markExercised("ORG-15");
      return isSuccess(renamed);
    },
  },
  // The callers, except the owner, are not members of the organization that is created for the request; other checks
  // test ORG-17 and ORG-16. The owner's token is for another organization.
  deleteOrganization: {
    ...createOrganizationRow([], "ORG-18"),
    openRoles: ["owner"],
    needs: ["create-organizations"],
    request: async ({ resources }) => ({ path: { organizationId: await resources.createOrganization() } }),
    hadNoEffect: isFoundBy("getOrganization"),
  },
  listMembers: createGrantingRow(everyone, "ORG-20"),
  inviteMember: {
    ...createGrantingRow(managers, "ORG-26"),
    needs: ["invitations"],
    request: ({ resources }) => ({ body: { email: resources.createInviteAddress() } }),
    hadNoEffect: async (context, { path = {}, body }, wasAccepted) => {
      const members = new MemberClient(context, path.organizationId ?? "");
      const isListed = (await members.find((body as { email: string }).email)) !== undefined;
      return !isListed && (!wasAccepted || (await listsInvited(context)));
    },
  },
  updateMember: {
    ...createGrantingRow(managers, "ORG-26"),
    needs: ["invitations"],
    request: async (context) => {
      const call = await createMember(context);
      return call && { ...call, body: { role: "member" } };
    },
    hadNoEffect: isMemberReadonly,
  },
  removeMember: {
    ...createGrantingRow(managers, "ORG-26"),
    needs: ["invitations"],
    request: createMember,
    hadNoEffect: isMemberReadonly,
  },
  getPaymentInfo: {
    ...createOwnerRow("BILL-07"),
    ...needsSubscription,
    citation: "part 5: payment info requires a JWT; part 4.6 excludes no role from reading it",
    scopes: "none",
  },
  createCheckout: {
    citation:
      "part 4.6: the owner manages billing, admins cannot change it, readonly users can only view it; the role member is not mentioned",
    roles: ["owner"],
    openRoles: ["member"],
    scopes: "open",
    roleClause: "BILL-17",
    needs: ["checkout"],
    request: async (context) => ({
      body: { planType: (await hasPlan("free")(context)) ? "pro" : "enterprise" },
    }),
    // Downgrades go through the portal.
    mayBeRefused: async (context, _, as) =>
      context.resources.hasCheckout(as) || (await hasPlan("enterprise")(context)),
  },
  getPaymentPortal: {
    ...createOwnerRow("BILL-17"),
    ...needsSubscription,
    citation:
      "part 4.6: the owner manages billing; the specification does not say who else may request the link",
    needs: ["checkout"],
  },
  getPaymentStatus: { ...createOwnerRow("BILL-12"), ...needsSubscription },
  getUsage: createOwnerRow("BILL-15"),
  listPlans: planRow,
  getPlan: {
    ...planRow,
    request: async (context) => {
      const { body } = await context.call("listPlans", { setUp: true });
      return { path: { planId: parsePlanList(body)?.[0]?.planId ?? "" } };
    },
  },
  runSqlQuery: {
    ...sqlRow,
    citation:
      "part 4.8 rule 5: SELECT is allowed with a JWT; the specification does not map scopes to SQL levels",
    grantClause: "SQL-43",
    request: async (context) => ({
      body: { sql: `SELECT * FROM ${await createTable(context)} WHERE id = 1` },
    }),
  },
  executeSql: {
    ...sqlRow,
    citation:
      "part 4.8 rule 5: CREATE is allowed with a JWT; the specification does not say whether readonly (part 4.6: view-only) or a key's scopes allow it",
    roles: writers,
    openRoles: ["readonly"],
    roleClause: "AUTH-26",
    request: ({ resources }) => ({
      body: { sql: `CREATE TABLE ${resources.createPlainName()} (id INT, PRIMARY KEY (id))` },
    }),
  },
  listSqlTables: sqlRow,
  getSqlTableSchema: {
    ...sqlRow,
    request: async (context) => ({ path: { tableName: await createTable(context) } }),
  },
  getHealth: healthRow,
  getReadiness: healthRow,
  getLiveness: healthRow,
};
