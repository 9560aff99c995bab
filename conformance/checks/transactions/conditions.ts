import fc from "fast-check";
import type { CheckContext } from "../../check/context.js";
import { sortKey } from "../../generators/item-keys.js";
import type { ItemKey } from "../../models/item-key.js";
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

/** The forms of rule 1: whether there is an item, and comparisons of an attribute with a value that differs a little. */
const forms = ["exists", "missing", ...comparisonOperators] as const;
type Form = (typeof forms)[number];

const before = { amount: 10, kept: "yes" } as const;
const given = { amount: 3, fresh: true } as const;

/** The clause about the effect of each action, and the data afterwards. */
const done: Readonly<
  Record<Action, { readonly clause: "TX-07" | "TX-08" | "TX-09"; readonly after: Data | undefined }>
> = {
  ConditionCheck: { clause: "TX-09", after: before },
  Put: { clause: "TX-07", after: given },
  Update: { clause: "TX-08", after: { ...before, ...given } },
  Delete: { clause: "TX-07", after: undefined },
};

/** Checks of conditions in transactions (part 4.2 rules 1, 9 and 10). */
export const transactionConditionChecks = defineItemChecks({
  id: "transactions/condition-check",
  title:
    "A transaction succeeds if and only if the conditions of all its actions are true; ConditionCheck changes nothing",
  clauses: ["TX-07", "TX-08", "TX-09", "TX-10", "TX-12"],
  run: async (items, context: CheckContext) => {
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
      async (wanted, form, isThere, text, difference) => {
        const sk = keys.adapt(text);
        const { condition, holds } = conditionOf(form, compare, isThere, difference);
        // Update and Delete of a missing item are open, where their conditions let them through
        const action = !isThere && holds && wanted !== "ConditionCheck" ? "Put" : wanted;
        const key = items.key(sk);
        if (isThere) await items.put(key, before, {}, { setUp: true });
        const other = { pk: key.pk, sk: sk === "other" ? "another" : "other" };
        const entries: readonly TransactionEntry[] = [
          { action: "Put", ...other, data: { n: 1 } },
          entryOf(action, key, condition),
        ];
        const answer = await items.transactWrite(entries, undefined, { intent: holds ? "valid" : "invalid" });
        const what = `a ${action} with ${JSON.stringify(condition)}, which is ${String(holds)}`;
        const isCheck = action === "ConditionCheck";
        const { clause, after } = done[action];
        items.assertApplied(holds ? clause : isCheck ? "TX-09" : "TX-12", answer, what, holds);
        if (holds) {
          await items.expect(clause, key, isCheck && !isThere ? undefined : after);
          await items.expect("TX-07", other, { n: 1 });
        } else {
          await items.expect(isCheck ? "TX-09" : "TX-10", key, isThere ? before : undefined);
          await items.expect("TX-10", other, undefined);
          assertTransactionErrors(context, answer, entries, [key]);
        }
      },
      {
        names: ["wanted", "form", "isThere", "sk", "difference"],
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

function entryOf(action: Action, key: ItemKey, condition: ItemCondition): TransactionEntry {
  const writes = action === "Put" || action === "Update";
  return { action, ...key, condition, ...(writes ? { data: given } : {}) };
}

/** A condition on the item before, and whether it holds; about its existence where no comparison can be stated. */
function conditionOf(
  form: Form,
  compare: ConditionBuilder | undefined,
  isThere: boolean,
  difference: number,
): { readonly condition: ItemCondition; readonly holds: boolean } {
  if (form === "exists" || form === "missing" || compare === undefined) {
    const isWanted = form !== "missing";
    return { condition: createExistenceCondition(isWanted), holds: isThere === isWanted };
  }
  const value = before.amount + difference;
  return {
    condition: compare(`amount ${form} :given`, { ":given": value }),
    holds: isThere && comparisons[form](before.amount, value),
  };
}

/** Finds how comparisons are written in a Put; returns undefined if transactions do not accept the same form. */
export async function findTransactionConditionBuilder(
  items: ItemClient,
): Promise<ConditionBuilder | undefined> {
  const compare = await findConditionBuilder(items);
  if (compare === undefined || items.context.isStrict) return compare;
  const key = items.key("s");
  await items.put(key, { amount: 2 }, {}, { setUp: true });
  const condition = compare("amount >= :least", { ":least": 1 });
  const answer = await items.transactWrite([{ action: "Put", ...key, data: {}, condition }], undefined, {
    setUp: true,
  });
  return isAppliedTransaction(answer) ? compare : undefined;
}
