import fc from "fast-check";
import { sortKey } from "../../generators/item-keys.js";
import { comparisonOperators, comparisons } from "../../models/comparisons.js";
import { type ConditionBuilder, findConditionBuilder } from "../items/conditional-puts.js";
import {
  type ItemCondition,
  type Data,
  createExistenceCondition,
  isAppliedTransaction,
  defineItemChecks,
  type ItemClient,
  type TransactionEntry,
} from "../../steps/items/item-client.js";
import { KeyRestrictions } from "../items/key-restrictions.js";
import { assertTransactionErrors } from "../items/transact-get-reader.js";

const actions = ["ConditionCheck", "Put", "Update", "Delete"] as const;
type Action = (typeof actions)[number];

/** The conditions of rule 1: whether the item exists, and comparisons of an attribute with a value. */
const forms = ["exists", "missing", ...comparisonOperators] as const;
type Form = (typeof forms)[number];

const oldData = { amount: 10, kept: "yes" } as const;
const newData = { amount: 3, fresh: true } as const;

/** The clause about the effect of each action, and the data afterwards. */
const effects: Readonly<
  Record<Action, { readonly clause: "TX-07" | "TX-08" | "TX-09"; readonly after: Data | undefined }>
> = {
  ConditionCheck: { clause: "TX-09", after: oldData },
  Put: { clause: "TX-07", after: newData },
  Update: { clause: "TX-08", after: { ...oldData, ...newData } },
  Delete: { clause: "TX-07", after: undefined },
};

/** Checks of conditions in transactions (part 4.2 rules 1, 9 and 10). */
export const transactionConditionChecks = defineItemChecks({
  id: "transactions/condition-check",
  title:
    "A transaction succeeds if and only if the conditions of all its actions are true; ConditionCheck changes nothing",
  clauses: ["TX-07", "TX-08", "TX-09", "TX-10", "TX-12"],
  run: async (items, context) => {
    const compare = await findTransactionConditionBuilder(items);
    const keys = await KeyRestrictions.detect(items);
    await context.property(
      [
        fc.constantFrom(...actions),
        fc.constantFrom(...forms),
        fc.boolean(),
        sortKey,
        fc.integer({ min: -1, max: 1 }),
      ],
      async (givenAction, form, exists, text, difference) => {
        const sk = keys.adapt(text);
        const { condition, holds } = createCondition(form, compare, exists, difference);
        // The specification leaves open whether Update and Delete of a missing item succeed.
        const action = !exists && holds && givenAction !== "ConditionCheck" ? "Put" : givenAction;
        const key = items.key(sk);
        if (exists) await items.put(key, oldData, {}, { setUp: true });
        const other = { pk: key.pk, sk: sk === "other" ? "another" : "other" };
        const entries: readonly TransactionEntry[] = [
          { action: "Put", ...other, data: { n: 1 } },
          {
            action,
            ...key,
            condition,
            ...(action === "Put" || action === "Update" ? { data: newData } : {}),
          },
        ];
        const response = await items.transactWrite(entries, undefined, {
          intent: holds ? "valid" : "invalid",
        });
        const what = `a ${action} with ${JSON.stringify(condition)}, which is ${String(holds)}`;
        const isCheck = action === "ConditionCheck";
        const { clause, after } = effects[action];
        items.assertApplied(holds ? clause : isCheck ? "TX-09" : "TX-12", response, what, holds);
        if (holds) {
          await items.expect(clause, key, isCheck && !exists ? undefined : after);
          await items.expect("TX-07", other, { n: 1 });
        } else {
          await items.expect(isCheck ? "TX-09" : "TX-10", key, exists ? oldData : undefined);
          await items.expect("TX-10", other, undefined);
          assertTransactionErrors(context, response, entries, [key]);
        }
      },
      {
        names: ["action", "form", "exists", "sk", "difference"],
        examples: [
          ["ConditionCheck", "exists", false, "s", 0],
          ["ConditionCheck", "missing", true, null, 0],
          ["ConditionCheck", "missing", false, "s", 0],
          ["ConditionCheck", ">=", true, "s", 1],
          ["ConditionCheck", ">=", true, "s", 0],
          ...(["Put", "Update", "Delete"] as const).flatMap(
            (action): [Action, Form, boolean, string, number][] => [
              [action, "exists", true, "s", 0],
              [action, "missing", true, "s", 0],
              [action, "=", true, "s", 0],
              [action, "<", true, "s", 0],
            ],
          ),
        ],
      },
    );
  },
});

/**
 * Creates a condition, and returns whether it is true. The condition is about the existence of the item if the deployment
 * accepts no comparison.
 */
function createCondition(
  form: Form,
  compare: ConditionBuilder | undefined,
  exists: boolean,
  difference: number,
): { readonly condition: ItemCondition; readonly holds: boolean } {
  if (form === "exists" || form === "missing" || compare === undefined) {
    const mustExist = form !== "missing";
    return { condition: createExistenceCondition(mustExist), holds: exists === mustExist };
  }
  const value = oldData.amount + difference;
  return {
    condition: compare(`amount ${form} :given`, { ":given": value }),
    holds: exists && comparisons[form](oldData.amount, value),
  };
}

/** Finds the form of comparisons in a Put; returns undefined if transactions do not accept this form. */
export async function findTransactionConditionBuilder(
  items: ItemClient,
): Promise<ConditionBuilder | undefined> {
  const compare = await findConditionBuilder(items);
  if (compare === undefined || items.context.isStrict) return compare;
  const key = items.key("s");
  await items.put(key, { amount: 2 }, {}, { setUp: true });
  const condition = compare("amount >= :least", { ":least": 1 });
  const entry: TransactionEntry = { action: "Put", ...key, data: {}, condition };
  const response = await items.transactWrite([entry], undefined, { setUp: true });
  return isAppliedTransaction(response) ? compare : undefined;
}
