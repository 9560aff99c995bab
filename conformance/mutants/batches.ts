import { limits } from "../../openapi/clauses/limits.js";
import { getItemPath, getItemsPath, sendInParts } from "./item-requests.js";
import { type AnyJson, type InterceptedRequest, changeBody } from "./intercept.js";
import { type Mutant, mutant } from "./mutant.js";
import { rejectAfterPartialWrite } from "./tampers.js";

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

async function deleteEach(wire: InterceptedRequest, keys: readonly AnyJson[]): Promise<void> {
  for (const { pk, sk } of keys) await wire.ask("DELETE", getItemPath(wire, pk, sk));
}

/** Formats a key as text, for comparison. */
const formatKey = ({ pk, sk = null }: AnyJson): string => JSON.stringify([pk, sk]);

/** Faults in batch write and batch get, and in the limits of all lists in requests. */
export const batchMutants: readonly Mutant[] = [
  mutant("batches/counts-only-puts", "BATCH-01", write).replaceField(
    "successCount",
    (count, wire) =>
      count - wire.body.items.filter(({ operation }: AnyJson) => operation === "Delete").length,
  ),
  mutant("batches/stops-at-failure", "BATCH-04", write).runAfterResponse(
    ({ body }) => body?.failedCount > 0,
    (wire, { body }) => {
      const index: number = wire.body.items.map(formatKey).indexOf(formatKey(body.errors[0]));
      return deleteEach(wire, wire.body.items.slice(index + 1));
    },
  ),
  mutant("batches/delete-without-sk-deletes-partition", "BATCH-03", write).runAfterResponse(
    200,
    async (wire) => {
      const [{ pk, sk, operation }] = wire.body.items;
      if (sk !== undefined || operation !== "Delete") return;
      const found = await wire.ask("POST", getItemsPath(wire, "/query"), { partitionKey: pk });
      await deleteEach(wire, found.body?.items ?? []);
    },
  ),
  mutant("batches/delete-of-missing-falls-back", "BATCH-02", write).runAfterResponse(200, (wire) =>
    deleteEach(
      wire,
      wire.body.items.filter(isDelete).map(({ pk }: AnyJson) => ({ pk, sk: null })),
    ),
  ),
  mutant("batches/errors-name-first-key", "BATCH-05", write).replaceField("errors.*", (error, wire) => {
    const [{ pk, sk = null }] = wire.body.items;
    return { ...error, pk, sk };
  }),
  mutant("batches/put-without-data-deletes", "BATCH-06", write).changeRequestItems((entry) =>
    entry?.operation === "Put" && entry.data === undefined ? { ...entry, operation: "Delete" } : entry,
  ),
  ...listLimits.flatMap(([name, operation, field, max, clauseOfMax, clauseOfMore]) => [
    mutant(`limits/${name}-max-${max - 1}`, clauseOfMax, operation).rejectRequests(
      400,
      ({ body }) => body?.[field]?.length === max,
    ),
    mutant(`limits/${name}-max-${max + 1}`, clauseOfMore, operation).answerRequest(
      ({ body }) => body?.[field]?.length === max + 1,
      (wire) => sendInParts(wire, max, field),
    ),
  ]),
  mutant("limits/too-large-batch-refused-but-begun", "BATCH-08", write).by(rejectAfterPartialWrite(25)),
  mutant("batches/get-loses-last", "BATCH-09", get).changeResponseBody((body) => body.items.pop()),
  mutant("batches/unprocessed-key-with-other-sk", "BATCH-10", get).by(() => async (wire) => {
    const keys: AnyJson[] = wire.body?.keys ?? [];
    if (keys.length < 2 || keys.length > 100) return wire.send();
    return changeBody(await wire.send({ body: { ...wire.body, keys: keys.slice(0, -1) } }), (body) => {
      const { pk, sk = "" } = keys.at(-1);
      body.unprocessedKeys = [{ pk, sk: `${sk}-left` }];
    });
  }),
];
