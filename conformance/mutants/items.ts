import { isJsonObject } from "../client/json-text.js";
import { tryTo } from "../../openapi/text/try-to.js";
import { sleep } from "../client/time-source.js";
import { compareUtf8 } from "../models/sort-key.js";
import {
  getItemsPath,
  getItemPath,
  fetchItemData,
  queryPartition,
  deleteItems,
  touchItems,
} from "./item-requests.js";
import {
  type AnyJson,
  type Interceptor,
  type InterceptedResponse,
  type InterceptedRequest,
  copyJson,
  omitFields,
  changeBody,
  createErrorResponse,
  createSuccessResponse,
  noContentResponse,
} from "./intercept.js";
import { type Mutant, createMutantBuilder } from "./mutant.js";
import { addMinutesToTimestamps } from "./rewrite-responses.js";
import { tampers } from "./tampers.js";

const puts = ["putItem"] as const;
const gets = ["getItem", "getItemWithSortKey"] as const;
const deletes = ["deleteItem", "deleteItemWithSortKey"] as const;
const lists = ["queryItems", "scanItems"] as const;

/** Changes the items of pages, and updates their counts. */
function changeItems(
  change: (items: AnyJson[], body: AnyJson, request: InterceptedRequest) => AnyJson[] | Promise<AnyJson[]>,
): Interceptor {
  return tampers.changeResponseBody(async (body, request) => {
    body.items = await change(body.items, body, request);
    body.count = body.items.length;
    body.scannedCount = Math.max(body.scannedCount, body.count);
  });
}

/** Sends queries with a different sort-key condition. */
const rewriteCondition = (pattern: RegExp, replacement: string): Interceptor =>
  tampers.rewriteText("sortKeyCondition", pattern, replacement);

function isAbsenceCondition({ body }: InterceptedRequest): boolean {
  return body?.conditionExpression === "attribute_not_exists(pk)";
}

/** Whether the partition of a request has items. */
const isPartitionFilled = async (request: InterceptedRequest): Promise<boolean> =>
  (await queryPartition(request, request.body.pk as string)).length > 0;

const fetchCurrentData = (request: InterceptedRequest): Promise<AnyJson> =>
  fetchItemData(request, request.body.pk as string, request.body.sk as string);

/** Creates the response to a Put that was not executed. */
function createPutResponse({ body: { pk, sk = null } }: InterceptedRequest): InterceptedResponse {
  return createSuccessResponse({ pk, sk, updatedAt: "2030-01-01T00:00:00.000Z" });
}

const scan: Interceptor = (request) => request.ask("POST", getItemsPath(request, "/scan"), { limit: 1000 });

const bytesOf = ({ body }: InterceptedRequest): number =>
  Buffer.byteLength(JSON.stringify(body?.data ?? null));

const mutant = createMutantBuilder({ changeItems, rewriteCondition });

/** Faults of a deployment that changes the texts in data before it stores them. */
export const changesOfTexts = {
  "drops-control-characters": changeTexts(/[\0-\x1f]/g, ""),
  "escapes-html": changeTexts(/</g, "&lt;"),
  "unescapes-html": changeTexts(/&lt;/g, "<"),
  "unifies-line-ends": changeTexts(/\r\n/g, "\n"),
  "shortens-times": changeTexts(/\.000Z$/, "Z"),
  "reads-json-in-texts": (data: AnyJson) =>
    copyJson(data, (value) =>
      typeof value === "string" && /^[[{].*[}\]]$/s.test(value) ? tryTo(() => JSON.parse(value)) : value,
    ),
  "keeps-one-of-names-in-other-case": (data: AnyJson) =>
    copyJson(data, (value) => (isJsonObject(value) ? dropNamesInOtherCase(value) : value)),
};

/** Drops fields whose name is that of a later field in another case. */
function dropNamesInOtherCase(object: object): object {
  const seen = new Map(Object.keys(object).map((name) => [name.toLowerCase(), name]));
  return Object.fromEntries(Object.entries(object).filter(([name]) => seen.get(name.toLowerCase()) === name));
}

