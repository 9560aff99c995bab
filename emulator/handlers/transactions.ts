import { limits } from "../../openapi/limits.js";
import type { TransactionErrorType } from "../../openapi/schemas/batches.js";
import { readUnitsOf } from "../domain/item-size.js";
import { type JsonObject, type JsonValue, memberEntries, memberOf } from "../json/json-value.js";
import { rawJson } from "../json/raw-json.js";
import { readJson } from "../json/read-json.js";
import { writeJson } from "../json/write-json.js";
import { Problem } from "../problem.js";
import type { DatabaseIdentity } from "../store/databases.js";
import type { ItemRow } from "../store/items.js";
import { entriesOf, keyText } from "./batches.js";
import { bodyMember } from "./body-member.js";
import { type Condition, conditionOf, deepest, holds } from "./conditions.js";
import { refuseAboveStorage, usableDatabase } from "./database-access.js";
import type { AnswerOf, Context, Handler } from "./handler.js";
import { countWrites, eraseItem, newItem, putRow, sizeFault, writeItem } from "./item-writes.js";
import { sortKeyOrNull } from "./items.js";
import { answerOnce } from "./transaction-tokens.js";

/** POST /items/transact/get: all items at one point in time, which a synchronous handler is. */
export const transactGetItems: Handler<"transactGetItems"> = (request, context) => {
  const { path, body } = request;
  const database = usableDatabase(path.databaseId, context);
  refuseTooLarge(request.bodyBytes);
  return answerOnce("get", request, database, context, () => {
    const { store, now } = context;
    const items = body.items.map(({ pk, sk }) => store.items.get(database.ref, pk, sk ?? ""));
    store.databases.addRead(
      database.ref,
      readUnitsOf(items.reduce((sum, item) => sum + (item?.bytes ?? 0), 0)),
      now,
    );
    return {
      status: 200,
      body: {
        items: body.items.map(({ pk, sk, projectionExpression }, index) => {
          const item = items[index];
          return {
            pk,
            sk: sortKeyOrNull(sk ?? ""),
            item: item === undefined ? null : rawJson(projected(item.data, projectionExpression)),
            itemExists: item !== undefined,
          };
        }),
      },
    };
  });
};

/** POST /items/transact/write: all operations or none (4.2 rules 9 and 10). */
export const transactWriteItems: Handler<"transactWriteItems"> = (request, context) => {
  const { path, body, json } = request;
  const database = usableDatabase(path.databaseId, context);
  refuseTooLarge(request.bodyBytes);
  const entries = entriesOf(json, "items");
  const operations = body.items.map(({ action, pk, sk }, index): Operation => ({
    action,
    pk,
    sk: sk ?? "",
    data: bodyMember(entries[index], "data") as JsonObject | undefined,
    condition: conditionOf(entries[index], `/items/${index}`, context.profile),
  }));
  const fault = context.fault?.("transaction");
  if (fault !== undefined)
    return failedTransaction(
      operations.slice(0, fault.count).map(({ pk, sk }, itemIndex) => ({
        itemIndex,
        pk,
        sk: sortKeyOrNull(sk),
        error: "A fault rule of the control plane failed the transaction.",
        errorType: fault.errorType,
      })),
      context,
    );
  return answerOnce("write", request, database, context, () => {
    const { plan, faults } = planTransaction(operations, database, context);
    if (faults.length > 0) return failedTransaction(faults, context);
    refuseAboveStorage(
      plan.reduce((sum, { before, after }) => sum + (after?.bytes ?? 0) - (before?.bytes ?? 0), 0),
      database,
      context,
    );
    const changes = plan.map(({ operation, before, after }) =>
      after === undefined
        ? eraseItem(database, operation, before, context)
        : writeItem(database, after, before, context),
    );
    countWrites(database, changes, context);
    return { status: 200, body: { successCount: operations.length, errors: null } };
  });
};

