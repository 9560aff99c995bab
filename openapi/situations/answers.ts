import { limits } from "../clauses/limits.js";
import { defaultProfile } from "../gaps/profile.js";
import { listProblemKinds } from "../document/document.js";
import { getProblemStatus } from "../document/problem-responses.js";
import { getScope, getRoles, acceptsTokens, type OperationDefinition } from "../operations/operation.js";
import { type ProblemKind, getProblemDefinition } from "../operations/problems.js";
import { operationIds, type OperationId, serviceOperations } from "../operations/register.js";
import { sqlErrorCodes } from "../schemas/sql.js";
import { fillPath } from "../text/path-template.js";
import type { Recipe, RecipeRequest } from "./recipe.js";
import type { Situation } from "./situation.js";

const strictness = { kind: "strict", profile: defaultProfile } as const;

/** The owner of the demo organization that holds the data. */
export const ownerCredential = "owner@demo.test org_demo_pro";
export const unrestrictedApiKey = "dsk_demo_all";

/** The request of the contract's example of an operation, with other parameters where some are given. */
export function buildExampleRequest(
  operationId: OperationId,
  parameters: Readonly<Record<string, string>> = {},
): RecipeRequest {
  const { routes, example, access } = getDefinition(operationId);
  const route = "gap" in routes ? routes.alternatives(defaultProfile).flat()[0] : routes;
  if (route === undefined) throw new Error(`${operationId} has no route`);
  const path = fillPath(route.path, { ...example.parameters, ...parameters });
  const takesKeys = getScope(access, strictness) !== undefined;
  return {
    request: `${route.method.toUpperCase()} ${path}`,
    as: access.kind === "public" ? undefined : takesKeys ? unrestrictedApiKey : ownerCredential,
    ...(example.request === undefined
      ? {}
      : { body: operationId === "transactWriteItems" ? transaction : example.request }),
  };
}

/** In place of the contract's example, whose condition does not hold for the demo fixture. */
const transaction = {
  items: [{ action: "Put", pk: "customer#alan", data: { name: "Alan" } }],
  clientRequestToken: "3f8a-1",
};

function getDefinition(operationId: OperationId): OperationDefinition {
  return serviceOperations[operationId];
}

/** Every operation with each kind of credential, and each of its documented answers. */
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
  const { access } = getDefinition(operationId);
  const call = (credential: string, as: string | undefined, words: string): Situation => ({
    id: `${operationId}@${credential}`,
    group: "operations",
    operationId,
    title: `Called ${words}`,
    recipe: buildSuccessRecipe(operationId).map((request) =>
      as === undefined ? request : { ...request, as },
    ),
  });
  if (access.kind === "public") return [call("anyone", undefined, "without a credential")];
  return [
    ...(acceptsTokens(access, strictness)
      ? [call("access-token", ownerCredential, "with an access token")]
      : []),
    ...(getScope(access, strictness) === undefined
      ? []
      : [call("api-key", unrestrictedApiKey, "with an API key")]),
  ];
}

function buildRefusalSituations(operationId: OperationId): readonly Situation[] {
  const definition = getDefinition(operationId);
  const refusal = (outcome: string, title: string, recipe: Recipe | undefined): readonly Situation[] =>
    recipe === undefined
      ? []
      : [{ id: `${operationId}:${outcome}`, group: "refusals", operationId, title, recipe }];
  const kinds = new Set(listProblemKinds(definition, strictness).filter((kind) => !unseen.includes(kind)));
  kinds.add("rate-limited");
  return [
    ...[...kinds].flatMap((kind) =>
      refusal(kind, getProblemDefinition(kind).title, buildRefusalRecipe(operationId, kind, [...kinds])),
    ),
    ...(definition.errorBody === "sql" ? sqlErrorCodes : []).flatMap((code) =>
      refusal(code, `The SQL error ${code}`, buildSqlRecipe(operationId, code)),
    ),
    ...refusal(
      "server-error",
      "The service failed or is temporarily unavailable",
      buildFailureRecipe(operationId, { kind: "status", status: 503 }),
    ),
  ];
}

/** Kinds that no client sees under the default profile: the target belongs to no operation, or is reported as missing. */
const unseen: readonly ProblemKind[] = ["malformed-request", "foreign-resource"];

/** A fault rule in front of the example of an operation. */
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

/** How an operation is refused; undefined where neither a request nor a fault rule leads to it. */
function buildRefusalRecipe(
  operationId: OperationId,
  kind: ProblemKind,
  kinds: readonly ProblemKind[],
): Recipe | undefined {
  const given = recipesById[`${operationId}:${kind}`] ?? recipesByKind[kind]?.(operationId);
  if (given !== undefined) return given;
  // a fault rule answers with the first kind of its status, and with the last one that says what is missing
  const status = getProblemStatus(kind, defaultProfile);
  const alike = kinds.filter((other) => getProblemStatus(other, defaultProfile) === status);
  return alike.at(status === 404 ? -1 : 0) === kind
    ? buildFailureRecipe(operationId, { kind: "status", status })
    : undefined;
}

