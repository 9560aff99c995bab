import type { ClauseId } from "../clauses/register.js";
import type { OperationId } from "../operations/register.js";
import { transactionErrorTypes } from "../schemas/batches.js";
import { loginStatuses } from "../schemas/session.js";
import { tryTo } from "../text/try-to.js";
import {
  unrestrictedApiKey,
  buildOperationSituations,
  buildExampleRequest,
  buildFailureRecipe,
  buildFaultRuleRequest,
  ownerCredential,
} from "./operation-situations.js";
import type { Recipe, RecipeRequest } from "./recipe.js";
import type { Exchange, KeepFunction, Scenario, ScenarioStep, Situation } from "./situation.js";

const items = "/api/v1/databases/db_demo/items";
const currency = `${items}/settings/currency`;
const readCurrency: RecipeRequest = { request: `GET ${currency}`, as: unrestrictedApiKey };

function defineScenario(
  id: string,
  title: string,
  clause: ClauseId | undefined,
  [operationId, ...steps]: readonly [OperationId, ...ScenarioStep[]],
  recipe: Recipe,
): Scenario {
  return { id, group: "scenarios", operationId, title, ...(clause && { clause }), steps, recipe };
}

/** Finds the text of a field at any depth of JSON. Does not parse the JSON, because pages are long. */
function findField(json: string, name: string): string | undefined {
  const quoted = `"${name}"`;
  for (let at = json.indexOf(quoted); at >= 0; at = json.indexOf(quoted, at + 1)) {
    textValue.lastIndex = at + quoted.length;
    const found = textValue.exec(json)?.[1];
    if (found !== undefined) return tryTo(() => JSON.parse(found) as string);
  }
  return undefined;
}

/** Matches texts that are short enough for a regular expression; scenarios do not keep longer texts. */
const textValue = /\s*:\s*("(?:[^"\\]|\\.){0,8192}")/y;

/** Maximum length of JSON to parse; the requests and responses of scenarios are shorter. */
const maxParsedCharacters = 64 * 1024;

