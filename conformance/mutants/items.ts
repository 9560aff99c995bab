import { sleep } from "../client/rate-limiter.js";
import { compareUtf8 } from "../models/sort-key.js";
import { getItemsPath, getItemPath, fetchItemData } from "./item-requests.js";
import {
  type AnyJson,
  type InterceptedResponse,
  type InterceptedRequest,
  copyJson,
  omitFields,
  changeBody,
} from "./intercept.js";
import { type Mutant, createMutantBuilder } from "./mutant.js";
import {
  type InterceptorFactory,
  createErrorResponse,
  createSuccessResponse,
  noContentResponse,
  changeResponseBody,
  changeRequestBody,
} from "./tampers.js";

const puts = ["putItem"] as const;
const gets = ["getItem", "getItemWithSortKey"] as const;
const deletes = ["deleteItem", "deleteItemWithSortKey"] as const;
const lists = ["queryItems", "scanItems"] as const;

/** Changes the items of pages, and updates their counts. */
function changeItems(
  change: (items: AnyJson[], body: AnyJson, wire: InterceptedRequest) => AnyJson[],
): InterceptorFactory {
  return changeResponseBody((body, wire) => {
    body.items = change(body.items, body, wire);
    body.count = body.items.length;
    body.scannedCount = Math.max(body.scannedCount, body.count);
  });
}

/** Sends queries with a different sort-key condition. */
function rewriteCondition(pattern: RegExp, replacement: string): InterceptorFactory {
  return changeRequestBody((body) => ({
    ...body,
    ...(typeof body.sortKeyCondition === "string" && {
      sortKeyCondition: body.sortKeyCondition.replace(pattern, replacement),
    }),
  }));
}

/** Puts different data instead of the given data. */
function changePutData(
  change: (data: AnyJson, body: AnyJson, wire: InterceptedRequest) => AnyJson,
): InterceptorFactory {
  return changeRequestBody(async (body, wire) => ({ ...body, data: await change(body.data, body, wire) }));
}

function isAbsenceCondition(condition: unknown): boolean {
  return condition === "attribute_not_exists(pk)";
}

/** Whether the partition of a request has items. */
async function isPartitionFilled(wire: InterceptedRequest): Promise<boolean> {
  const { body } = await wire.ask("POST", getItemsPath(wire, "/query"), { partitionKey: wire.body.pk });
  return body?.count > 0;
}

/** Creates the answer to a Put that was not executed. */
function createPutResponse({ body: { pk, sk = null } }: InterceptedRequest): InterceptedResponse {
  return createSuccessResponse({ pk, sk, updatedAt: "2030-01-01T00:00:00.000Z" });
}

const scan = (wire: InterceptedRequest): Promise<InterceptedResponse> =>
  wire.ask("POST", getItemsPath(wire, "/scan"), { limit: 1000 });

const bytesOf = ({ body }: InterceptedRequest): number =>
  Buffer.byteLength(JSON.stringify(body?.data ?? null));

const mutant = createMutantBuilder({ changeItems, rewriteCondition, changePutData });

