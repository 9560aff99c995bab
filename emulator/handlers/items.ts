import type { Profile } from "../../openapi/gaps/profile.js";
import { rawJson } from "../json/stringify-body.js";
import { countReadUnits } from "../domain/item-size.js";
import { createInvalidBodyProblem, Problem } from "../domain/problem.js";
import type { ItemRow } from "../store/items.js";
import { formatTimestamp } from "../time/timestamp.js";
import { parseItemCondition } from "./conditions.js";
import { rejectStorageOverflow, findUsableDatabase } from "./database-access.js";
import type { OperationResponse, HandlerContext, Handler, OperationRequest } from "./handler.js";
import {
  addUsage,
  getDataText,
  deleteStoredItem,
  findExistingItem,
  createNewItem,
  toItemRow,
  describeSizeError,
  writeItem,
} from "./item-writes.js";

/** Put item: creates or replaces an item, if the condition is true (4.2 rule 1). */
export const putItem: Handler<"putItem"> = (request, context) => {
  const { json, path } = request;
  const { pk, sk } = getKey(request);
  const database = findUsableDatabase(path.databaseId, context);
  const condition = parseItemCondition(json, "", context.profile);
  const item = createNewItem(pk, sk, getDataText(request.body, json));
  const tooLarge = describeSizeError(item);
  if (tooLarge !== undefined) throw new Problem("item-too-large", tooLarge);
  const existing = findExistingItem(database, item, condition, context);
  if (existing === false)
    throw new Problem(
      "condition-failed",
      "The conditionExpression is false for the item, so nothing was written.",
    );
  rejectStorageOverflow(item.bytes - (existing?.bytes ?? 0), database, context);
  const row = toItemRow(item, existing, context.profile, context.now);
  addUsage(database, [writeItem(database, row, existing, context)], context);
  return { status: 200, body: { pk, sk: toSortKeyOrNull(sk), updatedAt: formatTimestamp(row.updatedAt) } };
};

/** GET /items/{pk}. */
export const getItem: Handler<"getItem"> = ({ path }, context) =>
  readItem(path.databaseId, path.pk, "", context);

/** GET /items/{pk}/{sk}. */
export const getItemWithSortKey: Handler<"getItemWithSortKey"> = ({ path }, context) =>
  readItem(path.databaseId, path.pk, path.sk, context);

/** DELETE /items/{pk}. */
export const deleteItem: Handler<"deleteItem"> = ({ path }, context) =>
  removeItem(path.databaseId, path.pk, "", context);

/** DELETE /items/{pk}/{sk}. */
export const deleteItemWithSortKey: Handler<"deleteItemWithSortKey"> = ({ path }, context) =>
  removeItem(path.databaseId, path.pk, path.sk, context);

function readItem(
  databaseId: string,
  pk: string,
  sk: string,
  context: HandlerContext,
): OperationResponse<"getItem"> {
  const database = findUsableDatabase(databaseId, context);
  const item = context.store.items.get(database.ref, pk, sk);
  context.store.databases.addRead(database.ref, countReadUnits(item?.bytes ?? 0), context.now);
  if (item === undefined) throw createItemNotFoundProblem(pk, sk);
  return { status: 200, body: describeItem(item) };
}

function removeItem(
  databaseId: string,
  pk: string,
  sk: string,
  context: HandlerContext,
): OperationResponse<"deleteItem"> {
  const database = findUsableDatabase(databaseId, context);
  const existing = context.store.items.getMetadata(database.ref, pk, sk);
  if (existing === undefined) rejectMissingItem(pk, sk, context.profile);
  addUsage(database, [deleteStoredItem(database, { pk, sk }, existing, context)], context);
  return { status: 204 };
}

/** Gap `delete-missing-item-status`. */
function rejectMissingItem(pk: string, sk: string, profile: Profile): void {
  const answer = profile["delete-missing-item-status"];
  if (answer === 204) return;
  const problem = createItemNotFoundProblem(pk, sk);
  throw answer === 404 ? problem : new Problem("nothing-to-delete", problem.message);
}

function createItemNotFoundProblem(pk: string, sk: string): Problem {
  const keys = `pk ${JSON.stringify(pk)} and ${sk === "" ? "no sk" : `sk ${JSON.stringify(sk)}`}`;
  return new Problem("item-not-found", `There is no item with ${keys}.`);
}

/** Returns the key of a Put. If the path contains it (gap `put-item-route`), the body may repeat it. */
function getKey({ body, path }: OperationRequest<"putItem">): { pk: string; sk: string } {
  const { pk, sk = "" } = path as { readonly pk?: string; readonly sk?: string };
  if (pk === undefined) return { pk: body.pk, sk: body.sk ?? "" };
  const repeated: { readonly pk?: string; readonly sk?: string | null } = body;
  const rejectUnless = (isEqual: boolean, field: string) => {
    if (!isEqual)
      throw createInvalidBodyProblem(`/${field}`, `must be omitted or equal to ${field} in the path`);
  };
  rejectUnless(repeated.pk === undefined || repeated.pk === pk, "pk");
  rejectUnless(repeated.sk === undefined || (repeated.sk ?? "") === sk, "sk");
  return { pk, sk };
}

/** Describes an item in responses to get and batch get. */
export function describeItem({ pk, sk, data, createdAt, updatedAt }: ItemRow) {
  return {
    pk,
    sk: toSortKeyOrNull(sk),
    data: rawJson(data),
    createdAt: formatTimestamp(createdAt),
    updatedAt: formatTimestamp(updatedAt),
  };
}

/** Converts a stored sort key to the form in responses: null for an item without a sort key. */
export function toSortKeyOrNull(sk: ItemRow["sk"]): string | null {
  return sk === "" ? null : sk;
}