function changeTexts(pattern: RegExp, replacement: string): (data: AnyJson) => AnyJson {
  return (data) =>
    copyJson(data, (value) => (typeof value === "string" ? value.replace(pattern, replacement) : value));
}

/** Faults in single items, queries and scans. */
export const itemMutants: readonly Mutant[] = [
  mutant("items/local-times-as-utc", "GEN-01", /^(?:get|put|delete|batchGet)Item/).by(
    addMinutesToTimestamps(120),
  ),
  mutant("items/queries-cached-despite-put", "ITEM-02", /^(?:queryItems|deleteItem|\w+WriteItems$)/).by(
    async ({ operationId, path, body, memory, send }) => {
      if (operationId !== "queryItems") {
        memory.add("writes");
        return send();
      }
      const key = [path.databaseId, body, memory.get("writes")];
      return memory.get(key) ?? memory.set(key, await send());
    },
  ),
  mutant("items/texts-never-greater", "ITEM-06", puts).rejectRequests(
    ({ body }) => / >= :/.test(body?.conditionExpression) && JSON.stringify(body).includes('"2030-01-02"'),
  ),
  mutant("items/put-loses-non-ascii-sk", "ITEM-02", puts).respondToRequest(
    ({ body }) => !/^[\0-\x7f]*$/.test(body?.sk ?? ""),
    createPutResponse,
  ),
  mutant("items/put-merges", "ITEM-03", puts).replaceRequestField("data", async (data, request) =>
    typeof data === "object" ? { ...(await fetchCurrentData(request)), ...data } : data,
  ),
  mutant("items/not-exists-looks-at-partition", "ITEM-04", puts).rejectRequests(
    async (request) => isAbsenceCondition(request) && (await isPartitionFilled(request)),
  ),
  mutant("items/exists-looks-at-partition", "ITEM-05", puts).ignoreFields(
    ["conditionExpression"],
    async (request) =>
      request.body.conditionExpression === "attribute_exists(pk)" && (await isPartitionFilled(request)),
  ),
  ...(
    [
      [">=", ">"],
      ["<=", "<"],
      [">", ">="],
      ["<", "<="],
    ] as const
  ).map(([meant, taken]) =>
    mutant(`items/compares-${taken}-for-${meant}`, "ITEM-06", puts).rewriteText(
      "conditionExpression",
      ` ${meant} `,
      ` ${taken} `,
    ),
  ),
  mutant("items/condition-names-in-lower-case", "ITEM-06", puts).rewriteText(
    "conditionExpression",
    /^\w+(?= [<>=])/,
    (name) => name.toLowerCase(),
  ),
  mutant("items/comparison-holds-without-item", "ITEM-06", puts).ignoreFields(
    ["conditionExpression", "filterValues"],
    async (request) =>
      String(request.body.conditionExpression).includes(":") &&
      (await fetchCurrentData(request)) === undefined,
  ),
  mutant("items/false-condition-touches", "ITEM-07", puts).runAfterResponse(409, (request) =>
    touchItems(request, [request.body]),
  ),
  mutant("items/put-without-data-accepted", "ITEM-08", puts).addDefaultParameters({ data: {} }),
  // A deployment that refuses control characters in keys.
  mutant("items/plus-in-path-is-space", "ITEM-12", /^(?:put|get|delete)Item/).by((request) => {
    const { path, body } = request;
    if (/\p{Cc}/u.test([path.pk, path.sk, body?.pk, body?.sk].join(""))) return createErrorResponse(422);
    const decoded = Object.entries(path).map(([name, text]) => [name, text.replaceAll("+", " ")]);
    return request.send({ path: Object.fromEntries(decoded) as Readonly<Record<string, string>> });
  }),
  ...Object.entries(changesOfTexts).map(([name, change]) =>
    mutant(`items/put-${name}`, "ITEM-09", puts).replaceRequestField("data", change),
  ),
  mutant("items/query-cuts-arrays-to-256", "ITEM-09", "queryItems").replaceField("items.*.data.*", (value) =>
    Array.isArray(value) ? value.slice(0, 256) : value,
  ),
  mutant("items/get-answers-empty-sk", "ITEM-10", gets).replaceField("sk", (sk) => sk ?? ""),
  ...(
    [
      ["case", (text: string) => text.toLowerCase()],
      ["space-at-end", (text: string) => text.trimEnd() || text],
      ["byte-order-mark", (text: string) => text.replace(/^\ufeff/, "") || text],
      ["composition", (text: string) => text.normalize("NFC")],
    ] as const
  ).map(([name, fold]) =>
    mutant(`items/sk-folds-${name}`, "ITEM-11", [...puts, ...gets, ...deletes]).by((request) => {
      const sk: unknown = request.body?.sk ?? request.path.sk;
      if (typeof sk !== "string") return request.send();
      const sent =
        request.body === undefined ? { path: { sk: fold(sk) } } : { body: { ...request.body, sk: fold(sk) } };
      return changeBody(request.send(sent), (body) => (body.sk = sk));
    }),
  ),
  ...(["queryItems", "batchGetItems", "transactGetItems"] as const).map((reader) =>
    mutant(`items/stale-${reader}`, "ITEM-03", [...puts, reader]).changeResponseBody((body, request) => {
      const recallFirst = ({ pk, sk = null }: AnyJson, data?: AnyJson): AnyJson =>
        request.memory.keepFirst([request.path.databaseId, pk, sk], data);
      if (request.operationId === "putItem") recallFirst(body, request.body.data);
      for (const item of body.items ?? []) {
        const field = "data" in item ? "data" : "item";
        item[field] &&= recallFirst(item) ?? item[field];
      }
    }),
  ),
  mutant("items/delete-without-sk-deletes-partition", "ITEM-11", "deleteItem").by(async (request) => {
    await deleteItems(request, await queryPartition(request, request.path.pk ?? ""));
    return request.send();
  }),
  mutant("items/reads-cached-for-each-caller", "ITEM-03", /Item/).cacheUntilOwnWrite(),
  mutant("items/stale-get", "ITEM-12", gets).freezeField("data"),
  mutant("items/update-renews-created-at", "ITEM-38", [...gets, "transactWriteItems"]).by((request) => {
    for (const { action, pk } of request.body?.items ?? [])
      if (action === "Update") request.memory.set(pk, true);
    return changeBody(request.send(), (body) => {
      if (request.memory.get(body.pk) === true) body.createdAt = body.updatedAt;
    });
  }),
  mutant("items/get-without-sk-finds-first", "ITEM-13", "getItem").replaceResponse(
    404,
    async (request, response) => {
      const [first] = await queryPartition(request, request.path.pk ?? "");
      return first === undefined ? response : request.ask("GET", getItemPath(request, first.pk, first.sk));
    },
  ),
  mutant("items/found-in-any-database", "ITEM-13", [...gets, "batchWriteItems"]).by(async (request) => {
    const { databaseId = "", pk } = request.path;
    for (const item of request.body?.items ?? [])
      if (item?.sk === "elsewhere") request.memory.set(item.pk, { databaseId });
    const response = await request.send();
    return response.status === 404 ? request.send({ path: request.memory.get(pk) }) : response;
  }),
  mutant("items/problem-without-detail", "ITEM-14", gets).replaceResponse(404, (_, response) => ({
    ...response,
    body: omitFields(response.body, "detail"),
  })),
  mutant("items/delete-without-sk-does-nothing", "ITEM-15", "deleteItem").respondToRequest(
    () => true,
    noContentResponse,
  ),
  mutant("items/query-finds-longer-partition-keys", "ITEM-16", "queryItems").changeItems(
    async (items, _, request) => {
      const { partitionKey, limit = 20, cursor } = request.body;
      if (cursor !== undefined) return items;
      const isLonger = ({ pk }: AnyJson) => pk !== partitionKey && pk.startsWith(partitionKey);
      const more: AnyJson[] = ((await scan(request)).body?.items ?? []).filter(isLonger);
      return [...items, ...more].slice(0, Math.max(limit, items.length));
    },
  ),
  mutant("items/query-skips-no-sk", "ITEM-17", "queryItems").changeItems((items) =>
    items.filter(({ sk }) => sk !== null),
  ),
  mutant("items/equal-means-prefix", "ITEM-18", "queryItems").rewriteCondition(/^=:/, "begins_with:"),
  mutant("items/less-includes-bound", "ITEM-19", "queryItems").rewriteCondition(/^<:/, "<=:"),
  mutant("items/less-or-equal-excludes-bound", "ITEM-20", "queryItems").rewriteCondition(/^<=:/, "<:"),
  mutant("items/greater-includes-bound", "ITEM-21", "queryItems").rewriteCondition(/^>:/, ">=:"),
  mutant("items/greater-or-equal-excludes-bound", "ITEM-22", "queryItems").rewriteCondition(/^>=:/, ">:"),
  mutant("items/underscore-is-wildcard", "ITEM-23", "queryItems").rewriteCondition(
    /^begins_with:a_$/,
    "begins_with:a",
  ),
  mutant("items/prefix-shortened", "ITEM-23", "queryItems").rewriteCondition(/^(begins_with:.*).$/su, "$1"),
  mutant("items/between-excludes-high", "ITEM-24", "queryItems").changeItems((items, _, { body }) =>
    items.filter(
      ({ sk }) => !/^between:.*:/s.test(body.sortKeyCondition) || !body.sortKeyCondition.endsWith(`:${sk}`),
    ),
  ),
  mutant("items/malformed-condition-scans", "ITEM-25", "queryItems").replaceResponse(
    ({ status }, { body }) => status === 400 && typeof body?.sortKeyCondition === "string",
    scan,
  ),
  mutant("items/digits-in-order-of-value", "ITEM-26", "queryItems").changeItems((items, _, { body }) => {
    const value = ({ sk }: AnyJson) => (/^\d+$/.test(sk ?? "") ? Number(sk) : Infinity);
    return body.scanForward === false
      ? items
      : items.toSorted((a, b) => value(a) - value(b) || compareUtf8(a.sk ?? "", b.sk ?? ""));
  }),
  mutant("items/descending-pages-not-reversed", "ITEM-27", "queryItems").changeItems((items, _, { body }) =>
    body.scanForward === false ? items.toReversed() : items,
  ),
  mutant("items/count-at-most-ten", "ITEM-29", lists).replaceField("count", (count) => Math.min(count, 10)),
  mutant("items/filter-scans-zero", "ITEM-39", "queryItems").replaceField(
    "scannedCount",
    (count, { body }) => (body.filterExpression === undefined ? count : 0),
  ),
  mutant("items/cursor-ignored", "ITEM-30", lists).ignoreFields(["cursor"]),
  mutant("items/limit-plus-one", "ITEM-31", lists).changeLimit((limit) => limit + 1),
  ...lists.map((list) =>
    mutant(`items/default-limit-10-of-${list}`, "GEN-07", list).addDefaultParameters({ limit: 10 }),
  ),
  mutant("items/cursor-after-the-last-item", "GEN-03", lists).by((request) =>
    request.body.cursor === "end"
      ? createSuccessResponse({ items: [], nextCursor: null, count: 0, scannedCount: 0 })
      : changeBody(request.send(), (body) => {
          if (body.items.length > 0) body.nextCursor ??= "end";
        }),
  ),
  mutant("items/later-pages-lose-first", "GEN-04", lists).changeItems((items, _, { body }) =>
    typeof body.cursor === "string" ? items.slice(1) : items,
  ),
  mutant("items/query-ends-after-50", "GEN-04", "queryItems").endList("items", "nextCursor", 50),
  ...(["queryItems", "batchGetItems", "transactGetItems", "deleteItemWithSortKey"] as const).map(
    (operation) =>
      mutant(`items/${operation}-in-last-written-database`, "ITEM-33", ["batchWriteItems", operation]).by(
        ({ memory, path, body, operationId, send }) => {
          const entries: AnyJson[] = body?.keys ?? body?.items ?? [{ pk: body?.partitionKey ?? path.pk }];
          if (operationId === "batchWriteItems")
            for (const { pk } of entries) memory.set(pk, path.databaseId);
          return send({ path: { ...path, databaseId: memory.get(entries[0]?.pk) ?? path.databaseId } });
        },
      ),
  ),
  mutant("items/scan-ends-after-50", "ITEM-33", "scanItems").endList("items", "nextCursor", 50),
  ...lists.map((list) =>
    mutant(`items/${list}-ends-at-megabyte`, list === "queryItems" ? "GEN-04" : "ITEM-33", list).changeItems(
      (items, body) => {
        const shown = items.filter((_, at) => JSON.stringify(items.slice(0, at + 1)).length < 1e6);
        if (shown.length < items.length) body.nextCursor = null;
        return shown;
      },
    ),
  ),
  mutant("items/filter-ignored-with-condition", "ITEM-32", "queryItems").ignoreFields(
    ["filterExpression"],
    ({ body }) => body.sortKeyCondition !== undefined,
  ),
  mutant("items/empty-page-ends-list", "ITEM-32", lists).changeResponseBody((body) => {
    if (body.items.length === 0) body.nextCursor = null;
  }),
  mutant("items/query-without-partition-key-scans", "ITEM-34", "queryItems").respondToRequest(
    ({ body }) => body?.partitionKey === undefined,
    scan,
  ),
  mutant("items/batch-get-shows-times-of-first", "ITEM-38", "batchGetItems").changeResponseBody((body) => {
    const [{ createdAt, updatedAt } = {} as AnyJson] = body.items;
    for (const item of body.items) Object.assign(item, { createdAt, updatedAt });
  }),
  mutant("items/updated-at-stays", "ITEM-38", gets).freezeField("updatedAt"),
  mutant("items/query-requires-charset", "GEN-09", "queryItems").rejectRequests(
    ({ headers }) => headers["content-type"] === "application/json",
  ),
  mutant("limits/items-of-390-kb-refused", "ITEM-35", puts).rejectRequests(
    (request) => bytesOf(request) > 390_000,
  ),
  mutant("limits/items-of-420-kb-accepted", "ITEM-36", puts).replaceResponse(
    ({ status }, request) => status === 413 && bytesOf(request) <= 420_000,
    createPutResponse,
  ),
  mutant("limits/item-size-in-characters", "ITEM-36", puts).replaceResponse(
    ({ status }, { body }) => status === 413 && JSON.stringify(body.data).length < 300 * 1024,
    createPutResponse,
  ),
  ...[":", "|", "-"].map((separator) =>
    mutant(`items/keys-joined-with-${separator}`, "ITEM-11", /^(?:put|get|delete)Item/).by((request) => {
      const { operationId, path, body } = request;
      const { pk, sk } = operationId === "putItem" ? body : path;
      if (typeof pk !== "string" || typeof sk !== "string") return request.send();
      const joined = [pk, sk].join(separator);
      const at = joined.lastIndexOf(separator);
      const key = { pk: joined.slice(0, at), sk: joined.slice(at + 1) };
      if (key.pk === pk || key.sk === "") return request.send();
      return request.send(operationId === "putItem" ? { body: { ...body, ...key } } : { path: key });
    }),
  ),
  mutant("concurrency/partition-is-one-document", "ITEM-02", puts).by(async (request) => {
    const { pk, sk } = request.body ?? {};
    const list = async () => queryPartition(request, pk as string);
    const before = (await list()).map((item) => item.sk as string);
    await sleep(3);
    const response = await request.send();
    await deleteItems(
      request,
      (await list()).filter((item) => item.sk !== sk && !before.includes(item.sk as string)),
    );
    return response;
  }),
  mutant("concurrency/checks-absence-then-puts", "ITEM-04", puts).ignoreFields(
    ["conditionExpression"],
    async (request) => {
      if (!isAbsenceCondition(request) || (await fetchCurrentData(request)) !== undefined) return false;
      await sleep(3);
      return true;
    },
  ),
  mutant("concurrency/compares-then-puts", "ITEM-06", puts).ignoreFields(
    ["conditionExpression", "filterValues"],
    async (request) => {
      const { conditionExpression, filterValues } = request.body;
      if (conditionExpression !== "left >= :seen") return false;
      if ((await fetchCurrentData(request))?.left !== filterValues?.[":seen"]) return false;
      await sleep(3);
      return true;
    },
  ),
];
