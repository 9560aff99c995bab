import { limits } from "../clauses/limits.js";
import { defaultProfile } from "../gaps/profile.js";
import { listProblemKinds } from "../document/document.js";
import { getProblemStatus } from "../document/problem-responses.js";
import {
  acceptsTokens,
  getRoles,
  getRoutes,
  getScope,
  type OperationDefinition,
} from "../operations/operation.js";
import { type ProblemKind, getProblemDefinition } from "../operations/problems.js";
import { operationIds, type OperationId, serviceOperations } from "../operations/register.js";
import { sqlErrorCodes } from "../schemas/sql.js";
import { fillPath } from "../text/path-template.js";
import type { Recipe, RecipeRequest } from "./recipe.js";
import type { Situation } from "./situation.js";

const strictness = { kind: "strict", profile: defaultProfile } as const;

const definitions: Readonly<Record<OperationId, OperationDefinition>> = serviceOperations;

/** The owner of the demo organization that has data. */
export const ownerCredential = "owner@demo.test org_demo_pro";
export const unrestrictedApiKey = "dsk_demo_all";

/** Builds the example request of an operation. @param parameters values that replace those of the example */
export function buildExampleRequest(
  operationId: OperationId,
  parameters: Readonly<Record<string, string>> = {},
): RecipeRequest {
  const { example, access } = definitions[operationId];
  const [route] = getRoutes(definitions[operationId], defaultProfile);
  if (route === undefined) throw new Error(`${operationId} has no route`);
  const path = fillPath(route.path, { ...example.parameters, ...parameters });
  const acceptsKeys = getScope(access, strictness) !== undefined;
  return {
    request: `${route.method.toUpperCase()} ${path}`,
    as: access.kind === "public" ? undefined : acceptsKeys ? unrestrictedApiKey : ownerCredential,
    ...(example.request === undefined
      ? {}
      : { body: operationId === "transactWriteItems" ? transaction : example.request }),
  };
}

/** Replaces the example in the contract, whose condition is false for the demo fixture. */
const transaction = {
  items: [{ action: "Put", pk: "customer#alan", data: { name: "Alan" } }],
  clientRequestToken: "3f8a-1",
};

/** Builds a situation for each kind of credential and each documented outcome of every operation. */
export function buildOperationSituations(): readonly Situation[] {
  return operationIds.flatMap((operationId) => [
    ...buildCallSituations(operationId),
    {
      id: `${operationId}:success`,
      group: "successes",
      operationId,
      title: "Success",
      recipe: buildSuccessRecipe(operationId),
    },
    ...buildRefusalSituations(operationId),
  ]);
}

function buildSuccessRecipe(operationId: OperationId): Recipe {
  const request = buildExampleRequest(operationId);
  if (operationId !== "refreshSession") return [request];
  return [
    buildExampleRequest("login"),
    { ...request, body: { refreshToken: "{1.authResponse.refreshToken}" } },
  ];
}

function buildCallSituations(operationId: OperationId): readonly Situation[] {
  const { access } = definitions[operationId];
  const call = (credential: string, as: string | undefined, title: string): Situation => ({
    id: `${operationId}@${credential}`,
    group: "operations",
    operationId,
    title,
    recipe: buildSuccessRecipe(operationId).map((request) => ({ ...request, ...(as && { as }) })),
  });
  if (access.kind === "public") return [call("anyone", undefined, "Called without a credential")];
  const situations: Situation[] = [];
  if (acceptsTokens(access, strictness))
    situations.push(call("access-token", ownerCredential, "Called with an access token"));
  if (getScope(access, strictness) !== undefined)
    situations.push(call("api-key", unrestrictedApiKey, "Called with an API key"));
  return situations;
}

function buildRefusalSituations(operationId: OperationId): readonly Situation[] {
  const definition = definitions[operationId];
  const situations: Situation[] = [];
  const add = (outcome: string, title: string, recipe: Recipe | undefined) => {
    if (recipe !== undefined)
      situations.push({ id: `${operationId}:${outcome}`, group: "refusals", operationId, title, recipe });
  };
  const kinds = new Set(listProblemKinds(definition, strictness)).add("rate-limited");
  for (const kind of hiddenKinds) kinds.delete(kind);
  for (const kind of kinds)
    add(kind, getProblemDefinition(kind).title, buildRefusalRecipe(operationId, kind, [...kinds]));
  for (const code of definition.errorBody === "sql" ? sqlErrorCodes : [])
    add(code, `The SQL error ${code}`, buildSqlRecipe(operationId, code));
  add(
    "server-error",
    "The service failed or is temporarily unavailable",
    buildFailureRecipe(operationId, { kind: "status", status: 503 }),
  );
  return situations;
}

