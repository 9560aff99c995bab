import fc from "fast-check";
import { limits } from "../../../openapi/clauses/limits.js";
import { smallData } from "../../generators/item-data.js";
import { unknownWordArbitrary } from "../../generators/unknown-word.js";
import { partitionSuffix, sortKey } from "../../generators/item-keys.js";
import {
  createExistenceCondition,
  isAppliedTransaction,
  defineItemChecks,
  type ItemClient,
  getItemTimestamps,
  type TransactionEntry,
} from "../../steps/items/item-client.js";
import { formatItemKey, type ItemData, type ItemKey } from "../../models/item-key.js";
import { KeyRestrictions } from "../items/key-restrictions.js";
import { assertTransactionErrors, assertTransactionApplied } from "../items/transact-get-reader.js";

/**
 * Kinds of entries: the action, whether the item exists before and, for a condition, whether it requires the item to
 * exist.
 */
const kinds = {
  "put-new": ["Put", false, false],
  "put-over": ["Put", true],
  delete: ["Delete", true],
  update: ["Update", true],
  check: ["ConditionCheck", true, true],
} as const;
type Kind = keyof typeof kinds;
const anyKind = fc.constantFrom(...(Object.keys(kinds) as Kind[]));

/** Kinds of entries whose conditions are false. */
const faults = {
  "put-over-existing": ["Put", true, false],
  "put-needs-item": ["Put", false, true],
  "delete-needs-none": ["Delete", true, false],
  "update-needs-none": ["Update", true, false],
  "check-missing": ["ConditionCheck", false, true],
  "check-existing": ["ConditionCheck", true, false],
} as const;
type Fault = keyof typeof faults;

/** Kinds of entries; the specification leaves open whether Delete of a missing item succeeds. */
const plans = { ...kinds, ...faults, "delete-missing": ["Delete", false] } as const satisfies Readonly<
  Record<string, readonly [TransactionEntry["action"], exists: boolean, mustExist?: boolean]>
>;
type Plan = keyof typeof plans;

/** Data of an existing item. An Update replaces some attributes, and leaves the others unchanged at every depth. */
const oldData = { a: 0, c: [1, { x: 1 }], kept: { deep: [null, { x: 1 }] }, 10: "yes", 9: false } as const;

