import type { Profile } from "../../openapi/gaps/profile.js";
import { rawJson } from "../json/stringify-body.js";
import { countReadUnits } from "../domain/item-size.js";
import { createValidationProblem, Problem } from "../domain/problem.js";
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

/** Put item: creates or replaces; with a condition only when it holds (4.2 rule 1). */
export const putItem: Handler<"putItem"> = (request, context) => {
  const { json, path } = request;
  const { pk, sk } = getKeys(request);
  const database = findUsableDatabase(path.databaseId, context);
  const condition = parseItemCondition(json, "", context.profile);
  const item = createNewItem(pk, sk, getDataText(request.body, json));
  const tooLarge = describeSizeError(item, context.profile);
  if (tooLarge !== undefined) throw new Problem("item-too-large", tooLarge);
  const existing = findExistingItem(database, item, condition, context);
  if (existing === false)
    throw new Problem(
      "condition-failed",
      "The conditionExpression is false for the item, so nothing was written.",
    );
  rejectStorageOverflow(item.bytes - (existing?.bytes ?? 0), database, context);
  // gap item-updated-at: where it changes with each Put it does so even where the machine's clock stands still
  const now = existing === undefined ? context.now : Math.max(context.now, existing.updatedAt + 1);
  const row = toItemRow(item, existing, context.profile, now);
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
  if (item === undefined) throw itemNotFound(pk, sk);
  return {
    status: 200,
    body: describeItem(item),
  };
}

function removeItem(
  databaseId: string,
  pk: string,
  sk: string,
  context: HandlerContext,
): OperationResponse<"deleteItem"> {
  const database = findUsableDatabase(databaseId, context);
  const existing = context.store.items.head(database.ref, pk, sk);
  if (existing === undefined) rejectMissing(pk, sk, context.profile);
  addUsage(database, [deleteStoredItem(database, { pk, sk }, existing, context)], context);
  return { status: 204 };
}

/** Whether there is anything wrong with deleting what is not there is open (gap `delete-missing-item-status`). */
function rejectMissing(pk: string, sk: string, profile: Profile): void {
  const answer = profile["delete-missing-item-status"];
  if (answer === 204) return;
  const problem = itemNotFound(pk, sk);
  throw answer === 404 ? problem : new Problem("nothing-to-delete", problem.message);
}

function itemNotFound(pk: string, sk: string): Problem {
  const keys = `pk ${JSON.stringify(pk)} and ${sk === "" ? "no sk" : `sk ${JSON.stringify(sk)}`}`;
  return new Problem("item-not-found", `There is no item with ${keys}.`);
}

/**
 * The keys of a Put: in the body, or in the path where the profile puts them there (gap `put-item-route`), in
 * which case the body may repeat them.
 */
function getKeys({ body, path }: OperationRequest<"putItem">): { pk: string; sk: string } {
  const inPath = path as { readonly pk?: string; readonly sk?: string };
  if (inPath.pk === undefined) return { pk: body.pk, sk: body.sk ?? "" };
  const repeated: { readonly pk?: string; readonly sk?: string | null } = body;
  if (repeated.pk !== undefined && repeated.pk !== inPath.pk)
    throw createValidationProblem({
      in: "body",
      pointer: "/pk",
      detail: "must be omitted or equal to pk in the path",
    });
  if (repeated.sk !== undefined && toSortKeyOrNull(repeated.sk ?? "") !== (inPath.sk ?? null))
    throw createValidationProblem({
      in: "body",
      pointer: "/sk",
      detail: "must be omitted or equal to sk in the path",
    });
  return { pk: inPath.pk, sk: inPath.sk ?? "" };
}

/** A whole item as get and batch get show it. */
export function describeItem({ pk, sk, data, createdAt, updatedAt }: ItemRow) {
  return {
    pk,
    sk: toSortKeyOrNull(sk),
    data: rawJson(data),
    createdAt: formatTimestamp(createdAt),
    updatedAt: formatTimestamp(updatedAt),
  };
}

/** The sort key as the contract shows it: null for an item without one. */
export function toSortKeyOrNull(sk: ItemRow["sk"]): string | null {
  return sk === "" ? null : sk;
}
