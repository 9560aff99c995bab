import fc from "fast-check";
import { type ClauseId, getClauseRange } from "../../../openapi/clauses/register.js";
import { smallData } from "../../generators/item-data.js";
import { unknownWordArbitrary } from "../../generators/unknown-word.js";
import { partitionSuffix, sortKey } from "../../generators/item-keys.js";
import { changeableText } from "../../generators/tricky-texts.js";
import { type ComparisonOperator, comparisonOperators, comparisons } from "../../models/comparisons.js";
import {
  createExistenceCondition,
  type ItemCondition,
  defineItemChecks,
  type ItemClient,
  getItemTimestamps,
  type TransactionEntry,
} from "../../steps/items/item-client.js";
import { formatItemKey, type ItemData, type ItemKey } from "../../models/item-key.js";
import { type ConditionBuilder, findKnownOperators } from "../items/conditional-puts.js";
import { KeyRestrictions } from "../items/key-restrictions.js";
import { assertTransactionErrors, assertTransactionApplied } from "../items/transact-get-reader.js";
import { findTransactionConditionBuilder } from "./conditions.js";

/** An operation of a transaction: its action, whether the item exists before, and its condition. */
interface Plan {
  readonly action: TransactionEntry["action"];
  readonly exists: boolean;
  /** What the condition demands: that the item exists, that it does not, or a comparison of its amount with a number. */
  readonly demands: "nothing" | "existence" | "absence" | ComparisonOperator;
  /** The number that is compared, minus the amount of the existing item. */
  readonly difference: number;
}

/** Data of an existing item. An Update replaces some attributes, and leaves the others unchanged at every depth. */
const oldData = { a: 0, amountDue: 10, c: [1], kept: { deep: [{ x: 1 }, {}] }, d: null } as const;

const actions = ["Put", "Update", "Delete", "ConditionCheck"] as const;

/** All plans, except that every ConditionCheck has a condition. */
const plans: readonly Plan[] = actions.flatMap((action) =>
  [true, false].flatMap((exists) => [
    ...(["nothing", "existence", "absence"] as const)
      .filter((demands) => action !== "ConditionCheck" || demands !== "nothing")
      .map((demands) => ({ action, exists, demands, difference: 0 })),
    ...comparisonOperators.flatMap((demands) =>
      [0, 1, -1].map((difference) => ({ action, exists, demands, difference })),
    ),
  ]),
);

function isComparison(demands: Plan["demands"]): demands is ComparisonOperator {
  return demands in comparisons;
}

function holds({ exists, demands, difference }: Plan): boolean {
  if (isComparison(demands))
    return exists && comparisons[demands](oldData.amountDue, oldData.amountDue + difference);
  return demands === "nothing" || exists === (demands === "existence");
}

/** Plans that succeed; the specification leaves open whether Update and Delete of a missing item do. */
const succeeding = plans.filter(
  (plan) => holds(plan) && (plan.exists || plan.action === "Put" || plan.action === "ConditionCheck"),
);
const failing = plans.filter((plan) => !holds(plan));

type KnownOperators = ReadonlySet<ComparisonOperator>;

/** Selects one of the plans; of the comparisons, only those that the deployment knows. */
function planArbitrary(among: readonly Plan[], known: KnownOperators): fc.Arbitrary<Plan> {
  const plain = fc.constantFrom(...among.filter(({ demands }) => !isComparison(demands)));
  if (known.size === 0) return plain;
  const compared = among.filter(({ demands }) => isComparison(demands) && known.has(demands));
  return fc.oneof({ weight: 3, arbitrary: plain }, { weight: 1, arbitrary: fc.constantFrom(...compared) });
}

const plain = (action: Plan["action"], exists: boolean, demands: Plan["demands"] = "nothing"): Plan => ({
  action,
  exists,
  demands,
  difference: 0,
});

/** What each action does to an item and, if it does something else, the clause that is broken. */
const effects = {
  Put: { clause: "TX-07", apply: (_, data) => data },
  Update: { clause: "TX-08", apply: (before, data) => ({ ...before, ...data }) },
  Delete: { clause: "TX-07", apply: () => undefined },
  ConditionCheck: { clause: "TX-09", apply: (before) => before },
} as const satisfies Readonly<
  Record<Plan["action"], { clause: ClauseId; apply: (before: Data, data: ItemData) => Data }>
>;
type Data = ItemData | undefined;

/** An operation to generate: its plan, the place of its item (partition and sort key) and its data. */
type Operation = readonly [plan: Plan, place: readonly [string, string | null] | null, data: ItemData];

/** Examples with the plans of one action, which come together if they all succeed. */
function listExamples(known: KnownOperators): { good: Operation[]; bad: Operation[] }[] {
  const suit = ({ demands }: Plan) => !isComparison(demands) || known.has(demands);
  const toOperation = (plan: Plan): Operation => [
    plan,
    null,
    { a: 5, b: changeableText, c: [2], none: null, zero: 0, no: false },
  ];
  const writes = [plain("Put", false), plain("Put", true), plain("Delete", true), plain("Update", true)];
  return [
    ...actions.map((action) => ({
      good: succeeding.filter((plan) => plan.action === action && suit(plan)).map(toOperation),
      bad: [],
    })),
    ...failing
      .filter(({ demands, difference }) => !isComparison(demands) || (demands === ">=" && difference === 1))
      .filter(suit)
      .map((plan, n) => ({ good: writes.slice(0, n % 5).map(toOperation), bad: [toOperation(plan)] })),
    { good: [[plain("Delete", true), ["", null], {}]], bad: [] },
    { good: [[plain("Update", true), ["", null], { a: 5 }]], bad: [] },
    {
      good: Array.from({ length: 24 }, () => toOperation(plain("Put", false))),
      bad: [toOperation(plain("ConditionCheck", false, "existence"))],
    },
  ];
}