/** Checks of transact write (part 4.2 rules 9 and 10, part 7). */
export const transactionWriteChecks = defineItemChecks(
  {
    id: "transactions/write",
    title: "A transactional write applies every operation, and reports how many it applied",
    clauses: ["TX-06", "TX-07", "TX-08", "TX-09"],
    run: async (items, context) => {
      const keys = await KeyRestrictions.detect(items);
      await context.property(
        [
          fc.oneof(
            { weight: 5, arbitrary: entriesArbitrary(1, 8) },
            { weight: 1, arbitrary: entriesArbitrary(9, limits.transactWriteItems) },
          ),
        ],
        async (given) => {
          const together = items.partition();
          const entries = await prepareEntries(
            items,
            given.map(([kind, place, data], n) => ({
              kind,
              // All keys are different. Those without a place differ only in the sort key.
              ...(place === null
                ? { pk: together, sk: `s${n}` }
                : { pk: items.partition(keys.adapt(place[0])), sk: keys.adapt(place[1]) }),
              data,
            })),
          );
          // The partitions of the first keys also have items that the transaction does not name.
          const named = new Set(entries.map(({ entry }) => formatItemKey(entry)));
          const neighbors = entries
            .slice(0, 3)
            .map(({ kind, entry: { pk, sk } }) => ({
              clause: kind === "update" ? ("TX-08" as const) : ("TX-07" as const),
              key: { pk, sk: sk === null ? "neighbor" : null },
            }))
            .filter(({ key }) => !named.has(formatItemKey(key)));
          for (const { key } of neighbors) await items.put(key, { n: 1 }, {}, { setUp: true });
          const times = new Map<object, unknown>();
          for (const { kind, entry } of entries)
            if (kind === "check") times.set(entry, getItemTimestamps(await items.get(entry)));
          const sent = entries.map(({ entry }) => entry);
          const response = await items.transactWrite(sent);
          if (entries.some(({ kind }) => kind === "delete-missing") && !isAppliedTransaction(response)) {
            for (const { entry, before } of entries) await items.expect("TX-10", entry, before);
            return;
          }
          context.assertStatus("TX-06", response, 200);
          for (const { kind, entry, before, data } of entries)
            if (kind === "update") await items.expect("TX-08", entry, { ...before, ...data });
            else if (kind === "check") {
              await items.expect("TX-09", entry, before);
              // An item that is rewritten without a change has another updatedAt.
              const after: unknown = getItemTimestamps(await items.get(entry));
              const what = "the times of an item with a ConditionCheck";
              context.assertEqual("TX-09", after, times.get(entry), what);
            } else await items.expect("TX-07", entry, entry.data);
          for (const { clause, key } of neighbors) await items.expect(clause, key, { n: 1 });
          assertTransactionApplied(context, response, sent);
        },
        {
          names: ["entries"],
          examples: [
            [
              [
                ["put-new", ["", null], { a: 1 }],
                ["put-over", ["", "s"], { b: 2 }],
                ["delete", ["", "s"], {}],
                ["update", ["", "s"], { a: 5, c: null }],
                ["check", ["", null], {}],
              ],
            ],
            [[["delete", ["", null], {}]]],
            [[["update", ["", null], { a: 5 }]]],
          ],
        },
      );
    },
  },
  {
    id: "transactions/unknown-action",
    title: "A transaction with an unknown action is not applied",
    clauses: ["TX-20"],
    run: async (items, context) => {
      await context.property(
        [unknownWordArbitrary(["Put", "Update", "Delete", "ConditionCheck"]), fc.boolean(), fc.boolean()],
        async (action, exists, isFirst) => {
          const [key, good] = [items.key("s"), items.key("s")];
          if (exists) await items.put(key, oldData, {}, { setUp: true });
          const data = { a: 1 };
          const entries = [
            { action, ...key, data },
            { action: "Put", ...good, data },
          ];
          const sent = (isFirst ? entries : entries.toReversed()) as readonly TransactionEntry[];
          const response = await items.transactWrite(sent, undefined, { intent: "invalid" });
          items.assertApplied("TX-20", response, action, false);
          await items.expect("TX-20", key, exists ? oldData : undefined);
          await items.expect("TX-20", good, undefined);
        },
        { names: ["action", "exists", "isFirst"], share: 0.5, examples: [["Get", true, false]] },
      );
    },
  },
  {
    id: "transactions/atomicity",
    title: "If one operation fails, no operation is applied, and the response names the failed operations",
    clauses: ["TX-10", "TX-11", "TX-12", "TX-13"],
    run: async (items, context) => {
      const keys = await KeyRestrictions.detect(items);
      await context.property(
        [
          fc.oneof(
            { weight: 5, arbitrary: fc.array(anyKind, { maxLength: 8 }) },
            // With three faults, this is the maximum number of entries.
            { weight: 1, arbitrary: fc.array(anyKind, { minLength: 9, maxLength: 22 }) },
          ),
          fc.array(fc.tuple(fc.constantFrom(...(Object.keys(faults) as Fault[])), fc.nat()), {
            minLength: 1,
            maxLength: 3,
          }),
          sortKey,
        ],
        async (good, bad, sk) => {
          const order: Plan[] = [...good];
          for (const [fault, at] of bad) order.splice(at % (order.length + 1), 0, fault);
          const pk = items.partition();
          const data = { a: 1, fresh: true };
          const entries = await prepareEntries(
            items,
            order.map((kind, n) => ({ kind, pk: `${pk}-${n}`, sk: keys.adapt(sk), data })),
          );
          const sent = entries.map(({ entry }) => entry);
          const response = await items.transactWrite(sent, undefined, { intent: "invalid" });
          for (const { entry, before } of entries) await items.expect("TX-10", entry, before);
          context.assertEqual(
            "TX-10",
            response.body?.successCount,
            0,
            "successCount of a failed transaction",
          );
          const failing = entries.filter(({ kind }) => kind in faults).map(({ entry }) => entry);
          assertTransactionErrors(context, response, sent, failing);
        },
        {
          names: ["good", "bad", "sk"],
          examples: [
            [["put-new", "put-over", "delete", "update"], [["check-missing", 4]], "s"],
            [Array.from({ length: 24 }, () => "put-new" as const), [["check-missing", 24]], "s"],
            [["put-new", "put-over", "delete", "update"], [["put-over-existing", 0]], null],
            [["update", "delete"], [["delete-needs-none", 1]], "s"],
            [["put-new"], [["update-needs-none", 1]], "s"],
            [
              ["put-new"],
              [
                ["check-existing", 0],
                ["put-needs-item", 2],
              ],
              "s",
            ],
          ],
        },
      );
    },
  },
);

/** Generates entries with their kinds, places (partition and sort key) and data. */
function entriesArbitrary(minLength: number, maxLength: number) {
  const kind = fc.oneof(
    { weight: 12, arbitrary: anyKind },
    { weight: 1, arbitrary: fc.constant("delete-missing" as const) },
  );
  const place = fc.option(fc.tuple(partitionSuffix, sortKey));
  return fc.array(fc.tuple(kind, place, smallData), { minLength, maxLength });
}

/** Puts the existing items, and creates the entries of a transaction. */
async function prepareEntries(
  items: ItemClient,
  planned: readonly (ItemKey & { readonly kind: Plan; readonly data: ItemData })[],
) {
  const entries = [];
  for (const { kind, data, ...key } of planned) {
    const [action, exists, mustExist]: readonly [TransactionEntry["action"], boolean, boolean?] = plans[kind];
    const before = exists ? oldData : undefined;
    if (before !== undefined) await items.put(key, before, {}, { setUp: true });
    const entry: TransactionEntry = {
      action,
      ...key,
      ...(action === "Put" || action === "Update" ? { data } : {}),
      ...(mustExist === undefined ? {} : { condition: createExistenceCondition(mustExist) }),
    };
    entries.push({ kind, before, data, entry });
  }
  return entries;
}