/**
 * Kinds that operations do not return under the default profile: a malformed request matches no operation, and another
 * organization's resources are reported as missing.
 */
const hiddenKinds: readonly ProblemKind[] = ["malformed-request", "foreign-resource"];

/** Builds a fault rule, followed by the example request of the operation. */
export function buildFailureRecipe(operationId: OperationId, effect: object): Recipe {
  return [buildFaultRuleRequest(operationId, effect), buildExampleRequest(operationId)];
}

export function buildFaultRuleRequest(
  operationId: OperationId,
  effect: object,
  when?: object,
): RecipeRequest {
  const rule = { match: { operationId }, effect, ...(when && { when }) };
  return { request: "POST /_emulator/faults", body: rule };
}

/** Builds a recipe for a kind of refusal; undefined if neither a request nor a fault rule causes it. */
function buildRefusalRecipe(
  operationId: OperationId,
  kind: ProblemKind,
  kinds: readonly ProblemKind[],
): Recipe | undefined {
  const given = recipesById[`${operationId}:${kind}`] ?? recipesByKind[kind]?.(operationId);
  if (given !== undefined) return given;
  // the emulator reports a fault rule's status as the first kind with this status, or, for 404, as the last kind
  const status = getProblemStatus(kind, defaultProfile);
  const sameStatus = kinds.filter((other) => getProblemStatus(other, defaultProfile) === status);
  return sameStatus.at(status === 404 ? -1 : 0) === kind
    ? buildFailureRecipe(operationId, { kind: "status", status })
    : undefined;
}

type RecipeBuilder = (operationId: OperationId) => Recipe | undefined;
type Body = Readonly<Record<string, unknown>>;

/** Replaces a path parameter or, if there is none with this name, a field of the body. */
const replaceName =
  (name: string, value: string): RecipeBuilder =>
  (operationId) => {
    const request = buildExampleRequest(operationId);
    const other = buildExampleRequest(operationId, { [name]: value });
    if (other.request !== request.request) return [other];
    const body = (request.body ?? {}) as Body;
    return name in body ? [{ ...request, body: { ...body, [name]: value } }] : undefined;
  };

/** Replaces the body of the example request. */
const replaceBody =
  (change: (body: Body) => Pick<RecipeRequest, "body" | "text" | "type">): RecipeBuilder =>
  (operationId) => {
    const { body, ...request } = buildExampleRequest(operationId);
    return body === undefined ? undefined : [{ ...request, ...change(body as Body) }];
  };

/** Builds recipes for kinds of problems, for any operation. */
const recipesByKind: Readonly<Partial<Record<ProblemKind, RecipeBuilder>>> = {
  "validation-failed": (operationId) => {
    const { body, request, as } = buildExampleRequest(operationId);
    return body === undefined ? [{ request: `${request}?limit=none`, as }] : [{ request, as, body: [] }];
  },
  "malformed-body": replaceBody(() => ({ text: '{"pk":' })),
  "unsupported-media-type": replaceBody(() => ({ text: "pk=a", type: "text/plain" })),
  unauthenticated: (operationId) => {
    const { as, ...request } = buildExampleRequest(operationId);
    return as === undefined ? undefined : [request];
  },
  forbidden: (operationId) => {
    const { access } = definitions[operationId];
    const scope = getScope(access, strictness);
    const isForEveryRole = scope === undefined && getRoles(access, strictness).includes("readonly");
    if (scope === "any" || isForEveryRole) return undefined;
    const otherKey = scope?.startsWith("repository:") ? "dsk_demo_database_read" : "dsk_demo_repository_read";
    const as = scope === undefined ? "readonly@demo.test org_demo_pro" : otherKey;
    return [{ ...buildExampleRequest(operationId), as }];
  },
  "wrong-credential-kind": (operationId) => [{ ...buildExampleRequest(operationId), as: unrestrictedApiKey }],
  "database-not-found": replaceName("databaseId", "db_missing"),
  "repository-not-found": replaceName("repositoryId", "repo_missing"),
  // deleting a missing entity succeeds
  "entity-not-found": (operationId) =>
    operationId === "deleteEntity" ? undefined : replaceName("entityId", "ent_missing")(operationId),
  "organization-not-found": replaceName("organizationId", "org_missing"),
  "member-not-found": replaceName("memberId", "user_missing"),
  "plan-not-found": replaceName("planId", "plan_missing"),
  "item-not-found": (operationId) =>
    operationId.startsWith("get") ? replaceName("pk", "missing")(operationId) : undefined,
  "database-unavailable": (operationId) => [
    { request: "PATCH /_emulator/databases/db_demo", body: { status: "Deleting" } },
    buildExampleRequest(operationId),
  ],
  "batch-too-large": (operationId) => {
    const { body, ...request } = buildExampleRequest(operationId);
    const max = (limits as Body)[operationId === "batchGetItems" ? "batchGetKeys" : operationId];
    return Object.entries(body as Body)
      .filter(([, value]) => Array.isArray(value))
      .map(([name, value]) => ({
        ...request,
        body: { [name]: Array.from({ length: Number(max) + 1 }, () => (value as unknown[])[0]) },
      }));
  },
  "item-too-large": replaceBody((body) => ({
    body: { ...body, data: { ...(body.data as object), text: `{x * ${limits.itemBytes}}` } },
  })),
  "transaction-too-large": replaceBody((body) => ({
    body: { ...body, comment: `{x * ${limits.transactionRequestBytes}}` },
  })),
};

