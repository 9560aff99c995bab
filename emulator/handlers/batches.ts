import { countReadUnits } from "../domain/item-size.js";
import { EvaluationBudget } from "../expressions/evaluation-budget.js";
import { isJsonArray, type JsonValue } from "../json/json-value.js";
import { createInvalidBodyProblem, Problem } from "../domain/problem.js";
import { maxPageBytes } from "../sqlite/statement.js";
import type { DatabaseSummary, UsageChange } from "../store/databases.js";
import type { ItemRow } from "../store/items.js";
import { getBodyField } from "./body-field.js";
import { type ParsedCondition, parseItemCondition } from "./conditions.js";
import { type RemainingStorage, getRemainingStorage, findUsableDatabase } from "./database-access.js";
import { rejectDuplicateKeys, stringifyKey } from "./entry-keys.js";
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
  describeSizeError,
  writeItem,
} from "./item-writes.js";
import { describeItem, toSortKeyOrNull } from "./items.js";

type WriteEntry = OperationRequest<"batchWriteItems">["body"]["items"][number];

/** POST /items/batch/write: entries succeed or fail one by one (4.2 rule 7). After the first write, nothing throws. */
export const batchWriteItems: Handler<"batchWriteItems"> = ({ path, body, json }, context) => {
  const database = findUsableDatabase(path.databaseId, context);
  const entries = getBodyEntries(json);
  // An invalid condition fails the whole request, so conditions are parsed before the first write.
  const work = new EvaluationBudget();
  const conditions = entries.map((entry, index) => parseEntryCondition(entry, index, context, work));
  const { profile } = context;
  if (profile["duplicate-keys"] === "reject") rejectDuplicateKeys(body.items, "items");
  const items = body.items.map((entry, index) =>
    entry.operation === "Delete"
      ? undefined
      : createNewItem(entry.pk, entry.sk ?? "", getDataText(entry, entries[index])),
  );
  const errors: { pk: string; sk: string | null; error: string }[] = [];
  const changes: UsageChange[] = [];
  const storage = getRemainingStorage(database, context);
  const injectedFailures = context.fault?.("partial")?.count ?? 0;
  let addedBytes = 0;
  body.items.forEach((entry, index) => {
    const isConditional = getBodyField(entries[index], "conditionExpression") !== undefined;
    const remaining = { ...storage, bytes: storage.bytes - addedBytes };
    const outcome =
      index < injectedFailures
        ? "A fault rule made the entry fail."
        : isConditional && profile["batch-conditions"] === "fail-entry"
          ? "A conditionExpression is not allowed in a batch write."
          : writeEntry(entry, items[index], conditions[index], database, context, remaining);
    if (typeof outcome === "string")
      errors.push({ pk: entry.pk, sk: toSortKeyOrNull(entry.sk ?? ""), error: outcome });
    else {
      changes.push(outcome);
      addedBytes += outcome.bytes;
    }
  });
  addUsage(database, changes, context);
  return {
    status: 200,
    body: {
      successCount: body.items.length - errors.length,
      failedCount: errors.length,
      errors: toListOrNull(errors),
    },
  };
};

/** POST /items/batch/get. Keys after the item that exceeds {@link maxPageBytes} are unprocessed (4.2 rule 8). */
export const batchGetItems: Handler<"batchGetItems"> = ({ path, body }, context) => {
  const { store, now, profile } = context;
  const database = findUsableDatabase(path.databaseId, context);
  if (profile["duplicate-keys"] === "reject") rejectDuplicateKeys(body.keys, "keys");
  const keys = [...new Map(body.keys.map((key) => [stringifyKey(key), key])).values()];
  const allowed = keys.length - (context.fault?.("unprocessed")?.count ?? 0);
  const items: ItemRow[] = [];
  let processed = 0;
  let bytesRead = 0;
  for (const { pk, sk } of keys) {
    if (processed >= allowed || bytesRead > maxPageBytes) break;
    const item = store.items.get(database.ref, pk, sk ?? "");
    if (item !== undefined) items.push(item);
    bytesRead += item?.bytes ?? 0;
    processed += 1;
  }
  store.databases.addRead(database.ref, countReadUnits(bytesRead), now);
  const unprocessedKeys = keys.slice(processed).map(({ pk, sk }) => ({ pk, sk: sk ?? null }));
  return {
    status: 200,
    body: {
      items: items.map(describeItem),
      unprocessedKeys: toListOrNull(unprocessedKeys),
    },
  };
};

/** Writes one entry: a Put of the item, or a Delete if there is none. Returns what has changed, or why the entry failed. */
function writeEntry(
  entry: WriteEntry,
  item: NewItem | undefined,
  condition: ParsedCondition | undefined,
  database: DatabaseSummary,
  context: HandlerContext,
  remaining: RemainingStorage,
): UsageChange | string {
  const { pk } = entry;
  const sk = entry.sk ?? "";
  let existing: ExistingItem | undefined | false;
  try {
    existing = findExistingItem(database, { pk, sk }, condition, context);
  } catch (error) {
    // A condition that is too expensive fails only its entry, because earlier entries are already written.
    if (error instanceof Problem) return error.message;
    throw error;
  }
  if (existing === false) return "The conditionExpression is false for the item.";
  if (item === undefined) return deleteStoredItem(database, { pk, sk }, existing, context);
  const tooLarge = describeSizeError(item);
  if (tooLarge !== undefined) return tooLarge;
  const addedBytes = item.bytes - (existing?.bytes ?? 0);
  if (addedBytes > 0 && addedBytes > remaining.bytes) return remaining.message;
  return writeItem(database, toItemRow(item, existing, context.profile, context.now), existing, context);
}

/** Converts an empty list to null. */
function toListOrNull<Entry>(entries: Entry[]): Entry[] | null {
  return entries.length === 0 ? null : entries;
}

/** Returns the entries of a batch or transaction, without loss. */
export function getBodyEntries(json: JsonValue | undefined): readonly JsonValue[] {
  const entries = getBodyField(json, "items");
  return isJsonArray(entries) ? entries : [];
}

/** Parses the condition of an entry, if the profile allows conditions in batches. */
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