type Way = (operationId: OperationId) => Recipe | undefined;
type Body = Readonly<Record<string, unknown>>;

/** Replaces a parameter of the path, or a field of the body, that names something. */
const replaceName =
  (name: string, value: string): Way =>
  (operationId) => {
    const [request, other] = [
      buildExampleRequest(operationId),
      buildExampleRequest(operationId, { [name]: value }),
    ];
    if (other.request !== request.request) return [other];
    const { body } = request;
    return body !== undefined && name in (body as Body)
      ? [{ ...request, body: { ...(body as Body), [name]: value } }]
      : undefined;
  };

/** Sends something else in place of the body of the example. */
const replaceBody =
  (change: (body: Body) => Pick<RecipeRequest, "body" | "text" | "type">): Way =>
  (operationId) => {
    const { body, ...request } = buildExampleRequest(operationId);
    return body === undefined ? undefined : [{ ...request, ...change(body as Body) }];
  };

/** How any operation comes to a kind of refusal. */
const recipesByKind: Readonly<Partial<Record<ProblemKind, Way>>> = {
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
    const { access } = getDefinition(operationId);
    const scope = getScope(access, strictness);
    const as =
      scope === undefined
        ? getRoles(access, strictness).includes("readonly")
          ? undefined
          : "readonly@demo.test org_demo_pro"
        : scope.startsWith("repository:")
          ? "dsk_demo_database_read"
          : "dsk_demo_repository_read";
    return as === undefined || scope === "any" ? undefined : [{ ...buildExampleRequest(operationId), as }];
  },
  "wrong-credential-kind": (operationId) => [{ ...buildExampleRequest(operationId), as: unrestrictedApiKey }],
  "database-not-found": replaceName("databaseId", "db_missing"),
  "repository-not-found": replaceName("repositoryId", "repo_missing"),
  // a deletion of what is not there is a success
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
    body: { ...body, data: { ...(body.data as object), text: formatLongText(limits.itemBytes) } },
  })),
  "transaction-too-large": replaceBody((body) => ({
    body: { ...body, comment: formatLongText(limits.transactionRequestBytes) },
  })),
};

function formatLongText(bytes: number): string {
  return `{x * ${bytes}}`;
}

const items = "/api/v1/databases/db_demo/items";
const ofPro = { request: "PATCH /_emulator/organizations/org_demo_pro" };

/** Refusals that need a request of their own. */
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
    { ...ofPro, body: { settings: { maxDatabases: 1 } } },
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
    { ...ofPro, body: { settings: { maxMembers: 1 } } },
    buildExampleRequest("inviteMember"),
  ],
  "updateMember:last-owner": [buildExampleRequest("updateMember", { memberId: "user_demo_owner" })],
  "removeMember:last-owner": [buildExampleRequest("removeMember", { memberId: "user_demo_owner" })],
  "createCheckout:lower-plan": [
    { ...buildExampleRequest("createCheckout"), as: "owner@demo.test org_demo_enterprise" },
  ],
};

/** Statements that are refused with an SQL error, as a query and as a change of tables. */
const statements: Readonly<Partial<Record<(typeof sqlErrorCodes)[number], readonly [string, string]>>> = {
  SQL_SYNTAX_ERROR: ["SELEC name FROM products", "CREAT TABLE orders"],
  SQL_VALIDATION_ERROR: ["SELECT colour FROM products", "CREATE INDEX by_colour ON products (colour)"],
  ACCESS_DENIED: ["DELETE FROM products WHERE sku = 'sku-03'", "DROP TABLE products"],
  TABLE_NOT_FOUND: ["SELECT * FROM product", "DROP TABLE product"],
};

/** A statement or another database, or a fault rule where neither leads to the error. */
function buildSqlRecipe(operationId: OperationId, code: (typeof sqlErrorCodes)[number]): Recipe {
  const sql = statements[code]?.[operationId === "runSqlQuery" ? 0 : 1];
  const request = buildExampleRequest(operationId);
  if (code === "DATABASE_NOT_FOUND") return [buildExampleRequest(operationId, { databaseId: "db_missing" })];
  if (sql === undefined || request.body === undefined)
    return buildFailureRecipe(operationId, { kind: "error", code });
  const as = code === "ACCESS_DENIED" ? "dsk_demo_database_read" : request.as;
  return [{ ...request, as, body: { sql } }];
}
