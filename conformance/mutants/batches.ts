import { limits } from "../../openapi/clauses/limits.js";
import { cacheGetsDespiteDelete, deleteItems, queryPartition, sendInParts } from "./item-requests.js";
import { type AnyJson, changeBody } from "./intercept.js";
import { changesOfTexts } from "./items.js";
import { type Mutant, mutant } from "./mutant.js";

const write = ["batchWriteItems"] as const;
const get = ["batchGetItems"] as const;

const isDelete = (entry: AnyJson): boolean => entry?.operation === "Delete";

/** Limits of lists in requests, with the clauses about lists of the maximum length and about longer lists. */
const listLimits = [
  ["batch-write", "batchWriteItems", "items", limits.batchWriteItems, "BATCH-07", "BATCH-08"],
  ["batch-get", "batchGetItems", "keys", limits.batchGetKeys, "BATCH-11", "BATCH-12"],
  ["transact-get", "transactGetItems", "items", limits.transactGetItems, "TX-04", "TX-05"],
  ["transact-write", "transactWriteItems", "items", limits.transactWriteItems, "TX-16", "TX-17"],
] as const;

/** Faults in batch write and batch get, and in the limits of all lists in requests. */
export const batchMutants: readonly Mutant[] = [
  mutant("batches/counts-only-puts", "BATCH-01", write).replaceField(
    "successCount",
    (count, { body }) => count - body.items.filter(isDelete).length,
  ),
  mutant("batches/stops-at-failure", "BATCH-04", write).runAfterResponse(
    ({ body }) => body?.failedCount > 0,
    (request, { body: { errors } }) => {
      const failed: number = request.body.items.findIndex(
        ({ pk, sk = null }: AnyJson) => pk === errors[0].pk && sk === errors[0].sk,
      );
      return deleteItems(request, request.body.items.slice(failed + 1));
    },
  ),
  mutant("batches/delete-without-sk-deletes-partition", "BATCH-03", write).runAfterResponse(
    200,
    async (request) => {
      const [{ pk, sk, operation }] = request.body.items;
      if (sk === undefined && operation === "Delete")
        await deleteItems(request, await queryPartition(request, pk));
    },
  ),
  mutant("batches/delete-of-missing-falls-back", "BATCH-02", write).runAfterResponse(200, (request) =>
    deleteItems(
      request,
      request.body.items.filter(isDelete).map(({ pk }: AnyJson) => ({ pk })),
    ),
  ),
  mutant("batches/creation-time-unset", "GEN-01", /^(?:batchWriteItems|getItem)/).by(
    async ({ operationId, path, body, memory, send }) => {
      for (const entry of body?.items ?? []) memory.set(entry?.pk, true);
      if (operationId === "batchWriteItems" || memory.get(path.pk) === undefined) return send();
      return changeBody(send(), (got) => (got.createdAt &&= "0001-01-01T00:00:00Z"));
    },
  ),
  mutant("batches/gets-cached-despite-delete", "BATCH-03", /^(?:get|put|delete|\w+Write)Item/).by(
    cacheGetsDespiteDelete("batchWriteItems"),
  ),
  mutant("batches/errors-name-first-key", "BATCH-05", write).replaceField("errors.*", (error, { body }) => {
    const [{ pk, sk = null }] = body.items;
    return { ...error, pk, sk };
  }),
  mutant("batches/put-escapes-html", "BATCH-02", write).replaceRequestField(
    "items.*.data",
    changesOfTexts["escapes-html"],
  ),
  mutant("batches/put-without-data-deletes", "BATCH-06", write).replaceRequestField("items.*", (entry) =>
    entry?.operation === "Put" && entry.data === undefined ? { ...entry, operation: "Delete" } : entry,
  ),
  ...listLimits.flatMap(([name, operation, field, max, clauseOfMax, clauseOfMore]) => [
    mutant(`limits/${name}-max-${max - 1}`, clauseOfMax, operation).rejectRequests(
      ({ body }) => body?.[field]?.length === max,
    ),
    mutant(`limits/${name}-max-${max + 1}`, clauseOfMore, operation).respondToRequest(
      ({ body }) => body?.[field]?.length === max + 1,
      (request) => sendInParts(request, max, field),
    ),
  ]),
  mutant("limits/too-large-batch-refused-but-begun", "BATCH-08", write).rejectAfterPartialWrite(25),
  mutant("batches/get-loses-last", "BATCH-09", get).changeResponseBody((body) => body.items.pop()),
  mutant("batches/get-drops-items-beyond-a-megabyte", "BATCH-10", get).changeResponseBody((body) => {
    while (JSON.stringify(body.items).length > 1e6) body.items.pop();
  }),
  mutant("batches/unprocessed-key-with-other-sk", "BATCH-10", get).by((request) => {
    const keys: AnyJson[] = request.body?.keys ?? [];
    if (keys.length < 2 || keys.length > 100) return request.send();
    return changeBody(request.send({ body: { ...request.body, keys: keys.slice(0, -1) } }), (body) => {
      const { pk, sk = "" } = keys.at(-1);
      body.unprocessedKeys = [{ pk, sk: `${sk}-left` }];
    });
  }),
];