/** Parses a JSON object. Returns an empty object for anything else, because a body may not be JSON. */
function parseObject(json: string): Readonly<Record<string, unknown>> {
  if (json.length > maxParsedCharacters) return {};
  const value = tryTo(() => JSON.parse(json) as unknown);
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function keepRequestField(name: string) {
  return ({ requestBody }: Exchange) => findField(requestBody, name);
}

function keepResponseField(name: string, value?: string) {
  return ({ answerBody }: Exchange) => {
    const found = findField(answerBody, name);
    return value === undefined || found === value ? found : undefined;
  };
}

/** Whether the body of a request, or the query if there is no body, contains a kept text. */
function mentions({ target, requestBody }: Exchange, kept: unknown): boolean {
  const text = String(kept);
  if (requestBody !== "") return requestBody.includes(JSON.stringify(text));
  const encoded = tryTo(() => encodeURIComponent(text));
  return encoded !== undefined && target.includes(encoded);
}

/** Keeps the previous step's value if a condition is true. */
function keepWhere(condition: (exchange: Exchange, kept: unknown) => boolean) {
  return (exchange: Exchange, kept: unknown) => (condition(exchange, kept) ? (kept ?? true) : undefined);
}

/** Keeps the previous step's value if the selected part of an exchange equals it. */
function keepSame(select: (exchange: Exchange) => unknown) {
  return keepWhere((exchange, kept) => select(exchange) === kept);
}

const getTarget = ({ target }: Exchange) => target;

/** Builds the request for a page; without a cursor, for the first page. */
function buildPage(
  operationId: OperationId,
  fields: object,
  cursor?: string,
  name = "cursor",
): RecipeRequest {
  const { request, as, body } = buildExampleRequest(operationId);
  const page = { ...fields, ...(cursor !== undefined && { [name]: cursor }) };
  if (body !== undefined) return { request, as, body: page };
  const query = Object.entries(page).map(([field, value]) => `${field}=${value}`);
  return { request: `${request}?${query.join("&")}`, as };
}

function readPages(
  id: string,
  operationId: OperationId,
  clause: ClauseId,
  fields: object,
  [next, name] = ["nextCursor", "cursor"],
): Scenario {
  const keepCursor = keepResponseField(next);
  const isLast = keepWhere(
    (exchange, kept) => mentions(exchange, kept) && keepCursor(exchange) === undefined,
  );
  return defineScenario(
    `${id}-read-to-its-end`,
    "Several pages are read, up to the last page",
    clause,
    [operationId, [operationId, "success", keepCursor], [operationId, "success", isLast]],
    [undefined, `{1.${next}}`].map((cursor) => buildPage(operationId, fields, cursor, name)),
  );
}

const pages = [
  readPages("query-of-items", "queryItems", "ITEM-30", { partitionKey: "settings", limit: 1 }),
  readPages("scan-of-items", "scanItems", "ITEM-30", { limit: 9 }),
  readPages("list-of-entities", "listEntities", "REPO-33", { limit: 5 }),
  readPages("query-of-entities", "queryEntities", "REPO-33", { limit: 5 }),
  readPages("sql-query", "runSqlQuery", "SQL-26", { sql: "SELECT sku FROM products", limit: 3 }, [
    "nextPageToken",
    "pageToken",
  ]),
];

const emptyPages = (["queryItems", "scanItems"] as const).map((operationId) => {
  const isQuery = operationId === "queryItems";
  const fields = { filterExpression: { status: "none" }, limit: 1 };
  return defineScenario(
    `${isQuery ? "query" : "scan"}-of-items-empty-page`,
    "An empty page is not the last page, and the next page is read",
    "ITEM-30",
    [
      operationId,
      [
        operationId,
        "success",
        (exchange) =>
          /"items"\s*:\s*\[\]/.test(exchange.answerBody)
            ? keepResponseField("nextCursor")(exchange)
            : undefined,
      ],
      [operationId, "success", keepWhere(mentions)],
    ],
    [undefined, "{1.nextCursor}"].map((cursor) =>
      buildPage(operationId, isQuery ? { partitionKey: "customer#ada", ...fields } : fields, cursor),
    ),
  );
});

/** Defines a scenario with one exchange, whose response has a certain value in a field. */
function defineValueScenario(
  id: string,
  title: string,
  clause: ClauseId,
  operationId: OperationId,
  [field, value]: readonly [name: string, value: string],
  recipe: Recipe,
): Scenario {
  return defineScenario(
    `${id}-${toKebabCase(value)}`,
    `${title} ${value}`,
    clause,
    [operationId, [operationId, "success", keepResponseField(field, value)]],
    recipe,
  );
}

const values = [
  ...transactionErrorTypes.map((errorType) =>
    defineValueScenario(
      "transaction",
      "A transaction fails with",
      "TX-13",
      "transactWriteItems",
      ["errorType", errorType],
      buildFailureRecipe("transactWriteItems", { kind: "error", errorType }),
    ),
  ),
  ...loginStatuses
    .filter((status) => status !== "Success")
    .map((loginStatus) =>
      defineValueScenario(
        "login",
        "A login returns the status",
        "AUTH-05",
        "login",
        ["status", loginStatus],
        buildFailureRecipe("login", { kind: "error", loginStatus }),
      ),
    ),
  ...["trialing", "past_due", "incomplete"].map((status) =>
    defineValueScenario(
      "subscription",
      "The payment status is",
      "BILL-04",
      "getPaymentStatus",
      ["status", status],
      [
        { request: "PATCH /_emulator/subscriptions/org_demo_pro", body: { status } },
        buildExampleRequest("getPaymentStatus"),
      ],
    ),
  ),
];

function toKebabCase(name: string): string {
  return name
    .replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`)
    .replace("_", "-")
    .toLowerCase();
}

/** Whether a client has waited for the time given by Retry-After, on either clock. */
function hasWaited({ at, machineAt }: Exchange, kept: unknown): boolean {
  const refused = kept as NonNullable<ReturnType<typeof keepRetryAfter>>;
  const waited = Math.max(at - refused.at, machineAt - refused.machineAt);
  return waited >= refused.retryAfterSeconds * 1000;
}

const keepRetryAfter = ({ at, machineAt, retryAfterSeconds }: Exchange) =>
  retryAfterSeconds === undefined ? undefined : { at, machineAt, retryAfterSeconds };

function defineRetry(
  id: string,
  title: string,
  operationId: OperationId,
  first: readonly [outcome: string, keep?: KeepFunction],
  again: readonly [outcome: string | undefined, keep?: KeepFunction],
  effect: { readonly kind: string; readonly [field: string]: unknown },
  between: Recipe = [],
): Scenario {
  const request = buildExampleRequest(operationId);
  const isDropped = effect.kind === "drop" || effect.kind === "truncate";
  return defineScenario(
    id,
    title,
    undefined,
    [operationId, [undefined, ...first], ["same", ...again]],
    [
      buildFaultRuleRequest(operationId, effect, { count: 1 }),
      { ...request, ...(isDropped && { isDropped }) },
      ...between,
      request,
    ],
  );
}

const limited = { kind: "status", status: 429, retryAfterSeconds: 2 };
const inTwoSeconds: Recipe = [{ request: "PATCH /_emulator/clock", body: { advance: "PT2S" } }];

const retryScenarios = [
  defineRetry(
    "rate-limit-waited-for",
    "A request is rejected with 429 and repeated after the time given by Retry-After",
    "putItem",
    ["rate-limited", keepRetryAfter],
    ["success", keepWhere(hasWaited)],
    limited,
    inTwoSeconds,
  ),
  defineRetry(
    "rate-limit-ignored",
    "A request is rejected with 429 and repeated before the time given by Retry-After",
    "putItem",
    ["rate-limited", keepRetryAfter],
    [undefined, keepWhere((exchange, kept) => !hasWaited(exchange, kept))],
    limited,
  ),
  defineRetry(
    "unavailable-waited-for",
    "The service is unavailable, and the request is repeated after the time given by Retry-After",
    "putItem",
    ["server-error", keepRetryAfter],
    ["success", keepWhere(hasWaited)],
    { ...limited, status: 503 },
    inTwoSeconds,
  ),
  defineRetry(
    "server-error-repeated",
    "The service fails without Retry-After, and the request is repeated",
    "getItem",
    ["server-error", keepWhere(({ retryAfterSeconds }) => retryAfterSeconds === undefined)],
    ["success"],
    { kind: "status", status: 500 },
  ),
  defineRetry(
    "connection-broken-repeated",
    "The connection is lost before the request is executed, and the request is repeated",
    "putItem",
    ["dropped"],
    ["success"],
    { kind: "drop" },
  ),
  defineRetry(
    "connection-broken-after-the-work",
    "The connection is lost after the request was executed, and the request is repeated",
    "createEntity",
    ["dropped-after-work"],
    [undefined],
    { kind: "drop", applied: true },
  ),
  defineRetry(
    "answer-cut-short",
    "The connection is lost in the middle of the response, and the request is repeated",
    "queryItems",
    ["truncated"],
    ["success"],
    { kind: "truncate" },
  ),
];

const buildPut = (as: string, more: object): RecipeRequest => ({
  request: `PUT ${items}`,
  as,
  body: { pk: "settings", sk: "currency", data: { code: "USD" }, ...more },
});
const ifMissing = { conditionExpression: "attribute_not_exists(pk)" };

/** Identifies the item of a put. The path contains the database and, under some profiles, the keys. */
function identifyPut({ target, requestBody }: Exchange): string {
  const { pk, sk } = parseObject(requestBody);
  return JSON.stringify([target, pk, sk]);
}

/** Whether a get reads the item of a put that {@link identifyPut} described. Clients escape keys in several ways. */
function readsItem({ operationId, target }: Exchange, put: unknown): boolean {
  if (!operationId.startsWith("getItem")) return false;
  const [path, ...key] = JSON.parse(String(put)) as [string, ...unknown[]];
  const texts = key.filter((text) => typeof text === "string");
  const decode = (text: string) => tryTo(() => decodeURIComponent(text)) ?? text;
  const read = decode(target);
  return texts.length === 0 ? read === decode(path) : read.endsWith(`/${texts.join("/")}`);
}

/** Keeps an exchange, unless it is large. Its body is parsed only if a later step needs it, because parsing every put is slow. */
function keepSmall(exchange: Exchange): Exchange | undefined {
  return exchange.bodyBytes > 8192 ? undefined : exchange;
}

const writes = [
  defineScenario(
    "put-race-lost",
    "A put is rejected because another caller has changed the item",
    "ITEM-07",
    [
      "putItem",
      ["putItem", "success", keepSmall],
      [
        "putItem",
        "condition-failed",
        keepWhere((exchange, kept) => {
          const first = kept as Exchange;
          return first.caller !== exchange.caller && identifyPut(first) === identifyPut(exchange);
        }),
      ],
    ],
    [
      buildPut("dsk_demo_database_all", { sk: "language" }),
      buildPut(unrestrictedApiKey, { sk: "language", ...ifMissing }),
    ],
  ),
  defineScenario(
    "put-refused-read-and-repeated",
    "A put's condition is false; the item is read and put again",
    "ITEM-07",
    [
      "putItem",
      ["putItem", "condition-failed", identifyPut],
      [undefined, "success", keepWhere(readsItem)],
      ["putItem", "success", keepSame(identifyPut)],
    ],
    [
      buildPut(unrestrictedApiKey, ifMissing),
      readCurrency,
      buildPut(unrestrictedApiKey, { conditionExpression: "attribute_exists(pk)" }),
    ],
  ),
];

/** Keeps the partition key of the first entry of a list in the response. */
function keepFirstKey(list: string) {
  const nonEmptyList = new RegExp(`"${list}"\\s*:\\s*\\[\\s*\\{`);
  return ({ answerBody }: Exchange) => {
    const start = answerBody.search(nonEmptyList);
    return start < 0 ? undefined : findField(answerBody.slice(start), "pk");
  };
}

const batches = [
  defineScenario(
    "batch-get-unprocessed-keys-requested-again",
    "A batch get leaves keys unprocessed, and these keys are requested again",
    "BATCH-10",
    [
      "batchGetItems",
      ["batchGetItems", "success", keepFirstKey("unprocessedKeys")],
      ["batchGetItems", undefined, keepWhere(mentions)],
    ],
    [
      buildFaultRuleRequest("batchGetItems", { kind: "unprocessed" }, { count: 1 }),
      buildExampleRequest("batchGetItems"),
      { ...buildExampleRequest("batchGetItems"), body: { keys: "{2.unprocessedKeys}" } },
    ],
  ),
  defineScenario(
    "batch-write-failed-entry-repeated",
    "An entry of a batch write fails and is sent again",
    "BATCH-05",
    [
      "batchWriteItems",
      ["batchWriteItems", "success", keepFirstKey("errors")],
      ["batchWriteItems", undefined, keepWhere(mentions)],
    ],
    [
      buildFaultRuleRequest("batchWriteItems", { kind: "partial" }, { count: 1 }),
      buildExampleRequest("batchWriteItems"),
      buildExampleRequest("batchWriteItems"),
    ],
  ),
  defineScenario(
    "transaction-repeated-with-its-token",
    "A transaction is repeated with its clientRequestToken",
    "TX-14",
    [
      "transactWriteItems",
      ["transactWriteItems", "success", keepRequestField("clientRequestToken")],
      ["transactWriteItems", "success", keepSame(keepRequestField("clientRequestToken"))],
    ],
    [buildExampleRequest("transactWriteItems"), buildExampleRequest("transactWriteItems")],
  ),
];

const login = buildExampleRequest("login");
const refresh: RecipeRequest = {
  ...buildExampleRequest("refreshSession"),
  body: { refreshToken: "{1.authResponse.refreshToken}" },
};

/** Whether an access token has expired, according to its claims. */
function hasExpired({ credential, at }: Exchange): boolean {
  const claims = parseObject(Buffer.from(credential.split(".")[1] ?? "", "base64url").toString());
  return typeof claims.exp === "number" && claims.exp * 1000 <= at;
}

const sessions = [
  defineScenario(
    "access-token-refreshed",
    "An access token has expired; the session is refreshed and the request is repeated",
    "AUTH-08",
    [
      "refreshSession",
      [undefined, "unauthenticated", (exchange) => (hasExpired(exchange) ? exchange.target : undefined)],
      ["refreshSession", "success", (_exchange, target) => target],
      [undefined, "success", keepSame(getTarget)],
    ],
    [
      login,
      { request: "PATCH /_emulator/clock", body: { advance: "PT2H" } },
      { request: "GET /api/v1/organizations", as: "{1.authResponse.accessToken}" },
      refresh,
      { request: "GET /api/v1/organizations", as: "{4.accessToken}" },
    ],
  ),
  defineScenario(
    "refresh-token-used-twice",
    "A refresh token is used a second time and rejected",
    undefined,
    [
      "refreshSession",
      ["refreshSession", "success", keepRequestField("refreshToken")],
      ["refreshSession", "unauthenticated", keepSame(keepRequestField("refreshToken"))],
    ],
    [login, refresh, refresh],
  ),
];

const members = [
  defineScenario(
    "role-taken-away",
    "A member's role is changed, and the member's next request is rejected",
    "ORG-27",
    [
      "updateMember",
      ["updateMember", "success", keepResponseField("userId")],
      [undefined, "forbidden", keepSame(({ caller }) => caller)],
    ],
    [
      {
        request: "POST /_emulator/sessions",
        body: { email: "member@demo.test", organizationId: "org_demo_pro" },
      },
      { ...buildExampleRequest("updateMember"), body: { role: "readonly" } },
      buildPut("{1.accessToken}", {}),
    ],
  ),
];

const createdDatabaseId = "{1.databaseId}";
const getCreatedDatabase: RecipeRequest = {
  request: buildExampleRequest("getDatabase").request.replace("db_demo", createdDatabaseId),
  as: ownerCredential,
};
const keepDatabaseWithStatus = (status: string) =>
  keepWhere(
    ({ target, answerBody }, databaseId) =>
      target.includes(String(databaseId)) && findField(answerBody, "status") === status,
  );
const changeCreatedDatabase = (status: string): RecipeRequest => ({
  request: `PATCH /_emulator/databases/${createdDatabaseId}`,
  body: { status },
});

const databases = [
  defineScenario(
    "database-waited-for",
    "A new database is polled until it is active",
    "DB-02",
    [
      "getDatabase",
      ["createDatabase", "success", keepResponseField("databaseId")],
      ["getDatabase", "success", keepDatabaseWithStatus("Creating")],
      ["getDatabase", "success", keepDatabaseWithStatus("Active")],
    ],
    [
      buildExampleRequest("createDatabase"),
      changeCreatedDatabase("Creating"),
      getCreatedDatabase,
      changeCreatedDatabase("Active"),
      getCreatedDatabase,
    ],
  ),
];

const billing = [
  defineScenario(
    "subscription-ran-out",
    "A paid plan ends, and the organization returns to the free plan",
    "BILL-12",
    [
      "getPaymentStatus",
      [
        "getPaymentStatus",
        "success",
        keepWhere((exchange) => keepResponseField("planType")(exchange) !== "free"),
      ],
      ["getPaymentStatus", "success", keepResponseField("planType", "free")],
    ],
    [
      buildExampleRequest("getPaymentStatus"),
      { request: "PATCH /_emulator/subscriptions/org_demo_pro", body: { cancelAtPeriodEnd: true } },
      { request: "PATCH /_emulator/clock", body: { advance: "P60D" } },
      buildExampleRequest("getPaymentStatus"),
    ],
  ),
];

/** Sequences of exchanges that a client has to handle. */
export const scenarios: readonly Scenario[] = [
  ...pages,
  ...emptyPages,
  ...writes,
  ...batches,
  ...values,
  ...sessions,
  ...members,
  ...databases,
  ...retryScenarios,
  ...billing,
];

let situations: readonly Situation[] | undefined;

/** Lists all situations: first those of single operations, in the order of the operations, then the scenarios. */
export function listSituations(): readonly Situation[] {
  return (situations ??= [...buildOperationSituations(), ...scenarios]);
}
