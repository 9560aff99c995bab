import { limits } from "../../openapi/clauses/limits.js";
import { countReadUnits } from "../domain/item-size.js";
import { EvaluationBudget } from "../expressions/evaluation-budget.js";
import { pickFields } from "../json/compact-reader.js";
import type { JsonObject } from "../json/json-value.js";
import { rawJson } from "../json/stringify-body.js";
import { Problem } from "../domain/problem.js";
import type { ItemRow } from "../store/items.js";
import { getBodyEntries } from "./batches.js";
import { getBodyField } from "./body-field.js";
import { parseItemCondition, runWithinEvaluationLimit } from "./conditions.js";
import { rejectStorageOverflow, findUsableDatabase } from "./database-access.js";
import { rejectDuplicateKeys } from "./entry-keys.js";
import type { OperationResponse, HandlerContext, Handler } from "./handler.js";
import { addUsage, deleteStoredItem, writeItem } from "./item-writes.js";
import { describeItem, toSortKeyOrNull } from "./items.js";
import {
  type TransactionOperation,
  type TransactionOperationError,
  planTransaction,
} from "./plan-transaction.js";
import { runOncePerToken } from "./transaction-tokens.js";

/** POST /items/transact/get. The handler is synchronous, so it reads all items at one point in time. */
export const transactGetItems: Handler<"transactGetItems"> = (request, context) => {
  const { path, body } = request;
  const database = findUsableDatabase(path.databaseId, context);
  rejectTooLarge(request.bodyBytes);
  return runOncePerToken("get", request, database, context, () => {
    const { store, now, profile } = context;
    if (profile["duplicate-keys"] === "reject") rejectDuplicateKeys(body.items, "items");
    const work = new EvaluationBudget();
    let bytes = 0;
    const items = body.items.map(({ pk, sk, projectionExpression }, index) => {
      const item = store.items.get(database.ref, pk, sk ?? "");
      bytes += item?.bytes ?? 0;
      const key = { pk, sk: toSortKeyOrNull(sk ?? "") };
      return item === undefined
        ? { ...key, item: null, itemExists: false as const }
        : {
            ...key,
            item: runWithinEvaluationLimit({ pointer: `/items/${index}/projectionExpression` }, () =>
              describeTransactedItem(item, projectionExpression, context, work),
            ),
            itemExists: true as const,
          };
    });
    store.databases.addRead(database.ref, countReadUnits(bytes), now);
    return { status: 200, body: { items } };
  });
};

/** Describes an item in the response to transact get (gap `transact-get-item`), with only the projected attributes. */
function describeTransactedItem(
  item: ItemRow,
  projection: readonly string[] | undefined,
  { profile }: HandlerContext,
  work: EvaluationBudget,
) {
  const data = projection === undefined ? item.data : pickFields(item.data, projection, work);
  return profile["transact-get-item"] === "record" ? describeItem({ ...item, data }) : rawJson(data);
}

/** POST /items/transact/write: all operations or none (4.2 rules 9 and 10). */
export const transactWriteItems: Handler<"transactWriteItems"> = (request, context) => {
  const { path, body, json } = request;
  const database = findUsableDatabase(path.databaseId, context);
  rejectTooLarge(request.bodyBytes);
  const entries = getBodyEntries(json);
  const work = new EvaluationBudget();
  const operations = body.items.map(({ action, pk, sk }, index): TransactionOperation => ({
    action,
    pk,
    sk: sk ?? "",
    data: getBodyField(entries[index], "data") as JsonObject | undefined,
    condition: parseItemCondition(entries[index], `/items/${index}`, context.profile, work),
  }));
  const fault = context.fault?.("transaction");
  if (fault !== undefined)
    return toFailedResponse(
      operations,
      operations.slice(0, fault.count).map((_, index) => ({
        index,
        error: "A fault rule made the transaction fail.",
        errorType: fault.errorType,
      })),
      context,
    );
  return runOncePerToken("write", request, database, context, () => {
    const { plan, errors } = planTransaction(operations, database, context, work);
    if (errors.length > 0) return toFailedResponse(operations, errors, context);
    const addedBytes = plan.map(({ before, after }) => (after?.bytes ?? 0) - (before?.bytes ?? 0));
    rejectStorageOverflow(
      addedBytes.reduce((sum, bytes) => sum + bytes, 0),
      database,
      context,
    );
    const changes = plan.map(({ operation, before, after }) =>
      after === undefined
        ? deleteStoredItem(database, operation, before, context)
        : writeItem(database, after, before, context),
    );
    addUsage(database, changes, context);
    return {
      status: 200,
      body: { successCount: operations.length, errors: null },
    };
  });
};

/** Creates the response to a failed transaction, which lists the operations at fault. */
function toFailedResponse(
  operations: readonly TransactionOperation[],
  errors: readonly TransactionOperationError[],
  { profile }: HandlerContext,
): OperationResponse<"transactWriteItems"> {
  // The type is that of the default profile, where the status of a failed transaction is 200.
  const status = profile["transaction-failed-status"] as 200;
  return {
    status,
    body: {
      successCount: 0,
      errors: errors.map(({ index, error, errorType }) => ({
        itemIndex: index,
        pk: operations[index]?.pk ?? "",
        sk: toSortKeyOrNull(operations[index]?.sk ?? ""),
        error,
        errorType,
      })),
    },
  };
}

/** Clause TX-18. */
function rejectTooLarge(bodyBytes: number): void {
  const allowed = limits.transactionRequestBytes;
  if (bodyBytes > allowed)
    throw new Problem(
      "transaction-too-large",
      `The transaction is ${bodyBytes} bytes; at most ${allowed} are allowed.`,
    );
}