interface Operation {
  readonly action: "Put" | "Update" | "Delete" | "ConditionCheck";
  readonly pk: string;
  readonly sk: string;
  readonly data: JsonObject | undefined;
  readonly condition: Condition | undefined;
}

type Fault = NonNullable<AnswerOf<"transactWriteItems">["body"]["errors"]>[number];

function failedTransaction(errors: Fault[], { profile }: Context): AnswerOf<"transactWriteItems"> {
  // the types are those of the default profile, where a failed transaction is answered with 200
  const status = profile["transaction-failed-status"] as 200;
  return { status, body: { successCount: 0, errors } };
}

/** What one operation changes: the item before it, and after it; nothing for an item that is not there. */
interface PlannedWrite {
  readonly operation: Operation;
  readonly before: ItemRow | undefined;
  readonly after: ItemRow | undefined;
}

/**
 * Works out what the operations would do, one after another, without doing it: an operation on a key that an
 * earlier one wrote sees that write, where the profile allows two on one key at all.
 */
function planTransaction(operations: readonly Operation[], database: DatabaseIdentity, context: Context) {
  const { store, profile } = context;
  const plan: PlannedWrite[] = [];
  const planned = new Map<string, ItemRow | undefined>();
  const seen = new Set<string>();
  const faults: Fault[] = [];
  operations.forEach((operation, itemIndex) => {
    const { action, pk, sk, condition } = operation;
    const fault = (errorType: TransactionErrorType, error: string) =>
      faults.push({ itemIndex, pk, sk: sortKeyOrNull(sk), error, errorType });
    const key = keyText({ pk, sk });
    if (seen.has(key) && profile["transaction-duplicate-key"] === "reject")
      return fault("ValidationError", "An earlier operation of the transaction works on the same key.");
    seen.add(key);
    const before = planned.has(key) ? planned.get(key) : store.items.get(database.ref, pk, sk);
    if (condition !== undefined && !holds(condition, before))
      return fault("ConditionalCheckFailed", "The conditionExpression does not hold for the item.");
    if (action === "ConditionCheck") return undefined;
    let after: ItemRow | undefined;
    if (action !== "Delete") {
      const updates = action === "Update";
      if (updates && before === undefined && profile["update-missing-item"] !== "create")
        return fault(profile["update-missing-item"], "There is no item to update.");
      const data = operation.data ?? {};
      const text = updates && before !== undefined ? merged(before.data, data) : writeJson(data);
      const item = newItem(pk, sk, text);
      const tooLarge = sizeFault(item);
      if (tooLarge !== undefined) return fault("ValidationError", tooLarge);
      const row = putRow(item, before, profile, context.now);
      // an item that is updated keeps its age, whatever becomes of one that is replaced
      after = updates && before !== undefined ? { ...row, createdAt: before.createdAt } : row;
    }
    planned.set(key, after);
    return plan.push({ operation, before, after });
  });
  return { plan, faults };
}

/** The stored data with the given attributes set; the others keep their text and their order. */
function merged(stored: string, attributes: JsonObject): string {
  const whole = new Map<string, JsonValue>(
    memberEntries(readJson(stored, { maxDepth: deepest }) as JsonObject),
  );
  for (const [name, value] of memberEntries(attributes)) whole.set(name, value);
  return writeJson(whole);
}

/** The named top-level attributes of stored data, in the order of their names' list; absent ones are left out. */
function projected(stored: string, names: readonly string[] | undefined): string {
  if (names === undefined) return stored;
  const data = readJson(stored, { maxDepth: deepest }) as JsonObject;
  const chosen = new Map<string, JsonValue>();
  for (const name of names) {
    const value = memberOf(data, name);
    if (value !== undefined) chosen.set(name, value);
  }
  return writeJson(chosen);
}

/** Clause TX-18. */
function refuseTooLarge(bodyBytes: number): void {
  if (bodyBytes > limits.transactionRequestBytes)
    throw new Problem(
      "transaction-too-large",
      `The transaction has ${bodyBytes} bytes; ${limits.transactionRequestBytes} are allowed.`,
    );
}