/** Checks of transact write (part 4.2 rules 1, 9 and 10, part 7). */
export const transactionWriteChecks = defineItemChecks(
  {
    id: "transactions/write",
    title:
      "A transactional write applies every operation or, if a condition is false, none, and reports the result",
    clauses: getClauseRange("TX-06", "TX-13"),
    run: async (items, context) => {
      const keys = await KeyRestrictions.detect(items);
      const compare = await findTransactionConditionBuilder(items);
      const known = compare === undefined ? new Set<never>() : await findKnownOperators(items, compare);
      const operation = (among: readonly Plan[]) =>
        fc.tuple(planArbitrary(among, known), fc.option(fc.tuple(partitionSuffix, sortKey)), smallData);
      await context.property(
        {
          good: fc.oneof(
            { weight: 5, arbitrary: fc.array<Operation>(operation(succeeding), { maxLength: 8 }) },
            // With three failing operations, this is the maximum number of operations.
            {
              weight: 1,
              arbitrary: fc.array<Operation>(operation(succeeding), { minLength: 9, maxLength: 22 }),
            },
          ),
          bad: fc.oneof(
            fc.constant([]),
            fc.array<Operation>(operation(failing), { minLength: 1, maxLength: 3 }),
          ),
        },
        async ({ good, bad }) => {
          const together = items.partition();
          // The last operation fails; of several failing operations, another one comes first.
          const order = bad.reduce((list, one, n) => (n === 1 ? [one, ...list] : [...list, one]), good);
          if (order.length === 0) return;
          const entries = [];
          for (const [n, [plan, place, given]] of order.entries()) {
            // All keys are different. Those without a place differ only in the sort key.
            const key =
              place === null
                ? { pk: together, sk: `s${n}` }
                : { pk: items.partition(keys.adapt(place[0])), sk: keys.adapt(place[1]) };
            entries.push(await prepareEntry(items, compare, plan, key, given));
          }
          // The partitions of the first keys also have items that the transaction does not name.
          const named = new Set(entries.map(({ entry }) => formatItemKey(entry)));
          const neighbors = entries
            .slice(0, 3)
            .map(({ clause, entry: { pk, sk } }) => ({ clause, pk, sk: sk === null ? "neighbor" : null }))
            .filter((key) => !named.has(formatItemKey(key)));
          for (const key of neighbors) await items.put(key, { n: 1 }, {}, { setUp: true });
          const checked = entries.filter(({ plan }) => plan.action === "ConditionCheck");
          const readTimes = async () => {
            const times = [];
            for (const { entry } of checked) times.push(getItemTimestamps(await items.get(entry)));
            return times;
          };
          const times = await readTimes();
          const sent = entries.map(({ entry }) => entry);
          const faulty = entries.filter(({ plan }) => !holds(plan)).map(({ entry }) => entry);
          const isApplied = faulty.length === 0;
          const response = await items.transactWrite(sent, undefined, {
            intent: isApplied ? "valid" : "invalid",
          });
          if (isApplied) context.assertStatus("TX-06", response, 200);
          else {
            const areChecks = faulty.every(({ action }) => action === "ConditionCheck");
            const what = `a transaction with ${JSON.stringify(faulty)}, whose condition is false,`;
            items.assertApplied(areChecks ? "TX-09" : "TX-12", response, what, false);
          }
          for (const { entry, clause, before, after } of entries)
            await items.expect(isApplied ? clause : "TX-10", entry, isApplied ? after : before);
          for (const key of neighbors) await items.expect(isApplied ? key.clause : "TX-10", key, { n: 1 });
          // An item that is rewritten without a change has another updatedAt.
          context.assertEqual("TX-09", await readTimes(), times, "the times of items with a ConditionCheck");
          if (isApplied) assertTransactionApplied(context, response, sent);
          else {
            const count: unknown = response.body?.successCount;
            context.assertEqual("TX-10", count, 0, "successCount of a failed transaction");
            assertTransactionErrors(context, response, sent, faulty);
          }
        },
        { examples: listExamples(known) },
      );
    },
  },
  {
    id: "transactions/unknown-action",
    title: "A transaction with an unknown action is not applied",
    clauses: ["TX-20"],
    run: async (items, context) => {
      await context.property(
        { action: unknownWordArbitrary(actions), exists: fc.boolean(), isFirst: fc.boolean() },
        async ({ action, exists, isFirst }) => {
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
        { share: 0.5, examples: [{ action: "Get", exists: true, isFirst: false }] },
      );
    },
  },
);

/** Puts the existing item of an operation, and creates the entry of the transaction. */
async function prepareEntry(
  items: ItemClient,
  compare: ConditionBuilder | undefined,
  plan: Plan,
  key: ItemKey,
  given: ItemData,
) {
  const { action, exists } = plan;
  const { clause, apply } = effects[action];
  // A comparison applies to the old amount.
  const data = { ...given, amountDue: 3 };
  const before = exists ? oldData : undefined;
  if (before !== undefined) await items.put(key, before, {}, { setUp: true });
  const entry: TransactionEntry = {
    action,
    ...key,
    ...(action === "Put" || action === "Update" ? { data } : {}),
    condition: createCondition(plan, compare),
  };
  return { plan, clause, before, after: apply(before, data), entry };
}

function createCondition(
  { demands, difference }: Plan,
  compare: ConditionBuilder | undefined,
): ItemCondition {
  if (demands === "nothing") return {};
  if (!isComparison(demands)) return createExistenceCondition(demands === "existence");
  return compare?.(`amountDue ${demands} :given`, { ":given": oldData.amountDue + difference }) ?? {};
}
