import { type ConditionBuilder, findConditionBuilder } from "../items/conditional-puts.js";
import {
  isAppliedTransaction,
  type ItemClient,
  type TransactionEntry,
} from "../../steps/items/item-client.js";

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
