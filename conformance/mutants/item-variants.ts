import {
  type StringComparator,
  matchesSortKeyWithComparator,
  type SortKeyCondition,
  type SortKeyOperator,
} from "../models/sort-key.js";
import { stringifyJson } from "../client/json-text.js";
import { limits } from "../../openapi/clauses/limits.js";
import { addMinutesToTimestamps, truncateTimestampsToSeconds } from "./rewrite-responses.js";
import { sleep } from "../client/time-source.js";
import { type Variant, variant } from "./mutant.js";
import { createPage, fetchAllEntries, insertEmptyPages } from "./paged-lists.js";
import {
  type AnyJson,
  type InterceptedRequest,
  type Interceptor,
  changeBody,
  omitFields,
  createErrorResponse,
  createSuccessResponse,
  noContentResponse,
} from "./intercept.js";

const lists = ["queryItems", "scanItems"] as const;

const bulkWrites = ["putItem", "batchWriteItems", "transactWriteItems"] as const;

/** Whether an item or a transaction in a request is too large, by the number of bytes in a kilobyte. */
function exceedsSizeLimits(kilobyte: number): (request: InterceptedRequest) => boolean {
  const countBytes = (value: AnyJson) => Buffer.byteLength(stringifyJson(value ?? null));
  return ({ operationId, body }) =>
    [body].concat(body?.items ?? []).some((item: AnyJson) => countBytes(item?.data) > 400 * kilobyte) ||
    (operationId === "transactWriteItems" && countBytes(body) > 4 * kilobyte ** 2);
}

/** Uses the number of items on earlier pages as a cursor. */
const useOffsetCursors: Interceptor = async (request) => {
  if (typeof request.body !== "object") return request.send();
  const { entries, last } = await fetchAllEntries(
    request,
    "items",
    omitFields(request.body, "limit", "cursor"),
  );
  return createPage(request, last, "items", entries);
};

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Parses the condition of a query; undefined if it is not a condition. */
function parseCondition(text: unknown): SortKeyCondition | undefined {
  const [, form, value = ""] = /^(=|<=|>=|<|>|begins_with|between):(.*)$/s.exec(String(text)) ?? [];
  const [low = "", ...high] = form === "between" ? value.split(":") : [value];
  return form === undefined ? undefined : { form: form as SortKeyOperator, value: low, high: high.join(":") };
}

/** Queries use a different order, also for conditions. */
function orderBy(compare: StringComparator): Interceptor {
  return async (request) => {
    const { partitionKey, filterExpression, sortKeyCondition, scanForward, limit = 20 } = request.body ?? {};
    const isOrdered = typeof partitionKey === "string" && Number.isInteger(limit) && limit > 0;
    const condition = parseCondition(sortKeyCondition);
    if (!isOrdered || (condition === undefined && sortKeyCondition !== undefined)) return request.send();
    const { entries, last } = await fetchAllEntries(request, "items", { partitionKey, filterExpression });
    if (last.status !== 200) return last;
    if (condition?.form === "between" && compare(condition.value, condition.high ?? "") > 0)
      return createErrorResponse(400);
    // The item without a sort key comes first, and matches no condition.
    const place = ({ sk }: AnyJson, { sk: other }: AnyJson): number =>
      sk === null || other === null ? Number(other === null) - Number(sk === null) : compare(sk, other);
    const found = entries
      .filter(
        ({ sk }) =>
          condition === undefined ||
          (sk !== null && matchesSortKeyWithComparator(compare, condition, sk as string)),
      )
      .toSorted((a, b) => (scanForward === false ? -1 : 1) * place(a, b));
    return createPage(request, last, "items", found);
  };
}

/** Compares texts by the rules of a language, and equal texts by their code units. */
function compareInLanguage(options: Intl.CollatorOptions): StringComparator {
  const { compare } = new Intl.Collator("en", options);
  return (a, b) => compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}

/** Whether all keys in a request are short and consist of plain characters. */
function hasNarrowKeys({ path, body }: InterceptedRequest): boolean {
  const entries = [path, body, ...(body?.items ?? []), ...(body?.keys ?? [])];
  const keys = entries.flatMap((entry) => [entry?.pk, entry?.sk, entry?.partitionKey]);
  return keys.every((key: unknown) => typeof key !== "string" || /^[\w.-]{1,64}$/.test(key));
}

