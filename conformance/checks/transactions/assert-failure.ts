import { transactionErrorTypes } from "../../../openapi/schemas/batches.js";
import type { Answer } from "../../client/client.js";
import type { CheckContext } from "../../check/context.js";
import type { ItemKey } from "../../models/items-model.js";
import { answerText, named, type TransactionError } from "../../steps/items/item-calls.js";

/**
 * Asserts what part 7 says of the failure entries of a transaction: each names an operation by its place and key, one at
 * least an operation whose condition is false. Which others are listed is open, and so is whether places count from 0
 * or from 1.
 *
 * @param operations the transaction, each key once
 * @param failing the operations whose conditions are false, and nothing else wrong
 */
export function assertFailure(
  context: CheckContext,
  answer: Answer,
  operations: readonly ItemKey[],
  failing: readonly ItemKey[],
): void {
  const { errors } = (answer.body ?? {}) as { errors?: readonly TransactionError[] | null };
  const listed = errors ?? [];
  context.assert("TX-11", listed.length > 0, "entries for what failed", answerText(answer));
  const wrongTypes = listed.filter(
    ({ errorType }) => !(transactionErrorTypes as readonly string[]).includes(errorType),
  );
  context.assertEqual("TX-13", wrongTypes, [], "errorTypes of the five; others");
  const places = new Map(operations.map((operation, place) => [named(operation), place]));
  const isFailing = new Set(failing.map(named));
  const [base] = listed.map((error) => error.itemIndex - (places.get(named(error)) ?? NaN));
  for (const error of listed) {
    const place = places.get(named(error));
    context.assert("TX-11", place !== undefined, "pk and sk of an operation", error);
    const isPlace = place !== undefined && error.itemIndex - place === base && (base === 0 || base === 1);
    context.assert("TX-11", isPlace, "itemIndex of the operation with this pk and sk", listed);
    context.assert("TX-11", typeof error.error === "string", "a text in error", error);
    const says = error.errorType === "ConditionalCheckFailed";
    if (!isFailing.has(named(error)))
      context.assert("TX-11", !says, "itemIndex of an operation whose condition is false", error);
    // one that was not looked at any more is canceled with the rest, whatever its condition
    else if (error.errorType !== "TransactionCanceled")
      context.assert("TX-12", says, "errorType ConditionalCheckFailed", error);
  }
  const told = listed.filter(
    (error) => isFailing.has(named(error)) && error.errorType === "ConditionalCheckFailed",
  );
  context.assert(
    "TX-12",
    told.length > 0,
    `ConditionalCheckFailed for one of ${failing.map(named).join(", ")}`,
    listed,
  );
}
