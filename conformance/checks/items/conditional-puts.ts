import fc from "fast-check";
import type { ClauseId } from "../../../openapi/clauses/register.js";
import { answersToTry } from "../../../openapi/gaps/register.js";
import { defineChecks } from "../../check.js";
import type { CheckContext } from "../../context.js";
import { partitionSuffix, sortKey } from "../../generators/item-keys.js";
import type { ItemKey } from "../../models/items-model.js";
import { answerText, type Condition, type Data, dataOf, exists, ItemCalls, sameData } from "./item-calls.js";

/** How a comparison is stated here: which member holds the values of names is open. */
export type Compare = (expression: string, values: Readonly<Record<string, unknown>>) => Condition;

/**
 * Finds out which member beside `conditionExpression` holds the values of names, by trying a comparison that holds.
 *
 * @returns nothing when none of the known members is the one
 */
export async function findComparison(items: ItemCalls): Promise<Compare | undefined> {
  const key = items.key("s");
  await items.put(key, { amount: 2 }, {}, { setUp: true });
  const ways = answersToTry("condition-values").map((member): Compare => (conditionExpression, values) => ({
    conditionExpression,
    [member]: values,
  }));
  const statuses: number[] = [];
  for (const compare of ways) {
    const answer = await items.put(key, { amount: 2 }, compare("amount >= :least", { ":least": 1 }), {
      setUp: true,
    });
    if (answer.status === 200) return compare;
    statuses.push(answer.status);
  }
  // no member is taken; one that is answered like a false condition was understood
  const refused = await items.put(key, { amount: 2 }, exists(false), { setUp: true });
  const understood = statuses.indexOf(refused.status);
  const others = statuses.filter((status) => status !== refused.status);
  return understood >= 0 && (items.context.isStrict || others.length > 0) ? ways[understood] : undefined;
}

const comparisons = {
  "=": (a: number, b: number) => a === b,
  "<": (a: number, b: number) => a < b,
  "<=": (a: number, b: number) => a <= b,
  ">": (a: number, b: number) => a > b,
  ">=": (a: number, b: number) => a >= b,
} as const;
type Comparison = keyof typeof comparisons;
const operators = Object.keys(comparisons) as Comparison[];

/** {@link findComparison} for checks that are about nothing else: without it they do not apply. */
export async function demandComparison(items: ItemCalls): Promise<Compare> {
  return (
    (await findComparison(items)) ??
    items.context.notOffered("the values of names in a condition come from none of the known members")
  );
}

/** Put with a condition (part 4.2 rule 1). */
export const conditionalPutChecks = defineChecks(
  {
    id: "items/conditional-puts",
    title: "With attribute_not_exists(pk) and attribute_exists(pk) Put writes only when they hold",
    clauses: ["ITEM-04", "ITEM-05", "ITEM-07"],
    needs: ["database"],
    run: async (context: CheckContext) => {
      const items = await ItemCalls.shared(context);
      await context.property(
        [partitionSuffix, sortKey, fc.boolean(), fc.boolean(), fc.boolean()],
        async (suffix, sk, isThere, wanted, hasNeighbour) => {
          const key = { pk: items.partition(suffix), sk };
          const neighbour = { ...key, sk: sk === null ? "other" : null };
          // an item of the same partition is another item
          if (hasNeighbour) await items.put(neighbour, { neighbour: true }, {}, { setUp: true });
          if (isThere) await items.put(key, { n: 1 }, {}, { setUp: true });
          await demandConditional(items, wanted ? "ITEM-05" : "ITEM-04", {
            key,
            before: isThere ? { n: 1 } : undefined,
            after: { n: 2 },
            condition: exists(wanted),
            holds: wanted === isThere,
          });
          await items.tidy();
        },
        {
          examples: [
            ["", null, false, false, true],
            ["", null, true, false, false],
            ["", "s", true, true, false],
            ["", "s", false, true, true],
          ],
        },
      );
    },
  },
  {
    id: "items/compared-puts",
    title: "With a comparison of an attribute and a named value Put writes only when it holds",
    clauses: ["ITEM-06", "ITEM-07"],
    needs: ["database"],
    run: async (context: CheckContext) => {
      const items = await ItemCalls.shared(context);
      const compare = await demandComparison(items);
      await context.property(
        [fc.constantFrom(...operators), fc.integer({ min: -3, max: 12 }), fc.integer({ min: -1, max: 1 })],
        async (operator, amount, difference) => {
          const value = amount + difference;
          const key = items.key("s");
          await items.put(key, { amount, note: "old" }, {}, { setUp: true });
          await demandConditional(items, "ITEM-06", {
            key,
            before: { amount, note: "old" },
            // the new amount would turn the answer of most comparisons round: what counts is the item that is there
            after: { amount: value - difference * 5, note: "new" },
            condition: compare(`amount ${operator} :given`, { ":given": value }),
            holds: comparisons[operator](amount, value),
          });
          await items.tidy();
        },
        {
          examples: [
            ...operators.flatMap((operator): [Comparison, number, number][] => [
              [operator, 9, 1],
              [operator, 9, 0],
              [operator, 9, -1],
            ]),
          ],
        },
      );
      for (const [before, given, holds] of [
        [{ state: "open" }, "open", true],
        [{ state: "open" }, "Open", false],
        [{ other: 1 }, "open", false],
        [undefined, "open", false],
      ] as const) {
        const key = items.key();
        if (before !== undefined) await items.put(key, before, {}, { setUp: true });
        await demandConditional(items, "ITEM-06", {
          key,
          before,
          after: { state: "open", n: 2 },
          condition: compare("state = :given", { ":given": given }),
          holds,
        });
      }
      await items.tidy();
    },
  },
);

/** Puts with a condition, and demands that the item is written exactly when the condition holds. */
async function demandConditional(
  items: ItemCalls,
  clause: ClauseId,
  put: {
    readonly key: ItemKey;
    readonly before: Data | undefined;
    readonly after: Data;
    readonly condition: Condition;
    readonly holds: boolean;
  },
): Promise<void> {
  const context: CheckContext = items.context;
  const { key, before, after, condition, holds } = put;
  const answer = await items.put(key, after, condition, holds ? {} : { intent: "invalid" });
  const what = JSON.stringify(condition);
  if (holds) {
    context.demand(
      clause,
      answer.status === 200,
      `a Put to be accepted whose condition ${what} holds`,
      answerText(answer),
    );
    await items.expect(clause, key, after);
    return;
  }
  const accepted = answer.status < 300;
  const read = await items.get(key);
  const isWritten = sameData(dataOf(read) ?? null, after);
  context.demand(
    clause,
    !(accepted && isWritten),
    `nothing to be written when ${what} is false`,
    answerText(answer),
  );
  context.demandRefused("ITEM-07", answer, `the condition ${what} is false`);
  await items.expect("ITEM-07", key, before);
}
