import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import type { ClauseId } from "../../../openapi/clauses/register.js";
import { type CheckContext, formatResponse } from "../../check/context.js";
import { partitionSuffix, sortKey } from "../../generators/item-keys.js";
import { comparisonOperators, type ComparisonOperator, comparisons } from "../../models/comparisons.js";
import type { ItemKey } from "../../models/item-key.js";
import {
  type ItemCondition,
  type Data,
  getItemData,
  getItemTimestamps,
  defineItemChecks,
  createExistenceCondition,
  type ItemClient,
  listConditionValueFields,
  normalizeData,
} from "../../steps/items/item-client.js";
import { KeyRestrictions } from "./key-restrictions.js";

/** Builds a comparison for this deployment; the specification leaves open which field contains the values of names. */
export type ConditionBuilder = (
  expression: string,
  values: Readonly<Record<string, unknown>>,
) => ItemCondition;

/**
 * Finds the field beside `conditionExpression` that contains the values of names, by trying a comparison that is true.
 *
 * @returns undefined if it is none of the known fields
 */
export async function findConditionBuilder(items: ItemClient): Promise<ConditionBuilder | undefined> {
  const key = items.key("s");
  await items.put(key, { amount: 2 }, {}, { setUp: true });
  const put = async (condition: ItemCondition) =>
    (await items.put(key, { amount: 2 }, condition, { setUp: true })).status;
  const builders = listConditionValueFields(items.context).map(
    (field): ConditionBuilder =>
      (conditionExpression, values) => ({ conditionExpression, [field]: values }),
  );
  const statuses: number[] = [];
  for (const compare of builders) {
    const status = await put(compare("amount >= :least", { ":least": 1 }));
    if (status === 200) return compare;
    statuses.push(status);
  }
  // A faulty deployment may treat the comparison as false; its response then differs from those for unknown fields.
  const statusIfFalse = await put(createExistenceCondition(false));
  const isDistinct = items.context.isStrict || statuses.some((status) => status !== statusIfFalse);
  return isDistinct ? builders[statuses.indexOf(statusIfFalse)] : undefined;
}

/** Like {@link findConditionBuilder}, but ends the check as not declared if no field is found. */
export async function requireConditionBuilder(items: ItemClient): Promise<ConditionBuilder> {
  return (
    (await findConditionBuilder(items)) ??
    items.context.notOffered("no known field can contain the value for a `:<name>` in a condition")
  );
}

/** Checks of Put with a condition (part 4.2 rule 1). */
export const conditionalPutChecks = defineItemChecks(
  {
    id: "items/conditional-puts",
    title: "Put with attribute_not_exists(pk) or attribute_exists(pk) writes only if the condition is true",
    clauses: ["ITEM-04", "ITEM-05", "ITEM-07"],
    run: async (items, context: CheckContext) => {
      const keys = await KeyRestrictions.detect(items);
      await context.property(
        {
          suffix: partitionSuffix,
          sk: sortKey,
          origin: fc.constantFrom(...origins),
          wanted: fc.boolean(),
          hasNeighbor: fc.boolean(),
        },
        async ({ suffix, sk, origin, wanted, hasNeighbor }) => {
          const isThere = origin === "there";
          const key = { pk: items.partition(keys.adapt(suffix)), sk: keys.adapt(sk) };
          const neighbor = { ...key, sk: sk === null ? "other" : null };
          // Another item in the same partition must not affect the condition.
          if (hasNeighbor) await items.put(neighbor, { neighbor: true }, {}, { setUp: true });
          if (origin !== "never") await items.put(key, { n: 1 }, {}, { setUp: true });
          if (origin === "deleted") await items.remove(key, { setUp: true });
          if (origin === "deleted-in-batch") await items.batchWriteAll([{ operation: "Delete", ...key }]);
          if (origin === "deleted-in-transaction") await items.transactWrite([{ action: "Delete", ...key }]);
          await assertConditional(items, wanted ? "ITEM-05" : "ITEM-04", {
            key,
            before: isThere ? { n: 1 } : undefined,
            after: { n: 2 },
            condition: createExistenceCondition(wanted),
            holds: wanted === isThere,
          });
        },
        {
          examples: origins.flatMap((origin) => [
            { suffix: "", sk: null, origin, wanted: false, hasNeighbor: origin === "never" },
            { suffix: "", sk: "s", origin, wanted: true, hasNeighbor: origin === "never" },
          ]),
        },
      );
    },
  },
  {
    id: "items/compared-puts",
    title:
      "A Put whose condition compares an attribute with a placeholder's value writes only if the comparison is true",
    clauses: ["ITEM-06", "ITEM-07"],
    run: async (items, context: CheckContext) => {
      const compare = await requireConditionBuilder(items);
      const known = await findKnownOperators(items, compare);
      await context.property(
        {
          operator: fc.constantFrom(...comparisonOperators),
          whole: fc.integer({ min: -3, max: 12 }),
          difference: fc.integer({ min: -1, max: 1 }),
          fraction: fc.constantFrom(...fractions),
        },
        async ({ operator, whole, difference, fraction: { fraction, step } }) => {
          if (!known.has(operator)) return;
          const amount = whole + fraction;
          const value = amount + difference * step;
          const key = items.key("s");
          await items.put(key, { amountDue: amount, note: "old" }, {}, { setUp: true });
          await assertConditional(items, "ITEM-06", {
            key,
            before: { amountDue: amount, note: "old" },
            // The new amount gives most comparisons the opposite result: the condition is about the old item.
            after: { amountDue: value - difference * 5, note: "new" },
            condition: compare(`amountDue ${operator} :given`, { ":given": value }),
            holds: comparisons[operator](amount, value),
          });
        },
        {
          examples: comparisonOperators.flatMap((operator) =>
            fractions.flatMap((fraction) =>
              [1, 0, -1].map((difference) => ({ operator, whole: 9, difference, fraction })),
            ),
          ),
        },
      );
      for (const [before, expression, given, holds] of [
        [{ orderState: "open" }, "orderState = :given", "open", true],
        [{ orderState: "open" }, "orderState = :given", "done", false],
        [{ day: "2030-01-02" }, "day >= :given", "2030-01-10", false],
        [{ day: "2030-01-10" }, "day >= :given", "2030-01-02", true],
        [{ done: true }, "done = :given", true, true],
        [{ done: true }, "done = :given", false, false],
        [{ other: 1 }, "amountDue >= :given", 1, false],
        [undefined, "amountDue >= :given", 1, false],
      ] as const) {
        if (!known.has(expression.includes(">=") ? ">=" : "=")) continue;
        const key = items.key();
        if (before !== undefined) await items.put(key, before, {}, { setUp: true });
        await assertConditional(items, "ITEM-06", {
          key,
          before,
          after: { orderState: "open", amountDue: 2, n: 2 },
          condition: compare(expression, { ":given": given }),
          holds,
        });
      }
    },
  },
);

