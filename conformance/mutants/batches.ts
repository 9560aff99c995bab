import { changed, type Json, type Tamper, type Wire, type WireAnswer, withBody } from "./intercept.js";
import { itemPath, itemsPath } from "./items.js";
import { refusal } from "./refusal.js";
import { mutant } from "./mutant.js";
import { refusedButBegun } from "./refusal.js";

const write = ["batchWriteItems"] as const;
const get = ["batchGetItems"] as const;

/** Passes a request on with other entries. */
function withEntries(change: (entries: Json[]) => Json[], member = "items"): () => Tamper {
  return () => (wire) =>
    Array.isArray(wire.body?.[member])
      ? wire.send({ body: { ...wire.body, [member]: change(wire.body[member]) } })
      : wire.send();
}

/** Does in several requests what one may not hold, and answers as if it were one. */
async function inParts(wire: Wire, member: string, size: number): Promise<WireAnswer> {
  const entries: Json[] = wire.body[member];
  let whole: WireAnswer | undefined;
  for (let start = 0; start < entries.length; start += size) {
    const part = await wire.send({ body: { ...wire.body, [member]: entries.slice(start, start + size) } });
    if (part.status !== 200) return part;
    const before = whole?.body;
    whole = changed(part, (body) => {
      if (before === undefined) return;
      if (body.items !== undefined) body.items = [...before.items, ...body.items];
      if (body.successCount !== undefined)
        body.successCount = Number(body.successCount) + Number(before.successCount);
    });
  }
  return whole ?? wire.send();
}