const items = "/api/v1/databases/db_demo/items";
const changeOrganization = { request: "PATCH /_emulator/organizations/org_demo_pro" };

/** Recipes for refusals that need a specific request. */
const recipesById: Readonly<Partial<Record<string, Recipe>>> = {
  "refreshSession:unauthenticated": [buildExampleRequest("refreshSession")],
  "putItem:condition-failed": [
    {
      request: `PUT ${items}`,
      as: unrestrictedApiKey,
      body: { pk: "settings", sk: "currency", data: {}, conditionExpression: "attribute_not_exists(pk)" },
    },
  ],
  "createDatabase:conflict": [
    { ...buildExampleRequest("createDatabase"), body: { name: "demo", region: "eu-west-1" } },
  ],
  "createDatabase:ceiling-reached": [
    { ...changeOrganization, body: { settings: { maxDatabases: 1 } } },
    buildExampleRequest("createDatabase"),
  ],
  "createRepository:conflict": [
    {
      ...buildExampleRequest("createRepository"),
      body: { name: "products", entityName: "Product", schema: {} },
    },
  ],
  "createOrganization:conflict": [
    { ...buildExampleRequest("createOrganization"), body: { name: "Demo Pro", slug: "demo-pro" } },
  ],
  "deleteOrganization:personal-organization": [
    buildExampleRequest("deleteOrganization", { organizationId: "org_personal_owner" }),
  ],
  "inviteMember:conflict": [{ ...buildExampleRequest("inviteMember"), body: { email: "admin@demo.test" } }],
  "inviteMember:ceiling-reached": [
    { ...changeOrganization, body: { settings: { maxMembers: 1 } } },
    buildExampleRequest("inviteMember"),
  ],
  "updateMember:last-owner": [buildExampleRequest("updateMember", { memberId: "user_demo_owner" })],
  "removeMember:last-owner": [buildExampleRequest("removeMember", { memberId: "user_demo_owner" })],
  "createCheckout:lower-plan": [
    { ...buildExampleRequest("createCheckout"), as: "owner@demo.test org_demo_enterprise" },
  ],
};

/** Statements that cause an SQL error: one for `query`, and one for `execute`. */
const failingStatements: Readonly<
  Partial<Record<(typeof sqlErrorCodes)[number], readonly [query: string, execute: string]>>
> = {
  SQL_SYNTAX_ERROR: ["SELEC name FROM products", "CREAT TABLE orders"],
  SQL_VALIDATION_ERROR: ["SELECT colour FROM products", "CREATE INDEX by_colour ON products (colour)"],
  ACCESS_DENIED: ["DELETE FROM products WHERE sku = 'sku-03'", "DROP TABLE products"],
  TABLE_NOT_FOUND: ["SELECT * FROM product", "DROP TABLE product"],
};

/** Builds a request that causes an SQL error, or a fault rule if no request causes it. */
function buildSqlRecipe(operationId: OperationId, code: (typeof sqlErrorCodes)[number]): Recipe {
  const sql = failingStatements[code]?.[operationId === "runSqlQuery" ? 0 : 1];
  const request = buildExampleRequest(operationId);
  if (code === "DATABASE_NOT_FOUND") return [buildExampleRequest(operationId, { databaseId: "db_missing" })];
  if (sql === undefined || request.body === undefined)
    return buildFailureRecipe(operationId, { kind: "error", code });
  const as = code === "ACCESS_DENIED" ? "dsk_demo_database_read" : request.as;
  return [{ ...request, as, body: { sql } }];
}
