import { fetchItemData, getItemPath, getItemsPath, sendInParts } from "./item-requests.js";
import { type AnyJson, type InterceptedResponse, type InterceptedRequest, changeBody } from "./intercept.js";
import { type Mutant, mutant } from "./mutant.js";
import { createSuccessResponse, rejectAfterPartialWrite } from "./tampers.js";

const write = ["batchWriteItems"] as const;
const get = ["batchGetItems"] as const;

const hasFailures = ({ body }: InterceptedResponse): boolean => body?.failedCount > 0;

const isDelete = (entry: AnyJson): boolean => entry?.operation === "Delete";

async function deleteEach(wire: InterceptedRequest, keys: readonly AnyJson[]): Promise<void> {
  for (const { pk, sk } of keys) await wire.ask("DELETE", getItemPath(wire, pk, sk));
}

/** Formats a key as text, for comparison. */
const nameOf = ({ pk, sk = null }: AnyJson): string => JSON.stringify([pk, sk]);

/** Faults in batch write and batch get. */
export const batchMutants: readonly Mutant[] = [
  mutant("batches/counts-only-puts", "BATCH-01", write).replaceField(
    "successCount",
    (count, wire) =>
      count - wire.body.items.filter(({ operation }: AnyJson) => operation === "Delete").length,
  ),
  mutant("batches/last-put-lost", "BATCH-02", write).by(() => async (wire) => {
    const last = wire.body?.items?.length > 1 ? wire.body.items.at(-1) : undefined;
    const before =
      last === undefined ? undefined : await wire.ask("GET", getItemPath(wire, last.pk, last.sk));
    const answer = await wire.send();
    if (last?.operation === "Put" && before?.status === 404 && last.data?.n === undefined)
      await deleteEach(wire, [last]);
    return answer;
  }),
  mutant("batches/delete-without-sk-lost", "BATCH-03", write).by(() => async (wire) => {
    const entries: AnyJson[] = wire.body?.items ?? [];
    const kept = entries.filter(({ operation, sk }) => operation !== "Delete" || sk !== undefined);
    if (kept.length === entries.length || entries.length > 25) return wire.send();
    const all = { successCount: entries.length, failedCount: 0, errors: null };
    if (kept.length === 0) return createSuccessResponse(all);
    return { ...(await wire.send({ body: { ...wire.body, items: kept } })), body: all };
  }),
  mutant("batches/stops-at-failure", "BATCH-04", write).runAfterResponse(hasFailures, (wire, { body }) => {
    const at: number = wire.body.items.map(nameOf).indexOf(nameOf(body.errors[0]));
    return deleteEach(wire, wire.body.items.slice(at + 1));
  }),
  mutant("batches/deletes-pretended-beside-failure", "BATCH-04", write).by(() => async (wire) => {
    const deletes: AnyJson[] = wire.body?.items?.filter(isDelete) ?? [];
    const before = await Promise.all(deletes.map(({ pk, sk }) => fetchItemData(wire, pk, sk)));
    const answer = await wire.send();
    for (const [index, { pk, sk }] of deletes.entries())
      if (hasFailures(answer) && before[index] !== undefined)
        await wire.ask("PUT", getItemsPath(wire), { pk, sk, data: before[index] });
    return answer;
  }),
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
  mutant("limits/batch-write-max-24", "BATCH-07", write).rejectRequests(
    400,
    ({ body }) => body?.items?.length === 25 && body.items[0].data?.n === 0 && body.items[0].sk === "s0",
  ),
  mutant("limits/batch-write-max-26", "BATCH-08", write).answerRequest(
    ({ body }) => body?.items?.length === 26,
    (wire) => sendInParts(wire, 25),
  ),
  mutant("limits/too-large-batch-refused-but-begun", "BATCH-08", write).by(rejectAfterPartialWrite(25)),
  mutant("batches/get-loses-last", "BATCH-09", get).changeResponseBody((body) => body.items.pop()),
  mutant("batches/get-falls-back", "BATCH-09", get).replaceResponse(200, async (wire, answer) => {
    const keys: AnyJson[] = wire.body.keys;
    const others = await Promise.all(keys.map(({ pk }) => wire.ask("GET", getItemPath(wire, pk, null))));
    return changeBody(answer, (body) => {
      if (body.items.length === 0)
        body.items = others.filter(({ status }) => status === 200).map((other) => other.body);
    });
  }),
  mutant("batches/unprocessed-key-with-other-sk", "BATCH-10", get).by(() => async (wire) => {
    const keys: AnyJson[] = wire.body?.keys ?? [];
    if (keys.length < 2 || keys.length > 100) return wire.send();
    return changeBody(await wire.send({ body: { ...wire.body, keys: keys.slice(0, -1) } }), (body) => {
      const { pk, sk = "" } = keys.at(-1);
      body.unprocessedKeys = [{ pk, sk: `${sk}-left` }];
    });
  }),
  mutant("limits/batch-get-max-99", "BATCH-11", get).rejectRequests(
    400,
    ({ body }) => body?.keys?.length === 100,
  ),
  mutant("limits/batch-get-max-101", "BATCH-12", get).answerRequest(
    ({ body }) => body?.keys?.length === 101,
    (wire) => sendInParts(wire, 100, "keys"),
  ),
];
