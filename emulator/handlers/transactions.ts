import { sizeLimit } from "../../openapi/clauses/limits.js";
import { readUnitsOf } from "../domain/item-size.js";
import { EvaluationWork } from "../expressions/evaluation-work.js";
import type { JsonObject } from "../json/json-value.js";
import { Problem } from "../domain/problem.js";
import { entriesOf } from "./batches.js";
import { bodyMember } from "./body-member.js";
import { conditionOf } from "./conditions.js";
import { refuseAboveStorage, usableDatabase } from "./database-access.js";
import { refuseRepeatedKeys } from "./entry-keys.js";
import type { AnswerOf, Context, Handler } from "./handler.js";
import { countWrites, eraseItem, writeItem } from "./item-writes.js";
import { sortKeyOrNull } from "./items.js";
import { listOrNothing } from "./list-or-nothing.js";
import { type Operation, type OperationFault, planTransaction } from "./plan-transaction.js";
import { answerOnce } from "./transaction-tokens.js";
import { transactedItem } from "./transacted-item.js";

/** POST /items/transact/get: all items at one point in time, which a synchronous handler is. */
export const transactGetItems: Handler<"transactGetItems"> = (request, context) => {
  const { path, body } = request;
  const database = usableDatabase(path.databaseId, context);
  refuseTooLarge(request.bodyBytes, context);
  return answerOnce("get", request, database, context, () => {
    const { store, now, profile } = context;
    if (profile["duplicate-keys"] === "reject") refuseRepeatedKeys(body.items, "items");
    let bytes = 0;
    const items = body.items.map(({ pk, sk, projectionExpression }) => {
      const item = store.items.get(database.ref, pk, sk ?? "");
      bytes += item?.bytes ?? 0;
      const key = { pk, sk: sortKeyOrNull(sk ?? "") };
      return item === undefined
        ? { ...key, item: null, itemExists: false as const }
        : { ...key, item: transactedItem(item, projectionExpression, profile), itemExists: true as const };
    });
    store.databases.addRead(database.ref, readUnitsOf(bytes), now);
    return { status: 200, body: { items } };
  });
};

/** POST /items/transact/write: all operations or none (4.2 rules 9 and 10). */
export const transactWriteItems: Handler<"transactWriteItems"> = (request, context) => {
  const { path, body, json } = request;
  const database = usableDatabase(path.databaseId, context);
  refuseTooLarge(request.bodyBytes, context);
  const entries = entriesOf(json, "items");
  const work = new EvaluationWork();
  const operations = body.items.map(({ action, pk, sk }, index): Operation => ({
    action,
    pk,
    sk: sk ?? "",
    data: bodyMember(entries[index], "data") as JsonObject | undefined,
    condition: conditionOf(entries[index], `/items/${index}`, context.profile, work),
  }));
  const fault = context.fault?.("transaction");
  if (fault !== undefined)
    return failedTransaction(
      operations,
      operations.slice(0, fault.count).map((_, place) => ({
        place,
        error: "A fault rule of the control plane failed the transaction.",
        errorType: fault.errorType,
      })),
      context,
    );
  return answerOnce("write", request, database, context, () => {
    const { plan, faults } = planTransaction(operations, database, context);
    if (faults.length > 0) return failedTransaction(operations, faults, context);
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
    return {
      status: 200,
      body: { successCount: operations.length, errors: listOrNothing([], context.profile) },
    };
  });
};

/** How a failed transaction is told, and which operations it lists. */
function failedTransaction(
  operations: readonly Operation[],
  faults: readonly OperationFault[],
  { profile }: Context,
): AnswerOf<"transactWriteItems"> {
  const listed = {
    "at-fault": () => faults,
    "first-at-fault": () => faults.slice(0, 1),
    "every-operation": () =>
      operations.map((_, place) => faults.find((fault) => fault.place === place) ?? canceled(place)),
  }[profile["transaction-errors"]]();
  const errors = listed.map(({ place, error, errorType }) => ({
    itemIndex: place,
    pk: operations[place]?.pk ?? "",
    sk: sortKeyOrNull(operations[place]?.sk ?? ""),
    error,
    errorType,
  }));
  // the types are those of the default profile, where a failed transaction is answered with 200
  const status = profile["transaction-failed-status"] as 200;
  return { status, body: { successCount: 0, errors } };
}

function canceled(place: number): OperationFault {
  return { place, error: "The transaction was canceled.", errorType: "TransactionCanceled" };
}

/** Clause TX-18. */
function refuseTooLarge(bodyBytes: number, { profile }: Context): void {
  const allowed = sizeLimit("transaction", profile["size-unit"]);
  if (bodyBytes > allowed)
    throw new Problem(
      "transaction-too-large",
      `The transaction has ${bodyBytes} bytes; ${allowed} are allowed.`,
    );
}
