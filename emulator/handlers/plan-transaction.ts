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

/** Why an operation cannot be applied; its place counts from 0. */
export interface TransactionOperationError {
  readonly place: number;
  readonly error: string;
  readonly errorType: TransactionErrorType;
}

/** What one operation changes: the item before it, and after it; nothing for an item that is not there. */
export interface PlannedWrite {
  readonly operation: TransactionOperation;
  readonly before: ItemRow | undefined;
  readonly after: ItemRow | undefined;
}

/**
 * Works out what the operations would do, one after another, without doing it: an operation on a key that an
 * earlier one wrote sees that write, where the profile allows two on one key at all.
 */
export function planTransaction(
  operations: readonly TransactionOperation[],
  database: DatabaseSummary,
  context: HandlerContext,
): { readonly plan: readonly PlannedWrite[]; readonly faults: readonly TransactionOperationError[] } {
  const { store, profile } = context;
  const plan: PlannedWrite[] = [];
  const planned = new Map<string, ItemRow | undefined>();
  const seen = new Set<string>();
  const faults: TransactionOperationError[] = [];
  operations.forEach((operation, place) => {
    const { action, pk, sk, condition } = operation;
    const fault = (errorType: TransactionErrorType, error: string) =>
      faults.push({ place, error, errorType });
    const key = stringifyKey({ pk, sk });
    if (seen.has(key) && profile["duplicate-keys"] === "reject")
      return fault("ValidationError", "An earlier operation in the transaction has the same key.");
    seen.add(key);
    const before = planned.has(key) ? planned.get(key) : store.items.get(database.ref, pk, sk);
    if (condition !== undefined && !isConditionTrue(condition, before))
      return fault("ConditionalCheckFailed", "The conditionExpression is false for the item.");
    if (action === "ConditionCheck") return undefined;
    const ofMissing = profile["update-missing-item"];
    if (action === "Update" && before === undefined && ofMissing !== "create")
      return fault(ofMissing, "There is no item to update.");
    let after: ItemRow | undefined;
    if (action !== "Delete") {
      const updates = action === "Update" && before !== undefined;
      const data = operation.data ?? {};
      const item = createNewItem(
        pk,
        sk,
        updates
          ? setFieldTexts(before.data, data, profile["update-object-attribute"] === "merge")
          : stringifyJson(data),
      );
      rejectRequestIfItemOversized(item, profile);
      const tooLarge = describeSizeError(item, profile);
      if (tooLarge !== undefined) return fault("ValidationError", tooLarge);
      after = toItemRow(item, before, profile, context.now);
    }
    planned.set(key, after);
    return plan.push({ operation, before, after });
  });
  return { plan, faults };
}

/**
 * The text of an object with fields set; with `deep`, those of objects in it are set one by one. Fields that are not set
 * keep their text.
 */
function setFieldTexts(text: string, fields: JsonObject, deep: boolean): string {
  const texts = getFieldTexts(text);
  for (const [name, value] of getFieldEntries(fields)) {
    const before = texts.get(name);
    const goesInto = deep && before?.startsWith("{") === true && isJsonObject(value);
    const set = goesInto ? setFields(parseJson(before, { maxDepth: maxStoredDepth }), value) : value;
    texts.set(name, stringifyJson(set));
  }
  return `{${Array.from(texts, ([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`;
}

/** A value with the fields of an object set, at every depth where both are objects. */
function setFields(before: JsonValue | undefined, fields: JsonValue): JsonValue {
  if (!isJsonObject(fields) || !isJsonObject(before)) return fields;
  const whole = new Map<string, JsonValue>(getFieldEntries(before));
  for (const [name, value] of getFieldEntries(fields)) whole.set(name, setFields(whole.get(name), value));
  return whole;
}