/** Faults in single items, queries and scans. */
export const itemMutants: readonly Mutant[] = [
  mutant("items/put-loses-non-ascii-sk", "ITEM-02", puts).answerRequest(
    ({ body }) => !/^[\0-\x7f]*$/.test(body?.sk ?? ""),
    createPutResponse,
  ),
  mutant("items/put-merges", "ITEM-03", puts).changePutData(async (data, { pk, sk }, wire) =>
    typeof data === "object" ? { ...(await fetchItemData(wire, pk, sk)), ...data } : data,
  ),
  mutant("items/not-exists-looks-at-partition", "ITEM-04", puts).by(() => async (wire) => {
    const isRefused = isAbsenceCondition(wire.body?.conditionExpression) && (await isPartitionFilled(wire));
    return isRefused ? createErrorResponse(409) : wire.send();
  }),
  mutant("items/exists-looks-at-partition", "ITEM-05", puts).changeRequestBody(async (body, wire) =>
    body.conditionExpression === "attribute_exists(pk)" && (await isPartitionFilled(wire))
      ? omitFields(body, "conditionExpression")
      : undefined,
  ),
  ...(
    [
      [">=", ">"],
      ["<=", "<"],
      [">", ">="],
      ["<", "<="],
    ] as const
  ).map(([meant, taken]) =>
    mutant(`items/compares-${taken}-for-${meant}`, "ITEM-06", puts).changeRequestBody((body) =>
      typeof body.conditionExpression === "string"
        ? { ...body, conditionExpression: body.conditionExpression.replace(` ${meant} `, ` ${taken} `) }
        : undefined,
    ),
  ),
  mutant("items/comparison-holds-without-item", "ITEM-06", puts).changeRequestBody(async (body, wire) =>
    String(body.conditionExpression).includes(":") &&
    (await fetchItemData(wire, body.pk, body.sk)) === undefined
      ? omitFields(body, "conditionExpression", "filterValues")
      : undefined,
  ),
  mutant("items/false-condition-touches", "ITEM-07", puts).runAfterResponse(409, async (wire) => {
    const { pk, sk } = wire.body;
    const data = await fetchItemData(wire, pk, sk);
    if (data !== undefined) await wire.ask("PUT", getItemsPath(wire), { pk, sk, data });
  }),
  mutant("items/put-without-data-accepted", "ITEM-08", puts).changePutData((data) => data ?? {}),
  mutant("items/put-drops-control-characters", "ITEM-09", puts).changePutData((data) =>
    copyJson(data, (value) => (typeof value === "string" ? value.replace(/[\0-\x1f]/g, "") : value)),
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
    mutant(`items/sk-folds-${name}`, "ITEM-11", [...puts, ...gets, ...deletes]).by(() => async (wire) => {
      const sk: unknown = wire.body?.sk ?? wire.path.sk;
      if (typeof sk !== "string") return wire.send();
      const sent =
        wire.body === undefined ? { path: { sk: fold(sk) } } : { body: { ...wire.body, sk: fold(sk) } };
      return changeBody(await wire.send(sent), (body) => (body.sk = sk));
    }),
  ),
  ...(["queryItems", "batchGetItems", "transactGetItems"] as const).map((reader) =>
    mutant(`items/stale-${reader}`, "ITEM-03", ["putItem", reader]).by(() => {
      const first = new Map<string, AnyJson>();
      return async (wire) => {
        const response = await wire.send();
        const nameOf = ({ pk, sk = null }: AnyJson) => JSON.stringify([wire.path.databaseId, pk, sk]);
        if (wire.operationId === "putItem") {
          if (response.status === 200 && !first.has(nameOf(response.body)))
            first.set(nameOf(response.body), wire.body.data);
          return response;
        }
        return changeBody(response, (body) => {
          for (const item of body.items) {
            const data = first.get(nameOf(item));
            if (data !== undefined && item.item !== null) item["data" in item ? "data" : "item"] = data;
          }
        });
      };
    }),
  ),
  mutant("items/delete-without-sk-deletes-partition", "ITEM-11", "deleteItem").by(() => async (wire) => {
    const found = await wire.ask("POST", getItemsPath(wire, "/query"), { partitionKey: wire.path.pk });
    for (const { pk, sk } of found.body?.items ?? []) await wire.ask("DELETE", getItemPath(wire, pk, sk));
    return wire.send();
  }),
  mutant("items/stale-get", "ITEM-12", gets).freezeField("data"),
  mutant("items/update-renews-created-at", "ITEM-38", [...gets, "transactWriteItems"]).by(() => {
    const updated = new Set<unknown>();
    return async (wire) => {
      for (const { action, pk } of wire.body?.items ?? []) if (action === "Update") updated.add(pk);
      return changeBody(await wire.send(), (body) => {
        if (updated.has(body.pk)) body.createdAt = body.updatedAt;
      });
    };
  }),
  mutant("items/get-without-sk-finds-first", "ITEM-13", "getItem").replaceResponse(
    404,
    async (wire, response) => {
      const request = { partitionKey: wire.path.pk, limit: 1 };
      const [first] = (await wire.ask("POST", getItemsPath(wire, "/query"), request)).body?.items ?? [];
      return first === undefined ? response : wire.ask("GET", getItemPath(wire, first.pk, first.sk));
    },
  ),
  mutant("items/found-in-any-database", "ITEM-13", [...gets, "batchWriteItems"]).by(() => {
    const places = new Map<unknown, string>();
    return async (wire) => {
      const { databaseId = "", pk } = wire.path;
      for (const item of wire.body?.items ?? [])
        if (item?.sk === "elsewhere") places.set(item.pk, databaseId);
      const response = await wire.send();
      const place = places.get(pk);
      return response.status === 404 && place !== undefined
        ? wire.send({ path: { databaseId: place } })
        : response;
    };
  }),
  mutant("items/problem-without-detail", "ITEM-14", gets).replaceResponse(404, (_, response) => ({
    ...response,
    body: omitFields(response.body, "detail"),
  })),
  mutant("items/delete-without-sk-does-nothing", "ITEM-15", "deleteItem").answerRequest(
    () => true,
    () => noContentResponse,
  ),
  mutant("items/query-finds-longer-partition-keys", "ITEM-16", "queryItems").replaceResponse(
    ({ status }, { body }) => status === 200 && typeof body.cursor !== "string",
    async (wire, response) => {
      const { partitionKey, limit = 20 } = wire.body;
      const isLonger = ({ pk }: AnyJson) => pk !== partitionKey && pk.startsWith(partitionKey);
      const more = ((await scan(wire)).body?.items ?? []).filter(isLonger);
      return changeItems((items) => [...items, ...more].slice(0, Math.max(limit, items.length)))()({
        ...wire,
        send: () => Promise.resolve(response),
      });
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
  mutant("items/prefix-shortened", "ITEM-23", "queryItems").rewriteCondition(/^(begins_with:.*).$/su, "$1"),
  mutant("items/between-excludes-high", "ITEM-24", "queryItems").changeItems((items, _, { body }) =>
    String(body.sortKeyCondition).startsWith("between:")
      ? items.filter(({ sk }) => !body.sortKeyCondition.endsWith(`:${sk}`))
      : items,
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
  mutant("items/cursor-ignored", "ITEM-30", lists).ignoreField("cursor"),
  mutant("items/limit-plus-one", "ITEM-31", lists).changeLimit((limit) => limit + 1),
  ...lists.map((list) =>
    mutant(`items/default-limit-10-of-${list}`, "GEN-07", [list]).addDefaultParameters({ limit: 10 }),
  ),
  mutant("items/cursor-after-the-last-item", "GEN-03", lists).by(
    () => async (wire) =>
      wire.body.cursor === "end"
        ? createSuccessResponse({ items: [], nextCursor: null, count: 0, scannedCount: 0 })
        : changeBody(await wire.send(), (body) => {
            if (body.items.length > 0) body.nextCursor ??= "end";
          }),
  ),
  mutant("items/later-pages-lose-first", "GEN-04", lists).changeItems((items, _, { body }) =>
    typeof body.cursor === "string" ? items.slice(1) : items,
  ),
  mutant("items/query-ends-after-50", "GEN-04", "queryItems").endList("items", "nextCursor", 50),
  mutant("items/scan-ends-after-50", "ITEM-33", "scanItems").endList("items", "nextCursor", 50),
  mutant("items/list-ends-at-megabyte", "GEN-04", lists).changeItems((items, body) => {
    const shown = items.filter((_, at) => JSON.stringify(items.slice(0, at + 1)).length < 1e6);
    if (shown.length < items.length) body.nextCursor = null;
    return shown;
  }),
  mutant("items/filter-ignored-with-condition", "ITEM-32", "queryItems").ignoreField(
    "filterExpression",
    ({ body }) => body.sortKeyCondition !== undefined,
  ),
  mutant("items/empty-page-ends-list", "ITEM-32", lists).changeResponseBody((body) => {
    if (body.items.length === 0) body.nextCursor = null;
  }),
  mutant("items/query-without-partition-key-scans", "ITEM-34", "queryItems").answerRequest(
    ({ body }) => body?.partitionKey === undefined,
    scan,
  ),
  mutant("items/updated-at-stays", "ITEM-38", gets).freezeField("updatedAt"),
  mutant("items/query-requires-charset", "GEN-09", "queryItems").rejectRequests(
    415,
    ({ headers }) => headers["content-type"] === "application/json",
  ),
  mutant("items/get-answers-text-plain", "GEN-06", gets).replaceResponse(
    () => true,
    (_, response) => ({ ...response, headers: { ...response.headers, "content-type": "text/plain" } }),
  ),
  mutant("limits/items-of-390-kb-refused", "ITEM-35", puts).rejectRequests(
    413,
    (wire) => bytesOf(wire) > 390_000,
  ),
  mutant("limits/items-of-420-kb-accepted", "ITEM-36", puts).replaceResponse(
    ({ status }, wire) => status === 413 && bytesOf(wire) <= 420_000,
    createPutResponse,
  ),
  mutant("limits/item-size-in-characters", "ITEM-36", puts).replaceResponse(
    ({ status }, { body }) => status === 413 && JSON.stringify(body.data).length < 300 * 1024,
    createPutResponse,
  ),
  mutant("concurrency/checks-absence-then-puts", "ITEM-04", puts).changeRequestBody(async (body, wire) => {
    if (
      !isAbsenceCondition(body.conditionExpression) ||
      (await fetchItemData(wire, body.pk, body.sk)) !== undefined
    )
      return undefined;
    await sleep(3);
    return omitFields(body, "conditionExpression");
  }),
  mutant("concurrency/compares-then-puts", "ITEM-06", puts).changeRequestBody(async (body, wire) => {
    if (body.conditionExpression !== "version = :seen") return undefined;
    if ((await fetchItemData(wire, body.pk, body.sk))?.version !== body.filterValues?.[":seen"])
      return undefined;
    await sleep(3);
    return omitFields(body, "conditionExpression", "filterValues");
  }),
];
