import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { limits } from "../../openapi/clauses/limits.js";
import type { ApiResponse } from "../client/client.js";
import { type CheckContext, formatResponse } from "../check/context.js";
import { nonObject, exampleNonObjects, smallData } from "../generators/item-data.js";
import { distinctKeysArbitrary, exampleKeys, keyText } from "../generators/item-keys.js";
import { changeableText } from "../generators/tricky-texts.js";
import { unknownWordArbitrary } from "../generators/unknown-word.js";
import { compareItemKeys, type ItemKey, formatItemKey } from "../models/item-key.js";
import {
  type BatchEntry,
  type Data,
  getItemData,
  getItems,
  defineItemChecks,
  createExistenceCondition,
  listFailedKeys,
  type ItemClient,
} from "../steps/items/item-client.js";
import { KeyRestrictions } from "./items/key-restrictions.js";
import {
  createDataForItemSize,
  getSizesAroundLimit,
  checkCountsAboveLimit,
  catchBrokenConnection,
} from "./items/item-sizes.js";

/** Positions of a faulty entry in a batch. */
const positions = ["alone", "last", "first"] as const;

/** Checks of batch write and batch get (part 4.2 rules 7 and 8, parts 7 and 8). */
export const batchChecks = defineItemChecks(
  {
    id: "batches/write",
    title: "A batch write executes each Put and Delete independently",
    clauses: ["BATCH-01", "BATCH-02", "BATCH-03", "BATCH-05"],
    run: async (items, context) => {
      const keys = await KeyRestrictions.detect(items);
      await context.property(
        {
          given: distinctKeysArbitrary(limits.batchWriteItems),
          plans: fc.array(fc.tuple(fc.boolean(), fc.boolean(), smallData), { minLength: 8, maxLength: 8 }),
        },
        async ({ given, plans }) => {
          const pk = items.partition();
          const entries = given.map(([suffix, sk], index): BatchEntry & { readonly exists: boolean } => {
            const [exists = false, isPut = true, data = {}] = plans[index % plans.length] ?? [];
            const key = { pk: pk + keys.adapt(suffix), sk: keys.adapt(sk), exists };
            return isPut ? { operation: "Put", ...key, data } : { operation: "Delete", ...key };
          });
          for (const { exists, ...key } of entries)
            if (exists) await items.put(key, { old: 1 }, {}, { setUp: true });
          const neighbor = { pk: entries[0]?.pk ?? pk, sk: "neighbor" };
          await items.put(neighbor, { n: 1 }, {}, { setUp: true });
          const { first: response, last } = await items.batchWriteAll(entries);
          // The specification does not say whether Delete of a missing item fails, or what the status is if all entries fail.
          const mayFail = entries.filter(({ operation, exists }) => operation === "Delete" && !exists);
          if (mayFail.length < entries.length) context.assertStatus("BATCH-01", response, 200);
          for (const entry of entries)
            await items.expect(entry.operation === "Put" ? "BATCH-02" : "BATCH-03", entry, entry.data);
          await items.expect("BATCH-03", neighbor, { n: 1 });
          if (response.status === 200)
            assertCounts(context, response, entries.length, listFailedKeys(response).length);
          const allowed = new Set(mayFail.map(formatItemKey));
          const others = listFailedKeys(last).filter((key) => !allowed.has(key));
          context.assertEqual("BATCH-05", others, [], "errors for entries that did not fail");
        },
        {
          share: 0.7,
          examples: [
            {
              given: exampleKeys,
              plans: [
                [true, true, { b: changeableText }],
                [true, false, {}],
                [false, true, { c: 1 }],
                [true, false, {}],
                [false, false, {}],
                [true, true, {}],
                [true, true, {}],
                [true, true, {}],
              ],
            },
            // A Delete, with another item in the partition.
            { given: [["", null]], plans: [[true, false, {}]] },
            // Each entry creates an item.
            { given: exampleKeys, plans: [[false, true, {}]] },
            // Deletes of missing items, and an item without a sort key in their partition.
            {
              given: exampleKeys,
              plans: [
                [true, true, {}],
                [false, false, {}],
                [false, false, {}],
              ],
            },
          ],
        },
      );
    },
  },
  {
    id: "batches/partial-failure",
    title:
      "If some entries of a batch write fail, the other entries succeed and the response lists the failures",
    clauses: ["BATCH-04", "BATCH-05"],
    after: ["batches/write"],
    run: async (items, context) => {
      const { past } = getSizesAroundLimit(context, "item");
      const faults: readonly Fault[] = [
        { before: { old: 1 }, change: () => ({ condition: createExistenceCondition(false) }) },
        { before: undefined, change: (key) => ({ data: createDataForItemSize(key, past) }) },
      ];
      let hasFailed = false;
      for (const fault of faults) {
        if (!(await failsEntry(items, fault))) continue;
        hasFailed = true;
        for (const failing of ["-x-", "xx--", "x-", "--x", "xx"])
          await assertPartialFailure(
            items,
            fault,
            Array.from(failing, (entry) => entry === "x"),
          );
      }
      if (!hasFailed)
        context.notOffered("the check found no way to make only some entries of a batch write fail");
    },
  },
  {
    id: "batches/refused-writes",
    title: "A batch write with an unknown operation or a Put without data is rejected",
    clauses: ["BATCH-06"],
    run: async (items, context) => {
      const data = { n: 1 };
      const noOperation = fc.oneof(
        unknownWordArbitrary(["Put", "Delete"]),
        fc.constantFrom("Update", "ConditionCheck", undefined, null),
      );
      await context.property(
        {
          fault: fc.oneof(
            noOperation.map((operation) => ({ operation, data })),
            nonObject.map((none) => ({ operation: "Put", data: none })),
          ),
          position: fc.constantFrom(...positions),
        },
        async ({ fault, position }) => {
          const [key, good] = [items.key("s"), { operation: "Put", ...items.key("s"), data }];
          await items.put(key, { kept: true }, {}, { setUp: true });
          const entry = { ...key, ...fault };
          const entries = { alone: [entry], last: [good, entry], first: [entry, good] }[position];
          const path = { databaseId: items.databaseId };
          const call = { path, body: { items: entries }, intent: "invalid" } as const;
          const response = await context.call("batchWriteItems", call);
          // The deployment may reject only the entry, and write the other one.
          const isOnlyEntry = response.status === 200 && response.body.failedCount > 0 && !context.isStrict;
          const because = `the batch write contains an entry with ${JSON.stringify(fault)}`;
          if (!isOnlyEntry) context.assertRefused("BATCH-06", response, because);
          await items.expect("BATCH-06", key, { kept: true });
          if (!isOnlyEntry) await items.expect("BATCH-06", good, undefined);
        },
        {
          examples: [
            ...["Update", "Get", undefined, null].map((operation) => ({ operation, data })),
            ...exampleNonObjects.map((none) => ({ operation: "Put", data: none })),
          ].map((fault, n) => ({ fault, position: positions[n % positions.length] ?? "alone" })),
        },
      );
    },
  },
  {
    id: "batches/get",
    title: "A batch get returns the items with the requested keys, and nothing for keys without an item",
    clauses: ["BATCH-09", "BATCH-10"],
    run: async (items, context) => {
      const restrictions = await KeyRestrictions.detect(items);
      await context.property(
        {
          given: distinctKeysArbitrary(40),
          plans: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
          other: keyText,
        },
        async ({ given, plans, other }) => {
          const pk = items.partition();
          const keys = given.map(([suffix, sk]) => ({
            pk: pk + restrictions.adapt(suffix),
            sk: restrictions.adapt(sk),
          }));
          const existing = keys.filter((_, index) => plans[index % plans.length]);
          await items.load(existing.map((key, n) => ({ ...key, data: { n } })));
          await items.load([
            { pk: items.partition(restrictions.adapt(other)), sk: null, data: { other: 1 } },
          ]);
          // The partition of each key also has an item that is not requested.
          const requested = new Set(keys.map(formatItemKey));
          const neighbors = keys.map((key) => ({
            pk: key.pk,
            sk: key.sk === null ? "other" : null,
            data: {},
          }));
          const distinct = new Map(neighbors.map((item) => [formatItemKey(item), item]));
          await items.load([...distinct].filter(([key]) => !requested.has(key)).map(([, item]) => item));
          const found = getItems(context.assertStatus("BATCH-09", await items.batchGetAll(keys), 200));
          const actual = found.map(({ pk, sk, data }) => ({ pk, sk, data })).sort(compareItemKeys);
          const expected = existing.map((key, n) => ({ ...key, data: { n } })).sort(compareItemKeys);
          context.assertEqual("BATCH-09", actual, expected, "the items with the requested keys, each once");
        },
        {
          share: 0.7,
          examples: [
            {
              given: exampleKeys,
              plans: [true, true, false, true, false, false, false, false, false, false, false, false],
              other: "x",
            },
            {
              given: [
                ["", "s"],
                ["a", null],
              ],
              plans: Array.from({ length: 12 }, () => false),
              other: "x",
            },
          ],
        },
      );
      await items.batchGet([{ pk: 5 as unknown as string, sk: null }], { intent: "invalid" });
    },
  },
  {
    id: "batches/large-get",
    title: "A batch get of more than a megabyte returns each item, or its key in unprocessedKeys",
    clauses: ["BATCH-09", "BATCH-10"],
    after: ["batches/get"],
    run: async (items, context) => {
      const { keys, data } = await items.putMegabyte();
      const response = context.assertStatus("BATCH-09", await items.batchGetAll(keys), 200);
      const found = getItems(response).toSorted(compareItemKeys);
      context.assertEqual("BATCH-10", found.map(formatItemKey), keys.map(formatItemKey), "the returned keys");
      const cut = found.filter((item) => !isDeepStrictEqual(item.data, data)).map(formatItemKey);
      context.assertEqual("BATCH-09", cut, [], "items with other data than they were put with");
    },
  },
  {
    id: "limits/batch-write",
    title: "A batch write accepts at most 25 items",
    clauses: ["BATCH-07", "BATCH-08"],
    run: async (items, context) => {
      for (const isMixed of [false, true]) {
        const pk = items.partition();
        const entries = (count: number): BatchEntry[] =>
          Array.from({ length: count }, (_, n) =>
            isMixed && n % 2 === 1
              ? { operation: "Delete", pk, sk: `s${n}` }
              : { operation: "Put", pk, sk: `s${n}`, data: { n } },
          );
        const limit = limits.batchWriteItems;
        await checkCountsAboveLimit(context, limit, async (count) => {
          const over = await items.batchWrite(entries(count), { intent: "invalid" });
          context.assertRefused("BATCH-08", over, `a batch of ${count} items`);
          for (const { pk, sk } of [...entries(1), ...entries(limit).slice(-1)])
            await items.expect("BATCH-08", { pk, sk }, undefined);
        });
        // A Delete of a missing item may fail.
        const deleted = entries(limit).filter(({ operation }) => operation === "Delete");
        await retryTemporaryFailures(async (isLast) => {
          await items.load(deleted.map((key) => ({ pk: key.pk, sk: key.sk, data: { n: -1 } })));
          const full = await items.batchWrite(entries(limit));
          if (!isLast && full.status === 200 && full.body.failedCount > 0) return false;
          const isWhole = full.status === 200 && full.body.successCount === limit;
          context.assert("BATCH-07", isWhole, `${limit} items are accepted`, formatResponse(full));
          return true;
        });
        for (const entry of entries(limit)) await items.expect("BATCH-07", entry, entry.data);
      }
    },
  },
  {
    id: "limits/batch-get",
    title: "A batch get accepts at most 100 keys",
    clauses: ["BATCH-11", "BATCH-12"],
    run: async (items, context) => {
      const pk = items.partition();
      const limit = limits.batchGetKeys;
      const keysOf = (count: number) => Array.from({ length: count }, (_, n) => ({ pk, sk: `s${n}` }));
      const keys = keysOf(limit);
      await items.load(keysOf(limit + 1).map((key, n) => ({ ...key, data: { n } })));
      context.assertStatus("BATCH-11", await items.batchGet(keys), 200);
      const found = getItems(await items.batchGetAll(keys));
      const missing = keys.filter(({ sk }) => !found.some((item) => item.sk === sk));
      context.assertEqual("BATCH-11", missing, [], `items missing from the ${limit} requested items`);
      await checkCountsAboveLimit(context, limit, async (count) => {
        const over = await items.batchGet(keysOf(count), { intent: "invalid" });
        context.assertRefused("BATCH-12", over, `a batch get of ${count} keys`);
      });
    },
  },
);

