import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { limits } from "../../openapi/clauses/limits.js";
import type { ApiResponse } from "../client/client.js";
import { type CheckContext, formatAnswer } from "../check/context.js";
import { isClientError } from "../client/is-client-error.js";
import { nonObject, exampleNonObjects, smallData } from "../generators/item-data.js";
import { distinctKeysArbitrary, exampleKeys, keyText } from "../generators/item-keys.js";
import { unknownWordArbitrary } from "../generators/unknown-word.js";
import { type ItemKey, formatItemKey } from "../models/item-key.js";
import {
  type BatchEntry,
  getItemData,
  defineItemChecks,
  createExistenceCondition,
  type ItemClient,
} from "../steps/items/item-client.js";
import { KeyRestrictions } from "./items/key-restrictions.js";
import {
  createDataForItemSize,
  getSizesAroundLimit,
  checkCountsAboveLimit,
  catchBrokenConnection,
} from "./items/item-sizes.js";

/** Maximum number of requests for keys that could not be processed. */
const maxRetries = 20;

/** Places of a faulty entry in a batch. */
const places = ["alone", "last", "first"] as const;

/** Checks of batch write and batch get (part 4.2 rules 7 and 8, parts 7 and 8). */
export const batchChecks = defineItemChecks(
  {
    id: "batches/write",
    title: "A batch write executes each Put and Delete independently",
    clauses: ["BATCH-01", "BATCH-02", "BATCH-03", "BATCH-05"],
    run: async (items, context: CheckContext) => {
      const keys = await KeyRestrictions.detect(items);
      await context.property(
        [
          distinctKeysArbitrary(limits.batchWriteItems),
          fc.array(fc.tuple(fc.boolean(), fc.boolean(), smallData), { minLength: 8, maxLength: 8 }),
        ],
        async (given, plans) => {
          const pk = items.partition();
          const entries = given.map(([suffix, sk], index): BatchEntry & { readonly isThere: boolean } => {
            const [isThere = false, puts = true, data = {}] = plans[index % plans.length] ?? [];
            const key = { pk: pk + keys.adapt(suffix), sk: keys.adapt(sk), isThere };
            return puts ? { operation: "Put", ...key, data } : { operation: "Delete", ...key };
          });
          for (const { pk: at, sk, isThere } of entries)
            if (isThere) await items.put({ pk: at, sk }, { old: 1 }, {}, { setUp: true });
          const bystander = { pk: entries[0]?.pk ?? pk, sk: "bystander" };
          await items.put(bystander, { n: 1 }, {}, { setUp: true });
          const { first: answer, last } = await items.batchWriteAll(entries);
          // whether Delete of a missing item fails is open, and so is the status when all entries fail
          const mayFail = entries.filter(({ operation, isThere }) => operation === "Delete" && !isThere);
          if (mayFail.length < entries.length) context.assertStatus("BATCH-01", answer, 200);
          for (const entry of entries)
            await items.expect(entry.operation === "Put" ? "BATCH-02" : "BATCH-03", entry, entry.data);
          await items.expect("BATCH-03", bystander, { n: 1 });
          if (answer.status === 200)
            assertCounts(context, answer, entries.length, namesOf(answer.body.errors).length);
          if (last.status === 200) {
            const strangers = namesOf(last.body.errors).filter(
              (name) => !mayFail.map(formatItemKey).includes(name),
            );
            context.assertEqual("BATCH-05", strangers, [], "errors for entries that did not fail");
          }
        },
        {
          names: ["given", "plans"],
          share: 0.7,
          examples: [
            [
              exampleKeys,
              [
                [true, true, { b: 1 }],
                [true, false, {}],
                [false, true, { c: 1 }],
                [true, false, {}],
                [false, false, {}],
                [true, true, {}],
                [true, true, {}],
                [true, true, {}],
              ],
            ],
            // a Delete beside an item with the same partition key
            [[["", null]], [[true, false, {}]]],
            // each entry creates an item
            [exampleKeys, [[false, true, {}]]],
            // a Delete of an item that is not there, beside the item without a sort key
            [
              exampleKeys,
              [
                [true, true, {}],
                [false, false, {}],
                [false, false, {}],
              ],
            ],
          ],
        },
      );
    },
  },
  {
    id: "batches/partial-failure",
    title:
      "If some entries of a batch write fail, the other entries succeed and the response lists the failures",
    clauses: ["BATCH-04"],
    after: ["batches/write"],
    run: async (items, context: CheckContext) => {
      // a condition may count, or not count in batches, or be refused there with the request or with its entry
      const { last: trial } = await items.batchWriteAll(
        [{ operation: "Put", ...items.key("s"), data: { n: 1 }, condition: createExistenceCondition(false) }],
        { setUp: true },
      );
      const takesConditions = trial.status === 200 && trial.body.failedCount === 0;
      let partly = false as boolean;
      await context.property(
        [fc.array(fc.boolean(), { minLength: 2, maxLength: 6 })],
        async (failing) => {
          if (!takesConditions) return;
          const entryOf = async (key: ItemKey, fails: boolean) => {
            if (fails) await items.put(key, { old: 1 }, {}, { setUp: true });
            return { condition: createExistenceCondition(false) };
          };
          // a deployment that does not look at conditions writes every entry
          partly = (await failsPartly(items, failing, entryOf, { mayPass: true })) || partly;
        },
        { names: ["failing"], share: 0.5, examples: [[[false, true, false]], [[true, true, false, false]]] },
      );
      const { past } = getSizesAroundLimit(context, "item");
      const tooLarge = (key: ItemKey, fails: boolean) =>
        fails ? { data: createDataForItemSize(key, past) } : {};
      const mayRefuse = context.known("large-item-in-batch") !== "fails-entry";
      for (const at of [0, 1, 2]) {
        const failing = [0, 1, 2].map((n) => n === at);
        partly = (await failsPartly(items, failing, tooLarge, { mayRefuse })) || partly;
      }
      // a Delete may fail whose item is not there
      const deleted = (_: ItemKey, fails: boolean): Partial<BatchEntry> =>
        fails ? { operation: "Delete", data: undefined } : {};
      partly = (await failsPartly(items, [false, true, false], deleted, { mayPass: true })) || partly;
      if (!partly)
        context.notOffered("the check found no way to make only some entries of a batch write fail");
    },
  },
  {
    id: "batches/refused-writes",
    title: "A batch write with an unknown operation or a Put without data is rejected",
    clauses: ["BATCH-06"],
    run: async (items, context: CheckContext) => {
      const data = { n: 1 };
      const noOperation = fc.oneof(
        unknownWordArbitrary(["Put", "Delete"]),
        fc.constantFrom("Update", "ConditionCheck", undefined, null),
      );
      await context.property(
        [
          fc.oneof(
            noOperation.map((operation) => ({ operation, data })),
            nonObject.map((none) => ({ operation: "Put", data: none })),
          ),
          fc.constantFrom(...places),
        ],
        async (fault, place) => {
          const [key, good] = [items.key("s"), { operation: "Put", ...items.key("s"), data }];
          await items.put(key, { kept: true }, {}, { setUp: true });
          const entry = { ...key, ...fault };
          const entries = { alone: [entry], last: [good, entry], first: [entry, good] }[place];
          const path = { databaseId: items.databaseId };
          const call = { path, body: { items: entries }, intent: "invalid" } as const;
          const answer = await context.call("batchWriteItems", call);
          // refused, alone or with the rest of the request
          const isEntry = answer.status === 200 && answer.body.failedCount > 0 && !context.isStrict;
          if (!isEntry)
            context.assertRefused(
              "BATCH-06",
              answer,
              `the batch write contains an entry with ${JSON.stringify(fault)}`,
            );
          await items.expect("BATCH-06", key, { kept: true });
          // beside an entry that fails by itself it is written
          if (!isEntry) await items.expect("BATCH-06", good, undefined);
        },
        {
          names: ["fault", "place"],
          examples: [
            ...["Update", "Get", undefined, null].map((operation) => ({ operation, data })),
            ...exampleNonObjects.map(([none]) => ({ operation: "Put", data: none })),
          ].map((fault, n) => [fault, places[n % places.length] ?? "alone"]),
        },
      );
    },
  },
  {
    id: "batches/get",
    title: "A batch get returns the items with the requested keys, and nothing for keys without an item",
    clauses: ["BATCH-09", "BATCH-10"],
    run: async (items, context: CheckContext) => {
      const forms = await KeyRestrictions.detect(items);
      await context.property(
        [distinctKeysArbitrary(40), fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }), keyText],
        async (given, plans, stranger) => {
          const pk = items.partition();
          const keys = given.map(([suffix, sk]) => ({ pk: pk + forms.adapt(suffix), sk: forms.adapt(sk) }));
          const there = keys.filter((_, index) => plans[index % plans.length]);
          await items.load(there.map((key, n) => ({ ...key, data: { n } })));
          await items.load([{ pk: items.partition(forms.adapt(stranger)), sk: null, data: { stranger: 1 } }]);
          // the partition of each key has another item, which was not requested
          const asked = new Set(keys.map(formatItemKey));
          const neighbours = keys.map(({ pk: at, sk }) => ({ pk: at, sk: sk === null ? "other" : null }));
          const unasked = new Map(neighbours.map((key) => [formatItemKey(key), { ...key, data: {} }]));
          await items.load([...unasked].filter(([name]) => !asked.has(name)).map(([, item]) => item));
          const found = await batchGetAll(items, keys, there);
          const seen = found.map(({ pk: at, sk, data }) => ({ pk: at, sk, data })).sort(byName);
          const wanted = there.map((key, n) => ({ ...key, data: { n } })).sort(byName);
          context.assertEqual("BATCH-09", seen, wanted, "the items with the requested keys, each once");
        },
        {
          names: ["given", "plans", "stranger"],
          share: 0.7,
          examples: [
            [
              exampleKeys,
              [true, true, false, true, false, false, false, false, false, false, false, false],
              "x",
            ],
            [
              [
                ["", "s"],
                ["a", null],
              ],
              Array.from({ length: 12 }, () => false),
              "x",
            ],
          ],
        },
      );
      await items.batchGet([{ pk: 5 as unknown as string, sk: null }], { intent: "invalid" });
    },
  },
  {
    id: "limits/batch-write",
    title: "A batch write accepts at most 25 items",
    clauses: ["BATCH-07", "BATCH-08"],
    run: async (items, context: CheckContext) => {
      for (const mixed of [false, true]) {
        const pk = items.partition();
        const entries = (count: number): BatchEntry[] =>
          Array.from({ length: count }, (_, n) =>
            mixed && n % 2 === 1
              ? { operation: "Delete", pk, sk: `s${n}` }
              : { operation: "Put", pk, sk: `s${n}`, data: { n } },
          );
        const limit = limits.batchWriteItems;
        await checkCountsAboveLimit(context, limit, async (count) => {
          const over = await items.batchWrite(entries(count), { intent: "invalid" });
          // the status of a batch that fails as a whole is not shown: none of it may be said to have gone through
          const isTaken = !isClientError(over) && (over.status !== 200 || over.body.successCount > 0);
          context.assert(
            "BATCH-08",
            !isTaken,
            `no writes from a batch of ${count} items`,
            formatAnswer(over),
          );
          for (const { pk, sk } of [...entries(1), ...entries(limit).slice(-1)])
            await items.expect("BATCH-08", { pk, sk }, undefined);
        });
        // whether Delete of a missing item fails is open
        const deleted = entries(limit).filter(({ operation }) => operation === "Delete");
        await untilSettled(async (isLast) => {
          await items.load(deleted.map((key) => ({ pk: key.pk, sk: key.sk, data: { n: -1 } })));
          const full = await items.batchWrite(entries(limit));
          if (!isLast && full.status === 200 && full.body.failedCount > 0) return false;
          const isWhole = full.status === 200 && full.body.successCount === limit;
          context.assert("BATCH-07", isWhole, `${limit} items are accepted`, formatAnswer(full));
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
    run: async (items, context: CheckContext) => {
      const pk = items.partition();
      const limit = limits.batchGetKeys;
      const keysOf = (count: number) => Array.from({ length: count }, (_, n) => ({ pk, sk: `s${n}` }));
      const keys = keysOf(limit);
      await items.load(keysOf(limit + 1).map((key, n) => ({ ...key, data: { n } })));
      context.assertStatus("BATCH-11", await items.batchGet(keys), 200);
      const found = await batchGetAll(items, keys, keys);
      const missing = keys.filter(({ sk }) => !found.some((item) => item.sk === sk));
      context.assertEqual("BATCH-11", missing, [], `items missing from the ${limit} requested items`);
      await checkCountsAboveLimit(context, limit, async (count) => {
        const over = await items.batchGet(keysOf(count), { intent: "invalid" });
        const isTaken = !isClientError(over) && (over.status !== 200 || over.body.items.length > 0);
        context.assert(
          "BATCH-12",
          !isTaken,
          `no items from a batch get of ${count} keys`,
          formatAnswer(over),
        );
      });
    },
  },
);

/**
 * Reads keys, and repeats the request for unprocessed keys. Keys without an item may also be unprocessed, so a request
 * with only such keys is not repeated.
 *
 * @param there the keys that have an item
 */
async function batchGetAll(
  items: ItemClient,
  keys: readonly ItemKey[],
  there: readonly ItemKey[],
): Promise<readonly (ItemKey & { readonly data: unknown })[]> {
  const context: CheckContext = items.context;
  const found: (ItemKey & { data: unknown })[] = [];
  const names = new Set(there.map(formatItemKey));
  let open = keys;
  for (let request = 0; request < maxRetries; request++) {
    if (request > 0 && !open.some((key) => names.has(formatItemKey(key)))) break;
    const answer = context.assertStatus("BATCH-09", await items.batchGet(open), 200);
    found.push(...answer.body.items);
    const { unprocessedKeys } = answer.body;
    const again: readonly ItemKey[] = (unprocessedKeys ?? []).map(({ pk, sk }: ItemKey) => ({ pk, sk }));
    const strangers = again.filter(
      (key) => !open.some((asked) => formatItemKey(asked) === formatItemKey(key)),
    );
    context.assertEqual("BATCH-10", strangers, [], "keys that were not requested");
    const both = again.filter((key) =>
      answer.body.items.some((item: ItemKey) => formatItemKey(item) === formatItemKey(key)),
    );
    context.assertEqual("BATCH-10", both, [], "unprocessed keys whose items were returned");
    open = again;
  }
  return found;
}

/** Maximum number of tries of a batch in which valid entries fail. */
const maxTrials = 4;

/** Repeats a batch in which valid entries fail, because they may fail for a temporary reason. */
async function untilSettled(tryOnce: (isLast: boolean) => Promise<boolean>): Promise<void> {
  for (let trial = 1; !(await tryOnce(trial === maxTrials)); trial++);
}

/**
 * Writes a batch, some of whose Puts are faulty, and asserts that exactly the faulty Puts fail.
 *
 * @param entryOf returns the fields that replace those of a Put
 * @returns whether some entries failed and others did not
 */
async function failsPartly(
  items: ItemClient,
  failing: readonly boolean[],
  entryOf: (key: ItemKey, fails: boolean) => Partial<BatchEntry> | Promise<Partial<BatchEntry>>,
  { mayPass = false, mayRefuse = false }: { readonly mayPass?: boolean; readonly mayRefuse?: boolean },
): Promise<boolean> {
  let isPartial = false;
  await untilSettled(async (isLast) => {
    const pk = items.partition();
    const entries = failing.map((fails, n) => ({ pk, sk: `s${n}`, fails, deletes: !fails && n % 2 === 1 }));
    const sent: BatchEntry[] = [];
    for (const { fails, deletes, ...key } of entries) {
      if (deletes) await items.put(key, { old: 1 }, {}, { setUp: true });
      const put = { operation: "Put", ...key, data: { fresh: 1 } } as const;
      sent.push(deletes ? { operation: "Delete", ...key } : { ...put, ...(await entryOf(key, fails)) });
    }
    const intent = failing.includes(true) ? "invalid" : "valid";
    const answer = await catchBrokenConnection(items.batchWrite(sent, { intent }));
    if (answer === undefined || (mayRefuse && answer.status >= 400)) {
      // the whole request may count as invalid, and then does nothing
      for (const key of entries) await items.expect("BATCH-04", key, key.deletes ? { old: 1 } : undefined);
      return true;
    }
    if (mayPass && answer.status === 200 && answer.body.failedCount === 0) {
      const stored = await Promise.all(sent.map(async (key) => getItemData(await items.get(key))));
      if (stored.every((data, n) => isDeepStrictEqual(data, sent[n]?.data))) return true;
    }
    if (!isLast && othersFailed(answer, entries)) return false;
    await assertPartial(items, answer, entries);
    isPartial = new Set(failing).size === 2;
    return true;
  });
  return isPartial;
}

/** Whether an answer reports failures of valid entries. */
function othersFailed(
  answer: ApiResponse,
  entries: readonly (ItemKey & { readonly fails: boolean })[],
): boolean {
  const failed = answer.status === 200 ? namesOf((answer.body as { readonly errors?: unknown }).errors) : [];
  return entries.some((entry) => !entry.fails && failed.includes(formatItemKey(entry)));
}

/** Asserts that exactly the faulty entries failed and all others were written. If all entries fail, any status is allowed. */
async function assertPartial(
  items: ItemClient,
  answer: ApiResponse,
  entries: readonly (ItemKey & { readonly fails: boolean; readonly deletes: boolean })[],
): Promise<void> {
  const context: CheckContext = items.context;
  if (entries.some(({ fails }) => !fails)) context.assertStatus("BATCH-04", answer, 200);
  else if (answer.status !== 200) context.assertRefused("BATCH-04", answer, "all entries failed");
  for (const { fails, deletes, ...key } of entries)
    if (!fails) await items.expect("BATCH-04", key, deletes ? undefined : { fresh: 1 });
  const failing = entries.filter(({ fails }) => fails);
  for (const key of failing) {
    const { body } = await items.get(key);
    context.assert("BATCH-04", body?.data?.fresh === undefined, `no write of ${formatItemKey(key)}`, body);
  }
  if (answer.status !== 200) return;
  const { errors } = answer.body as { errors: readonly { readonly error: unknown }[] | null };
  const wanted = failing.map(formatItemKey).sort();
  context.assertEqual("BATCH-05", namesOf(errors).sort(), wanted, "the keys in errors");
  const areTexts = (errors ?? []).every(({ error }) => typeof error === "string" && error !== "");
  context.assert("BATCH-05", areTexts, "a message in each error", errors);
  assertCounts(context, answer, entries.length, failing.length);
}

/** Asserts the counts in the answer to a batch write with the given numbers of entries and failures. */
function assertCounts(context: CheckContext, answer: ApiResponse, entries: number, failed: number): void {
  const { successCount, failedCount } = answer.body as { successCount: number; failedCount: number };
  context.assertEqual("BATCH-05", failedCount, failed, "failedCount");
  context.assertEqual("BATCH-01", successCount, entries - failed, "successCount");
}

/** Returns the keys in a list of errors, which may be null. */
function namesOf(errors: unknown): string[] {
  return ((errors ?? []) as ItemKey[]).map(formatItemKey);
}

function byName(a: ItemKey, b: ItemKey): number {
  return formatItemKey(a) < formatItemKey(b) ? -1 : 1;
}