/** Faults of batch write and batch get. */
export const batchMutants = [
  mutant(
    "batches/counts-puts",
    "BATCH-01",
    "successCount counts the Puts alone",
    write,
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.successCount -= wire.body.items.filter(({ operation }: Json) => operation === "Delete").length;
      }),
  ),
  mutant(
    "batches/no-failed-count",
    "BATCH-01",
    "The answer has no failedCount",
    write,
    () => async (wire) => changed(await wire.send(), (body) => delete body.failedCount),
  ),
  mutant(
    "batches/last-put-lost",
    "BATCH-02",
    "The last of several Puts is not written",
    write,
    () => async (wire) => {
      const last = wire.body?.items?.length > 1 ? wire.body.items.at(-1) : undefined;
      const before = last === undefined ? undefined : await wire.ask("GET", itemPath(wire, last.pk, last.sk));
      const answer = await wire.send();
      if (last?.operation === "Put" && before?.status === 404 && last.data?.n === undefined)
        await wire.ask("DELETE", itemPath(wire, last.pk, last.sk));
      return answer;
    },
  ),
  mutant(
    "batches/put-merges",
    "BATCH-02",
    "A Put of a batch leaves attributes of the item before",
    write,
    () => async (wire) => {
      const entries: Json[] = [];
      for (const entry of wire.body?.items ?? []) {
        const before =
          entry.operation === "Put" ? await wire.ask("GET", itemPath(wire, entry.pk, entry.sk)) : undefined;
        const isThere = before?.status === 200 && typeof entry.data === "object";
        entries.push(isThere ? { ...entry, data: { ...before.body.data, ...entry.data } } : entry);
      }
      return wire.send({ body: { ...wire.body, items: entries } });
    },
  ),
  mutant(
    "batches/delete-needs-sk",
    "BATCH-03",
    "A Delete without sk is counted and not done",
    write,
    () => async (wire) => {
      const entries: Json[] = wire.body?.items ?? [];
      const kept = entries.filter(({ operation, sk }) => operation !== "Delete" || sk !== undefined);
      if (kept.length === entries.length || entries.length > 25) return wire.send();
      const all: WireAnswer["body"] = { successCount: entries.length, failedCount: 0, errors: null };
      if (kept.length === 0)
        return { status: 200, headers: { "content-type": "application/json" }, body: all };
      return withBody(await wire.send({ body: { ...wire.body, items: kept } }), all);
    },
  ),
  mutant(
    "batches/one-fails-all-refused",
    "BATCH-04",
    "A batch one of whose entries fails is answered with 400",
    write,
    () => async (wire) => {
      const answer = await wire.send();
      return answer.body?.failedCount > 0 ? refusal(400) : answer;
    },
  ),
  mutant(
    "batches/all-or-nothing",
    "BATCH-04",
    "When an entry fails the others are taken back",
    write,
    () => async (wire) => {
      const answer = await wire.send();
      if (!(answer.body?.failedCount > 0)) return answer;
      const failed = answer.body.errors.map(({ pk, sk }: Json) => itemPath(wire, pk, sk));
      for (const { pk, sk } of wire.body.items)
        if (!failed.includes(itemPath(wire, pk, sk))) await wire.ask("DELETE", itemPath(wire, pk, sk));
      return answer;
    },
  ),
  mutant(
    "batches/stops-at-failure",
    "BATCH-04",
    "What comes after an entry that fails is not done",
    write,
    () => async (wire) => {
      const answer = await wire.send();
      if (!(answer.body?.failedCount > 0)) return answer;
      const [first] = answer.body.errors;
      const at: number = wire.body.items.findIndex(
        ({ pk, sk = null }: Json) => pk === first.pk && sk === first.sk,
      );
      for (const { pk, sk } of wire.body.items.slice(at + 1))
        await wire.ask("DELETE", itemPath(wire, pk, sk));
      return answer;
    },
  ),
  mutant(
    "batches/errors-of-success",
    "BATCH-05",
    "errors lists the first Put though it succeeded",
    write,
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        const [{ operation, pk, sk = null }] = wire.body.items;
        if (operation === "Put") body.errors ??= [{ pk, sk, error: "nothing" }];
      }),
  ),
  mutant(
    "batches/errors-name-first",
    "BATCH-05",
    "Every entry of errors has the key of the first",
    write,
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        for (const error of body.errors ?? [])
          Object.assign(error, { pk: wire.body.items[0].pk, sk: wire.body.items[0].sk ?? null });
      }),
  ),
  mutant(
    "batches/failed-count-is-one",
    "BATCH-05",
    "failedCount is 1 however many entries fail",
    write,
    () => async (wire) =>
      changed(await wire.send(), (body) => (body.failedCount = Math.min(1, body.failedCount))),
  ),
  mutant(
    "batches/unknown-operation-skipped",
    "BATCH-06",
    "Entries of an unknown operation are left out",
    write,
    () => async (wire) => {
      const answer = await wire.send();
      if (answer.status !== 400 || !Array.isArray(wire.body?.items)) return answer;
      const known = wire.body.items.filter(
        ({ operation }: Json) => operation === "Put" || operation === "Delete",
      );
      return known.length === 0 || known.length > 25
        ? answer
        : wire.send({ body: { ...wire.body, items: known } });
    },
  ),
  mutant(
    "batches/unknown-operation-puts",
    "BATCH-06",
    "Entries of an unknown operation are written, but for Update",
    write,
    () => (wire) =>
      wire.send({
        body: {
          ...wire.body,
          items: wire.body?.items?.map((entry: Json) =>
            typeof entry?.operation === "string" && !/^(?:Put|Delete|Update)$/.test(entry.operation)
              ? { ...entry, operation: "Put" }
              : entry,
          ),
        },
      }),
  ),
  mutant(
    "batches/put-without-data",
    "BATCH-06",
    "A Put of a batch without data deletes",
    write,
    withEntries((entries) =>
      entries.map((entry) =>
        entry?.operation === "Put" && entry.data === undefined ? { ...entry, operation: "Delete" } : entry,
      ),
    ),
  ),
  mutant(
    "limits/batch-write-24",
    "BATCH-07",
    "A batch write takes 24 items",
    write,
    () => (wire) =>
      Promise.resolve(
        wire.body?.items?.length === 25 && wire.body.items[0].data?.n === 0 && wire.body.items[0].sk === "s0"
          ? refusal(400)
          : wire.send(),
      ),
  ),
  mutant(
    "limits/batch-write-26",
    "BATCH-08",
    "A batch write takes 26 items",
    write,
    () => (wire) => (wire.body?.items?.length === 26 ? inParts(wire, "items", 25) : wire.send()),
  ),
  mutant(
    "limits/batch-write-partly",
    "BATCH-08",
    "A batch write of too many items is refused after the first 25",
    write,
    () => refusedButBegun(25),
  ),
  mutant(
    "batches/get-skips-no-sk",
    "BATCH-09",
    "Batch get leaves out items without sort key",
    get,
    () => async (wire) =>
      changed(await wire.send(), (body) => (body.items = body.items.filter(({ sk }: Json) => sk !== null))),
  ),
  mutant(
    "batches/get-partition",
    "BATCH-09",
    "Batch get of a key without sk answers its whole partition",
    get,
    () => async (wire) => {
      const more: Json[] = [];
      for (const { pk, sk } of wire.body?.keys ?? [])
        if (sk === undefined && typeof pk === "string") {
          const found = await wire.ask("POST", itemsPath(wire, "/query"), { partitionKey: pk });
          for (const item of found.body?.items ?? [])
            if (item.sk !== null)
              more.push({
                ...item,
                createdAt: "2030-01-01T00:00:00.000Z",
                updatedAt: "2030-01-01T00:00:00.000Z",
              });
        }
      return changed(await wire.send(), (body) => body.items.push(...more));
    },
  ),
  mutant(
    "batches/get-without-times",
    "BATCH-09",
    "Batch get leaves out createdAt and updatedAt",
    get,
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        for (const item of body.items) {
          delete item.createdAt;
          delete item.updatedAt;
        }
      }),
  ),
  mutant(
    "batches/found-unprocessed",
    "BATCH-10",
    "Keys of items that are answered are listed as unprocessed",
    get,
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        const name = ({ pk, sk = null }: Json) => JSON.stringify([pk, sk]);
        const found = body.items.map(name);
        body.unprocessedKeys =
          body.items.length === 0 ? null : wire.body.keys.filter((key: Json) => found.includes(name(key)));
      }),
  ),
  mutant(
    "batches/unprocessed-with-other-sk",
    "BATCH-10",
    "The last key is left for later, and listed with another sk",
    get,
    () => async (wire) => {
      const keys: Json[] = wire.body?.keys ?? [];
      if (keys.length < 2 || keys.length > 100) return wire.send();
      return changed(await wire.send({ body: { ...wire.body, keys: keys.slice(0, -1) } }), (body) => {
        const { pk, sk = "" } = keys.at(-1);
        body.unprocessedKeys = [{ pk, sk: `${sk}-left` }];
      });
    },
  ),
  mutant(
    "limits/batch-get-99",
    "BATCH-11",
    "A batch get takes 99 keys",
    get,
    () => (wire) => Promise.resolve(wire.body?.keys?.length === 100 ? refusal(400) : wire.send()),
  ),
  mutant(
    "limits/batch-get-loses-last",
    "BATCH-11",
    "The hundredth key of a batch get is not looked at",
    get,
    withEntries((keys) => (keys.length === 100 ? keys.slice(0, 99) : keys), "keys"),
  ),
  mutant(
    "limits/batch-get-101",
    "BATCH-12",
    "A batch get takes 101 keys",
    get,
    () => (wire) => (wire.body?.keys?.length === 101 ? inParts(wire, "keys", 100) : wire.send()),
  ),
];
