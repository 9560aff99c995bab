import { transactionErrorTypes } from "../../../openapi/schemas/batches.js";
import type { ApiResponse } from "../../client/client.js";
import { type CheckContext, formatResponse } from "../../check/context.js";
import { type ItemKey, formatItemKey } from "../../models/item-key.js";
import { type ItemClient, type TransactionError } from "../../steps/items/item-client.js";
import { isJsonObject } from "../../client/json-text.js";

/** The form of `item` in the response of a transact get: the attributes of the item, or the record of part 2. */
type ItemForm = "data" | "record";

/** One entry of the response, with the attributes of the item, whichever form the deployment uses. */
interface TransactGetResultEntry extends ItemKey {
  /** Null if there is no item. */
  readonly item: unknown;
  readonly itemExists: unknown;
}

/** Fields of a record other than its attributes. */
const recordFields = ["pk", "sk", "createdAt", "updatedAt"];

/** Reads responses of transact get; the specification leaves their form and order open. */
export class TransactGetReader {
  constructor(readonly form: ItemForm) {}

  /** Returns the known form, or finds it with an item whose data cannot be confused with a record. */
  static async detect(items: ItemClient): Promise<TransactGetReader> {
    return new TransactGetReader(
      items.context.knownAnswers("transact-get-item") ?? (await detectForm(items)),
    );
  }

  /** Returns all entries, in the order of the response. */
  entries({ body }: ApiResponse): readonly TransactGetResultEntry[] {
    const listed = (body as { items?: TransactGetResultEntry[] } | undefined)?.items ?? [];
    return listed.map(({ pk, sk, item, itemExists }) => ({
      pk,
      sk,
      item: this.attributes(item),
      itemExists,
    }));
  }

  /** Returns the entries of one key. */
  entriesOf(response: ApiResponse, key: ItemKey): readonly TransactGetResultEntry[] {
    return this.entries(response).filter(({ pk, sk }) => pk === key.pk && sk === key.sk);
  }

  /** Returns the attributes of the item with a key; undefined if there is no item or no entry. */
  dataOf(response: ApiResponse, key: ItemKey): Readonly<Record<string, unknown>> | undefined {
    const [entry] = this.entriesOf(response, key);
    return isJsonObject(entry?.item) ? entry.item : undefined;
  }

  /** Returns the attributes in an `item`; with a projection, they may be in `data` of a record or replace the record. */
  attributes(item: unknown): unknown {
    if (this.form === "data" || !isJsonObject(item)) return item;
    if ("data" in item) return item.data;
    return Object.fromEntries(Object.entries(item).filter(([name]) => !recordFields.includes(name)));
  }
}

/** Asserts the response of a transaction that was applied; `successCount` may include ConditionChecks or not. */
export function assertTransactionApplied(
  context: CheckContext,
  response: ApiResponse,
  operations: readonly { readonly action: string }[],
): void {
  context.assertStatus("TX-06", response, 200);
  const most = operations.length;
  const least = operations.filter(({ action }) => action !== "ConditionCheck").length;
  const { successCount, errors } = response.body as {
    successCount: number;
    errors: readonly unknown[] | null;
  };
  const expected = `successCount ${most}${least === most ? "" : `, or ${least} without the ConditionChecks`}`;
  context.assert("TX-06", [most, least].includes(successCount), expected, formatResponse(response));
  context.assert("TX-06", (errors ?? []).length === 0, "`errors` null or empty", errors);
}

/**
 * Asserts what part 7 says about the errors of a failed transaction. Each error names an operation by its index and key,
 * and at least one error names an operation whose condition is false. The specification leaves open which other
 * operations are listed, and whether indexes start at 0 or 1.
 *
 * @param operations the operations of the transaction; each key occurs once
 * @param failing the operations whose only fault is a false condition
 */
export function assertTransactionErrors(
  context: CheckContext,
  response: ApiResponse,
  operations: readonly ItemKey[],
  failing: readonly ItemKey[],
): void {
  const { errors } = (response.body ?? {}) as { errors?: readonly TransactionError[] | null };
  const listed = errors ?? [];
  context.assert("TX-11", listed.length > 0, "entries for the failed operations", formatResponse(response));
  const types: readonly string[] = transactionErrorTypes;
  const wrongTypes = listed.filter(({ errorType }) => !types.includes(errorType));
  context.assertEqual("TX-13", wrongTypes, [], "errorTypes other than the five in the specification");
  const places = new Map(operations.map((operation, place) => [formatItemKey(operation), place]));
  const isFailing = new Set(failing.map(formatItemKey));
  const [base] = listed.map((error) => error.itemIndex - (places.get(formatItemKey(error)) ?? NaN));
  for (const error of listed) {
    const place = places.get(formatItemKey(error));
    context.assert("TX-11", place !== undefined, "pk and sk of an operation", error);
    const isPlace = place !== undefined && error.itemIndex - place === base && (base === 0 || base === 1);
    context.assert("TX-11", isPlace, "itemIndex of the operation with this pk and sk", listed);
    context.assert("TX-11", typeof error.error === "string", "a string in `error`", error);
    const isConditionError = error.errorType === "ConditionalCheckFailed";
    if (!isFailing.has(formatItemKey(error)))
      context.assert("TX-11", !isConditionError, "itemIndex of an operation whose condition is false", error);
    // After the first false condition, a deployment may cancel the other operations unevaluated.
    else if (error.errorType !== "TransactionCanceled")
      context.assert("TX-12", isConditionError, "errorType ConditionalCheckFailed", error);
  }
  const isNamed = listed.some(
    (error) => isFailing.has(formatItemKey(error)) && error.errorType === "ConditionalCheckFailed",
  );
  const one = `ConditionalCheckFailed for one of ${failing.map(formatItemKey).join(", ")}`;
  context.assert("TX-12", isNamed, one, listed);
}

async function detectForm(items: ItemClient): Promise<ItemForm> {
  const key = items.key("s");
  await items.put(key, { probe: { n: 1 } }, {}, { setUp: true });
  const response = await items.transactGet([key], undefined, { setUp: true });
  const item = (response.body as { items?: { item?: unknown }[] } | undefined)?.items?.[0]?.item;
  const isRecord =
    isJsonObject(item) && !("probe" in item) && isJsonObject(item.data) && "probe" in item.data;
  return isRecord ? "record" : "data";
}
