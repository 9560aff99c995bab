import type { Profile } from "../../openapi/gaps/profile.js";
import type { TransactionErrorType } from "../../openapi/schemas/batches.js";
import type { EvaluationBudget } from "../expressions/evaluation-budget.js";
import { setFields } from "../json/compact-reader.js";
import { isJsonObject, type JsonObject, getFieldEntries } from "../json/json-value.js";
import { stringifyJson } from "../json/stringify-json.js";
import type { DatabaseSummary } from "../store/databases.js";
import type { ItemRow } from "../store/items.js";
import { type ParsedCondition, isConditionTrue, runWithinEvaluationLimit } from "./conditions.js";
import { stringifyKey } from "./entry-keys.js";
import type { HandlerContext } from "./handler.js";
import { createNewItem, toItemRow, describeSizeError, isSameData } from "./item-writes.js";

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
 *
 * @param work the cost limit of the request
 * @throws a problem `validation-failed` if it costs too much
 */
export function planTransaction(
  operations: readonly TransactionOperation[],
  database: DatabaseSummary,
  context: HandlerContext,
  work: EvaluationBudget,
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
      const update =
        action === "Update" && before !== undefined
          ? runWithinEvaluationLimit({ pointer: `/items/${index}/data` }, () =>
              updateData(before.data, data, profile, work),
            )
          : undefined;
      const item = createNewItem(pk, sk, update?.text ?? stringifyJson(data));
      const sizeError = describeSizeError(item);
      if (sizeError !== undefined) return fail("ValidationError", sizeError);
      after = toItemRow(item, before, profile, context.now, update?.isSame);
    }
    planned.set(key, after);
    return plan.push({ operation, before, after });
  });
  return { plan, errors };
}

/** The data of an item after an update. */
interface UpdatedData {
  readonly text: string;
  /** Whether the values are those from before; undefined if the profile does not ask. */
  readonly isSame: boolean | undefined;
}

/** Sets fields of an item, and merges objects at every depth if the profile says so. All other fields keep their text. */
function updateData(
  dataText: string,
  data: JsonObject,
  profile: Profile,
  work: EvaluationBudget,
): UpdatedData {
  const merges = profile["update-object-attribute"] === "merge";
  // Only what the update sets is compared: the rest may be large.
  let isSame = profile["item-updated-at"] === "when-data-changes" ? true : undefined;
  const set = (text: string, fields: JsonObject): string =>
    setFields(
      text,
      new Map(getFieldEntries(fields)),
      (value, before) => {
        if (merges && before?.startsWith("{") === true && isJsonObject(value)) return set(before, value);
        const after = stringifyJson(value);
        isSame &&= before !== undefined && isSameData(before, after);
        return after;
      },
      work,
    );
  return { text: set(dataText, data), isSame };
}
