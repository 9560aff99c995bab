import type { Profile } from "../../openapi/gaps/profile.js";
import { countReadUnits } from "../domain/item-size.js";
import { EvaluationBudget } from "../expressions/evaluation-budget.js";
import { isJsonArray, type JsonValue } from "../json/json-value.js";
import { createInvalidBodyProblem, Problem } from "../domain/problem.js";
import type { DatabaseSummary, UsageChange } from "../store/databases.js";
import type { ItemRow } from "../store/items.js";
import { getBodyField } from "./body-field.js";
import { type ParsedCondition, parseItemCondition } from "./conditions.js";
import { type RemainingStorage, getRemainingStorage, findUsableDatabase } from "./database-access.js";
import { removeDuplicateKeys, rejectDuplicateKeys } from "./entry-keys.js";
import type { HandlerContext, Handler, OperationRequest } from "./handler.js";
import {
  addUsage,
  getDataText,
  deleteStoredItem,
  type ExistingItem,
  findExistingItem,
  type NewItem,
  createNewItem,
  toItemRow,
  rejectRequestIfItemOversized,
  describeSizeError,
  writeItem,
} from "./item-writes.js";
import { describeItem, toSortKeyOrNull } from "./items.js";

type WriteEntry = OperationRequest<"batchWriteItems">["body"]["items"][number];

/**
 * POST /items/batch/write: entries one after another, each on its own (4.2 rule 7). Once the first is written, nothing
 * throws.
 */
export const batchWriteItems: Handler<"batchWriteItems"> = ({ path, body, json }, context) => {
  const database = findUsableDatabase(path.databaseId, context);
  const entries = getBodyEntries(json);
  // faults of form refuse the whole request, so conditions are read before anything is written
  const work = new EvaluationBudget();
  const conditions = entries.map((entry, index) => parseEntryCondition(entry, index, context, work));
  const { profile } = context;
  if (profile["duplicate-keys"] === "reject") rejectDuplicateKeys(body.items, "items");
  const items = body.items.map((entry, index) => {
    if (entry.operation === "Delete") return undefined;
    const item = createNewItem(entry.pk, entry.sk ?? "", getDataText(entry, entries[index]));
    rejectRequestIfItemOversized(item, profile);
    return item;
  });
  const errors: { pk: string; sk: string | null; error: string }[] = [];
  const changes: UsageChange[] = [];
  const room = getRemainingStorage(database, context);
  const failing = context.fault?.("partial")?.count ?? 0;
  let added = 0;
  body.items.forEach((entry, index) => {
    const left = { fault: room.fault, left: room.left - added };
    const outcome =
      index < failing
        ? "A fault rule made the entry fail."
        : context.profile["batch-conditions"] === "fail-entry" &&
            getBodyField(entries[index], "conditionExpression") !== undefined
          ? "A conditionExpression is not allowed in a batch write."
          : writeEntry(entry, items[index], conditions[index], database, context, left);
    if (typeof outcome === "string")
      errors.push({ pk: entry.pk, sk: toSortKeyOrNull(entry.sk ?? ""), error: outcome });
    else {
      changes.push(outcome);
      added += outcome.bytes;
    }
  });
  addUsage(database, changes, context);
  const nothingDone = errors.length > 0 && errors.length === body.items.length;
  return {
    // the types are those of the default profile, where it is 200
    status: nothingDone ? (profile["batch-all-failed-status"] as 200) : 200,
    body: {
      successCount: body.items.length - errors.length,
      failedCount: errors.length,
      errors: convertEmptyListToNull(errors, profile),
    },
  };
};

/** POST /items/batch/get: the items found. */
export const batchGetItems: Handler<"batchGetItems"> = ({ path, body }, context) => {
  const { store, now, profile } = context;
  const database = findUsableDatabase(path.databaseId, context);
  if (profile["duplicate-keys"] === "reject") rejectDuplicateKeys(body.keys, "keys");
  const keys = removeDuplicateKeys(body.keys);
  const unprocessed = context.fault?.("unprocessed")?.count ?? 0;
  const processed = Math.max(0, keys.length - unprocessed);
  const found: ItemRow[] = [];
  const left: { pk: string; sk: string | null }[] = [];
  keys.forEach(({ pk, sk }, index) => {
    const item = index < processed ? store.items.get(database.ref, pk, sk ?? "") : undefined;
    if (item !== undefined) found.push(item);
    else if (index >= processed) left.push({ pk, sk: sk ?? null });
  });
  store.databases.addRead(
    database.ref,
    countReadUnits(found.reduce((sum, { bytes }) => sum + bytes, 0)),
    now,
  );
  return {
    status: 200,
    body: {
      items: found.map(describeItem),
      unprocessedKeys: convertEmptyListToNull(left, profile),
    },
  };
};

/** Writes one entry, a Put where there is an item to write: what it changed, or why it was not written. */
function writeEntry(
  entry: WriteEntry,
  item: NewItem | undefined,
  condition: ParsedCondition | undefined,
  database: DatabaseSummary,
  context: HandlerContext,
  room: RemainingStorage,
): UsageChange | string {
  const { pk } = entry;
  const sk = entry.sk ?? "";
  let existing: ExistingItem | undefined | false;
  try {
    existing = findExistingItem(database, { pk, sk }, condition, context);
  } catch (error) {
    // a condition that costs too much fails its entry alone: entries before it are written already
    if (error instanceof Problem) return error.message;
    throw error;
  }
  if (existing === false) return "The conditionExpression is false for the item.";
  if (item === undefined) return deleteStoredItem(database, { pk, sk }, existing, context);
  const tooLarge = describeSizeError(item, context.profile);
  if (tooLarge !== undefined) return tooLarge;
  const addedBytes = item.bytes - (existing?.bytes ?? 0);
  if (addedBytes > 0 && addedBytes > room.left) return room.fault;
  return writeItem(database, toItemRow(item, existing, context.profile, context.now), existing, context);
}

/** An empty list as the profile answers it: `[]` or null (gap `empty-list-members`). */
export function convertEmptyListToNull<Entry>(entries: Entry[], profile: Profile): Entry[] | null {
  return entries.length === 0 && profile["empty-list-members"] === "as-null" ? null : entries;
}

/** The entries of a batch or transaction, without loss. */
export function getBodyEntries(json: JsonValue | undefined): readonly JsonValue[] {
  const entries = getBodyField(json, "items");
  return isJsonArray(entries) ? entries : [];
}

/** The condition of an entry, where the profile knows conditions in batches. */
function parseEntryCondition(
  entry: JsonValue,
  index: number,
  { profile }: HandlerContext,
  work: EvaluationBudget,
): ParsedCondition | undefined {
  if (getBodyField(entry, "conditionExpression") === undefined) return undefined;
  const answer = profile["batch-conditions"];
  if (answer === "reject")
    throw createInvalidBodyProblem(`/items/${index}/conditionExpression`, "is not allowed in a batch write");
  return answer === "evaluate" ? parseItemCondition(entry, `/items/${index}`, profile, work) : undefined;
}
