import type { TransactionErrorType } from "../../openapi/schemas/batches.js";
import { getFieldTexts } from "../json/compact-reader.js";
import { isJsonObject, type JsonObject, type JsonValue, getFieldEntries } from "../json/json-value.js";
import { parseJson } from "../json/parse-json.js";
import { stringifyJson } from "../json/stringify-json.js";
import type { DatabaseSummary } from "../store/databases.js";
import type { ItemRow } from "../store/items.js";
import { type ParsedCondition, maxStoredDepth, isConditionTrue } from "./conditions.js";
import { stringifyKey } from "./entry-keys.js";
import type { HandlerContext } from "./handler.js";
import { createNewItem, toItemRow, rejectRequestIfItemOversized, describeSizeError } from "./item-writes.js";

/** One operation of a transaction; `sk` is the empty string for an item without a sort key. */
export interface TransactionOperation {
  readonly action: "Put" | "Update" | "Delete" | "ConditionCheck";
  readonly pk: string;
  readonly sk: string;
  readonly data: JsonObject | undefined;
  readonly condition: ParsedCondition | undefined;
}

/** The reason why an operation fails. */
export interface TransactionOperationError {
  readonly index: number;
  readonly error: string;
  readonly errorType: TransactionErrorType;
}

/** The effect of one operation on its item, which may be missing before or after it. */
interface PlannedWrite {
  readonly operation: TransactionOperation;
  readonly before: ItemRow | undefined;
  readonly after: ItemRow | undefined;
}

/**
 * Computes the effects of operations without writing anything. If the profile allows several operations with the same key, a
 * later operation uses the result of the earlier ones.
 */
export function planTransaction(
  operations: readonly TransactionOperation[],
  database: DatabaseSummary,
  context: HandlerContext,
): { readonly plan: readonly PlannedWrite[]; readonly errors: readonly TransactionOperationError[] } {
  const { store, profile } = context;
  const plan: PlannedWrite[] = [];
  const planned = new Map<string, ItemRow | undefined>();
  const keys = new Set<string>();
  const errors: TransactionOperationError[] = [];
  operations.forEach((operation, index) => {
    const { action, pk, sk, condition } = operation;
    const fail = (errorType: TransactionErrorType, error: string) => errors.push({ index, error, errorType });
    const key = stringifyKey({ pk, sk });
    if (keys.has(key) && profile["duplicate-keys"] === "reject")
      return fail("ValidationError", "An earlier operation in the transaction has the same key.");
    keys.add(key);
    const before = planned.has(key) ? planned.get(key) : store.items.get(database.ref, pk, sk);
    if (condition !== undefined && !isConditionTrue(condition, before))
      return fail("ConditionalCheckFailed", "The conditionExpression is false for the item.");
    if (action === "ConditionCheck") return undefined;
    const missingItemAnswer = profile["update-missing-item"];
    if (action === "Update" && before === undefined && missingItemAnswer !== "create")
      return fail(missingItemAnswer, "There is no item to update.");
    let after: ItemRow | undefined;
    if (action !== "Delete") {
      const { data = {} } = operation;
      const merges = profile["update-object-attribute"] === "merge";
      const text =
        action === "Update" && before !== undefined
          ? setFieldTexts(before.data, data, merges)
          : stringifyJson(data);
      const item = createNewItem(pk, sk, text);
      rejectRequestIfItemOversized(item, profile);
      const sizeError = describeSizeError(item, profile);
      if (sizeError !== undefined) return fail("ValidationError", sizeError);
      after = toItemRow(item, before, profile, context.now);
    }
    planned.set(key, after);
    return plan.push({ operation, before, after });
  });
  return { plan, errors };
}

/** Sets fields in the text of an object. All other fields keep their text. @param merges whether objects are merged */
function setFieldTexts(text: string, fields: JsonObject, merges: boolean): string {
  const texts = getFieldTexts(text);
  for (const [name, value] of getFieldEntries(fields)) {
    const before = texts.get(name);
    const after =
      merges && before?.startsWith("{") === true
        ? mergeDeeply(parseJson(before, { maxDepth: maxStoredDepth }), value)
        : value;
    texts.set(name, stringifyJson(after));
  }
  return `{${Array.from(texts, ([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`;
}

/** Merges objects at every depth. All other values are replaced. */
function mergeDeeply(before: JsonValue | undefined, update: JsonValue): JsonValue {
  if (!isJsonObject(update) || !isJsonObject(before)) return update;
  const merged = new Map<string, JsonValue>(getFieldEntries(before));
  for (const [name, value] of getFieldEntries(update)) merged.set(name, mergeDeeply(merged.get(name), value));
  return merged;
}