/** Maximum number of times that a batch is sent in which valid entries fail. */
const maxAttempts = 4;

/** Repeats a batch in which valid entries fail, because they may fail for a temporary reason. */
async function retryTemporaryFailures(tryOnce: (isLast: boolean) => Promise<boolean>): Promise<void> {
  for (let attempt = 1; !(await tryOnce(attempt === maxAttempts)); attempt++);
}

/** A reason for which a Put may fail, although the other entries of its batch write succeed. */
interface Fault {
  /** The data of the existing item. */
  readonly before: Data | undefined;
  /** Returns fields that replace those of the Put. */
  readonly change: (key: ItemKey) => Partial<BatchEntry>;
}

/** Puts the existing item, if there is one, and creates a Put that fails. */
async function createFaultyPut(
  items: ItemClient,
  { before, change }: Fault,
  key: ItemKey,
): Promise<BatchEntry> {
  if (before !== undefined) await items.put(key, before, {}, { setUp: true });
  return { operation: "Put", ...key, data: { fresh: 1 }, ...change(key) };
}

/**
 * Whether a fault makes only its own entry fail. A deployment may ignore conditions in batches, or reject the whole request,
 * which must then have no effect.
 */
async function failsEntry(items: ItemClient, fault: Fault): Promise<boolean> {
  const [key, good] = [items.key("s"), items.key("s")];
  const faulty = await createFaultyPut(items, fault, key);
  const sent: BatchEntry[] = [faulty, { operation: "Put", ...good, data: { fresh: 1 } }];
  const answer = items.batchWriteAll(sent, { intent: "invalid" }).then(({ first }) => first);
  const response = await catchBrokenConnection(answer);
  if (response?.status === 200) return !isDeepStrictEqual(getItemData(await items.get(key)), faulty.data);
  await items.expect("BATCH-04", key, fault.before);
  await items.expect("BATCH-04", good, undefined);
  return false;
}