/** Whether the item exists and, if not, why: a deleted item must count as missing. */
const origins = ["never", "there", "deleted", "deleted-in-batch", "deleted-in-transaction"] as const;

/** Fractions that are added to an integer, and the distance between two different numbers. */
const fractions = [
  { fraction: 0, step: 1 },
  { fraction: 0.123456789012345, step: 1e-13 },
] as const;

/**
 * Finds the comparison operators that the deployment knows: the specification shows `>=`, and others may be written
 * differently. A deployment that knows an operator accepts a comparison that is clearly true.
 */
export async function findKnownOperators(
  items: ItemClient,
  compare: ConditionBuilder,
): Promise<ReadonlySet<ComparisonOperator>> {
  const known = new Set<ComparisonOperator>([">="]);
  const clear: Readonly<Record<ComparisonOperator, number>> = { "=": 5, "<": 9, "<=": 9, ">": 1, ">=": 1 };
  for (const operator of comparisonOperators) {
    const key = items.key("s");
    await items.put(key, { amount: 5, state: "open" }, {}, { setUp: true });
    const conditions = [compare(`amount ${operator} :given`, { ":given": clear[operator] })];
    if (operator === "=") conditions.push(compare("state = :given", { ":given": "open" }));
    let isKnown = true;
    for (const condition of conditions) {
      const response = await items.put(key, { amount: 5, state: "open" }, condition, { setUp: true });
      isKnown &&= response.status === 200;
    }
    if (isKnown) known.add(operator);
  }
  await items.deleteWrittenItems();
  return known;
}

/** Sends a Put with a condition, and asserts that the item is written if and only if the condition is true. */
async function assertConditional(
  items: ItemClient,
  clause: ClauseId,
  put: {
    readonly key: ItemKey;
    readonly before: Data | undefined;
    readonly after: Data;
    readonly condition: ItemCondition;
    readonly holds: boolean;
  },
): Promise<void> {
  const context: CheckContext = items.context;
  const { key, before, after, condition, holds } = put;
  const times = holds ? [] : getItemTimestamps(await items.get(key));
  const answer = await items.put(key, after, condition, holds ? {} : { intent: "invalid" });
  const what = JSON.stringify(condition);
  if (holds) {
    const accepted = `an accepted Put, because the condition ${what} is true`;
    context.assert(clause, answer.status === 200, accepted, formatResponse(answer));
    await items.expect(clause, key, after);
    return;
  }
  const isWritten =
    answer.status < 300 && isDeepStrictEqual(getItemData(await items.get(key)), normalizeData(after));
  context.assert(clause, !isWritten, `no write, because ${what} is false`, formatResponse(answer));
  const expected = `a response that does not report a successful Put, because the condition ${what} is false`;
  context.assert("ITEM-07", answer.status !== 200, expected, formatResponse(answer));
  await items.expect("ITEM-07", key, before);
  // An item that is rewritten with the old data has a new updatedAt.
  const timesAfter = getItemTimestamps(await items.get(key));
  context.assertEqual("ITEM-07", timesAfter, times, "the times of the item that was not written");
}