/** Answers batches and transactions with too many entries, or of callers without the right, like other failures. */
const answerFailedBatches: Interceptor = async (request) => {
  const { items, keys } = request.body ?? {};
  const named = (entries: readonly AnyJson[]) => entries.map(({ pk, sk = null }) => ({ pk, sk }));
  const response = await request.send();
  const isLarge = items?.length > limits.batchWriteItems || keys?.length > limits.batchGetKeys;
  if (response.status < 400 || !(isLarge || [401, 403].includes(response.status))) return response;
  if (keys !== undefined) return createSuccessResponse({ items: [], unprocessedKeys: named(keys) });
  if (request.operationId === "transactGetItems") return createSuccessResponse({ items: [] });
  const failure = { error: "refused", errorType: "ValidationError" };
  const errors = named(items).map((key, itemIndex) => ({ itemIndex, ...key, ...failure }));
  return createSuccessResponse({ successCount: 0, failedCount: errors.length, errors });
};

/** The response to a batch or transaction without a body, which has no entries. */
const emptyBatchResponse = createSuccessResponse({
  ...({ items: [], unprocessedKeys: null } as const),
  ...({ successCount: 0, failedCount: 0, errors: null } as const),
});

/** Harmless differences in items, batches and transactions. */
export const itemVariants: readonly Variant[] = [
  variant("items/slashes-end-paths", /^(?:get|delete)Item/).respondToRequest(
    ({ path }) => Object.values(path).some((key) => key.includes("/")),
    { status: 404, headers: { "content-type": "text/html" }, body: "Not Found" },
  ),
  variant("items/empty-pages", lists).by(insertEmptyPages("items", "nextCursor")),
  variant("items/no-sk-last", "queryItems").changeResponseBody((body, request) => {
    if (request.body?.cursor !== undefined || body.nextCursor !== null) return;
    const isBare = ({ sk }: AnyJson) => sk === null;
    body.items = [...body.items.filter((item: AnyJson) => !isBare(item)), ...body.items.filter(isBare)];
  }),
  variant("items/scanned-nothing", lists).changeResponseBody((body) => {
    if (body.nextCursor === null) body.scannedCount = 0;
  }),
  variant("items/spelled-operators", ["putItem", "transactWriteItems"], {
    alsoIn: ["transactions", "concurrency"],
  }).rejectRequests(({ body }) => / (=|<|<=|>) :/.test(JSON.stringify(body))),
  // Ignores case, and compares texts with numbers by value.
  variant("items/filter-loose", lists).by((request) => {
    const { filterExpression, ...rest } = request.body ?? {};
    if (filterExpression === undefined) return request.send();
    const isMatch = (value: unknown, wanted: unknown) =>
      String(value).toLowerCase() === String(wanted).toLowerCase() || Number(value) === Number(wanted);
    return changeBody(request.send({ body: rest }), (body) => {
      body.items = body.items.filter(({ data }: AnyJson) =>
        Object.entries(filterExpression).every(([field, wanted]) => isMatch(data[field], wanted)),
      );
      body.count = body.items.length;
    });
  }),
  variant("limits/connections-closed-on-large-bodies", bulkWrites, { alsoIn: ["batches"] }).respondToRequest(
    exceedsSizeLimits(1024),
    () => Promise.reject(new TypeError("fetch failed")),
  ),
  // A kilobyte has 1000 bytes, and an item that is too large fails its whole request.
  variant("limits/large-items-fail-requests", bulkWrites, { alsoIn: ["batches"] }).rejectRequests(
    exceedsSizeLimits(1000),
    413,
  ),
  variant("items/seconds-in-batches", /^(?:batch|transact)/).by((request) =>
    request.body === undefined ? emptyBatchResponse : truncateTimestampsToSeconds(request),
  ),
  variant("items/clock-five-minutes-fast", /^(?:get|put|delete|batchGet)Item/).by(addMinutesToTimestamps(5)),
  variant("batches/all-failed", "batchWriteItems").replaceResponse(
    ({ body }) => body?.successCount === 0,
    (_, response) => ({ ...response, status: 400 }),
  ),
  variant("batches/empty-lists", ["batchWriteItems", "batchGetItems", "transactWriteItems"], {
    alsoIn: ["transactions"],
  }).changeResponseBody((body) => {
    for (const list of ["errors", "unprocessedKeys"]) if (body[list] === null) body[list] = [];
  }),
  variant("batches/other-order", "batchGetItems").changeResponseBody((body) => body.items.reverse()),
  variant("transactions/projected-record-at-top", "transactGetItems").changeResponseBody((body, request) => {
    for (const [index, { pk, sk, item }] of body.items.entries()) {
      if (item === null) continue;
      const isProjected = request.body.items[index].projectionExpression !== undefined;
      const time = "2030-01-01T00:00:00Z";
      body.items[index].item = isProjected
        ? { pk, sk, ...item }
        : { pk, sk, data: item, createdAt: time, updatedAt: time };
    }
  }),
  variant("transactions/failures-forgotten", "transactWriteItems", { alsoIn: ["sequences"] }).by(
    async (request) => {
      const token: unknown = request.body?.clientRequestToken;
      const failed: number = request.memory.get(token) ?? 0;
      const body = { ...request.body, clientRequestToken: `${String(token)}/${failed}` };
      const response = await request.send(failed === 0 ? {} : { body });
      if (token !== undefined && response.body?.errors?.length > 0) request.memory.add(token);
      return response;
    },
  ),
  variant("transactions/first-error-only", "transactWriteItems").changeResponseBody((body) =>
    body.errors?.splice(1),
  ),
  variant("transactions/every-operation-in-errors", "transactWriteItems").changeResponseBody(
    (body, request) => {
      const canceled = { error: "The transaction was canceled.", errorType: "TransactionCanceled" };
      if (body.errors?.length > 0)
        body.errors = request.body.items.map(
          ({ pk, sk = null }: AnyJson, itemIndex: number) =>
            body.errors.find((error: AnyJson) => error.itemIndex === itemIndex) ?? {
              itemIndex,
              pk,
              sk,
              ...canceled,
            },
        );
    },
  ),
  variant("transactions/strict-projections", "transactGetItems").rejectRequests(({ body }) => {
    const isOdd = (names: readonly string[] = []) =>
      new Set(names).size < names.length || names.some((name) => name.includes("."));
    return body?.items?.some(({ projectionExpression }: AnyJson) => isOdd(projectionExpression)) === true;
  }),
  variant("concurrency/token-in-progress", "transactWriteItems").by(async (request) => {
    const token: unknown = request.body?.clientRequestToken;
    if (token === undefined) return request.send();
    if (request.memory.get(token) === true) return createErrorResponse(409);
    request.memory.set(token, true);
    await sleep(1);
    const response = await request.send();
    request.memory.set(token, false);
    return response;
  }),
  variant("items/offset-cursors", lists, { alsoIn: ["sequences", "concurrency"] }).by(useOffsetCursors),
  variant("transactions/uuid-tokens", /^transact/, {
    alsoIn: ["concurrency", "sequences", "time", "limits"],
  }).rejectRequests(({ body }) => {
    const token: unknown = body?.clientRequestToken;
    return typeof token === "string" && !uuid.test(token);
  }),
  ...(
    [
      ["language", {}],
      ["language-capitals-first", { caseFirst: "upper" }],
      ["language-without-punctuation", { ignorePunctuation: true }],
    ] as const
  ).map(([name, options]) =>
    variant(`items/order-of-${name}`, "queryItems").by(orderBy(compareInLanguage(options))),
  ),
  variant("items/keys-in-one-column", "putItem").rejectRequests(
    ({ body }) => String(body?.pk).length + String(body?.sk ?? "").length > 254,
  ),
  variant("items/narrow-keys", /Item/, {
    alsoIn: ["batches", "transactions", "sequences", "concurrency"],
  }).rejectRequests((request) => !hasNarrowKeys(request), 422),
  variant("limits/batches-answered", /^(?:batch|transact)/, { alsoIn: ["access"] }).by(answerFailedBatches),
  variant(
    "isolation/items-of-each-organization",
    /^putItem$|^delete(?:Item|Entity|Repository|Database)/,
  ).replaceResponse(404, ({ operationId, body }) =>
    operationId === "putItem"
      ? createSuccessResponse({ pk: body.pk, sk: body.sk ?? null, updatedAt: new Date().toISOString() })
      : noContentResponse,
  ),
];