/** Writes a batch in which some Puts have a fault, and asserts that exactly these fail. */
async function assertPartialFailure(
  items: ItemClient,
  fault: Fault,
  failing: readonly boolean[],
): Promise<void> {
  const { context } = items;
  const intent = failing.includes(true) ? "invalid" : "valid";
  await retryTemporaryFailures(async (isLast) => {
    const pk = items.partition();
    const entries: BatchEntry[] = [];
    for (const [n, fails] of failing.entries()) {
      const key = { pk, sk: `s${n}` };
      if (fails) entries.push(await createFaultyPut(items, fault, key));
      else if (n % 2 === 0) entries.push({ operation: "Put", ...key, data: { fresh: 1 } });
      else {
        await items.put(key, { old: 1 }, {}, { setUp: true });
        entries.push({ operation: "Delete", ...key });
      }
    }
    const response = await items.batchWrite(entries, { intent });
    const errorKeys = listFailedKeys(response);
    const [faulty, valid] = [true, false].map((fails) => entries.filter((_, n) => failing[n] === fails));
    if (!isLast && valid?.some((entry) => errorKeys.includes(formatItemKey(entry)))) return false;
    // If all entries fail, any status is allowed.
    if (valid?.length === 0 && response.status !== 200)
      context.assertRefused("BATCH-04", response, "all entries failed");
    else context.assertStatus("BATCH-04", response, 200);
    for (const entry of valid ?? []) await items.expect("BATCH-04", entry, entry.data);
    for (const key of faulty ?? []) await items.expect("BATCH-04", key, fault.before);
    if (response.status !== 200) return true;
    const expected = faulty?.map(formatItemKey) ?? [];
    context.assertEqual("BATCH-05", errorKeys.toSorted(), expected.sort(), "the keys in errors");
    const errors = (response.body.errors ?? []) as readonly { readonly error: unknown }[];
    const areTexts = errors.every(({ error }) => typeof error === "string" && error !== "");
    context.assert("BATCH-05", areTexts, "a message in each error", errors);
    assertCounts(context, response, entries.length, expected.length);
    return true;
  });
}

/** Asserts the counts in the response to a batch write with the given numbers of entries and failures. */
function assertCounts(context: CheckContext, response: ApiResponse, entries: number, failed: number): void {
  const { successCount, failedCount } = response.body as { successCount: number; failedCount: number };
  context.assertEqual("BATCH-05", failedCount, failed, "failedCount");
  context.assertEqual("BATCH-01", successCount, entries - failed, "successCount");
}
