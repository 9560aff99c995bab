import { limits } from "../../openapi/clauses/limits.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { countItemBytes, countWriteUnits } from "../domain/item-size.js";
import type { JsonObject, JsonValue } from "../json/json-value.js";
import { countFieldsAndCollections } from "../json/compact-reader.js";
import { isJsonEqual } from "../json/compare-json.js";
import { parseJson } from "../json/parse-json.js";
import { stringifyJson } from "../json/stringify-json.js";
import type { DatabaseSummary, UsageChange } from "../store/databases.js";
import type { ItemMetadata, ItemRow } from "../store/items.js";
import { getChangeTime } from "../time/get-change-time.js";
import { getBodyField } from "./body-field.js";
import { type ParsedCondition, isConditionTrue, maxStoredDepth } from "./conditions.js";
import type { HandlerContext } from "./handler.js";

/** An item that is about to be written. */
export type NewItem = Omit<ItemRow, "createdAt" | "updatedAt">;

/**
 * Returns the compact JSON text of the data of a request or entry.
 *
 * @param body the request or entry as `JSON.parse` reads it
 * @param json the same without loss; the same object if `JSON.parse` loses nothing
 */
export function getDataText(body: { readonly data?: unknown }, json: JsonValue | undefined): string {
  return (body as unknown) === json
    ? JSON.stringify(body.data)
    : stringifyJson(getBodyField(json, "data") as JsonObject);
}

export function createNewItem(pk: string, sk: string, data: string): NewItem {
  return { pk, sk, data, bytes: countItemBytes(pk, sk, data) };
}

/** Returns a message if the item is too large (clause ITEM-36). */
export function describeSizeError({ bytes }: NewItem): string | undefined {
  return bytes > limits.itemBytes
    ? `In UTF-8, the item's keys and its data (as compact JSON) have ${bytes} bytes; at most ${limits.itemBytes} are allowed.`
    : undefined;
}

/** The properties of the item before a write that the write needs. */
export type ExistingItem = ItemMetadata & Partial<Pick<ItemRow, "data">>;

/** Finds the item before a write: undefined if there is none, false if the condition is false. */
export function findExistingItem(
  { ref }: DatabaseSummary,
  { pk, sk }: Pick<ItemRow, "pk" | "sk">,
  condition: ParsedCondition | undefined,
  { store, profile }: HandlerContext,
): ExistingItem | undefined | false {
  if (condition === undefined && profile["item-updated-at"] !== "when-data-changes")
    return store.items.getMetadata(ref, pk, sk);
  const item = store.items.get(ref, pk, sk);
  return (condition === undefined || isConditionTrue(condition, item)) && item;
}

/**
 * Creates the row of an item that is put. An existing item keeps its creation time.
 *
 * @param isSame whether the data are equal to those before; by default they are compared if necessary
 */
export function toItemRow(
  { pk, sk, data, bytes }: NewItem,
  before: ExistingItem | undefined,
  profile: Profile,
  now: number,
  isSame?: boolean,
): ItemRow {
  const createdAt = before?.createdAt ?? now;
  return { pk, sk, data, bytes, createdAt, updatedAt: getUpdatedAt(data, before, profile, now, isSame) };
}

/** Returns the time of the last change after a write (gap `item-updated-at`). */
function getUpdatedAt(
  data: string,
  before: ExistingItem | undefined,
  profile: Profile,
  now: number,
  isSame: boolean | undefined,
): number {
  const answer = profile["item-updated-at"];
  if (before === undefined) return now;
  const isKept =
    answer === "never" ||
    (answer === "when-data-changes" &&
      before.data !== undefined &&
      (isSame ?? isSameData(before.data, data)));
  return isKept ? before.updatedAt : getChangeTime(before.updatedAt, now);
}

/** Writes an item. The caller must count the returned change. */
export function writeItem(
  { ref }: DatabaseSummary,
  row: ItemRow,
  existing: ItemMetadata | undefined,
  { store }: HandlerContext,
): UsageChange {
  store.items.put(ref, row);
  return {
    items: existing === undefined ? 1 : 0,
    bytes: row.bytes - (existing?.bytes ?? 0),
    writeUnits: countWriteUnits(row.bytes),
  };
}

/** Removes an item, if it exists. The caller must count the returned change. */
export function deleteStoredItem(
  { ref }: DatabaseSummary,
  { pk, sk }: Pick<ItemRow, "pk" | "sk">,
  existing: ItemMetadata | undefined,
  { store }: HandlerContext,
): UsageChange {
  // Deleting a missing item costs no write unit.
  if (existing === undefined) return { items: 0, bytes: 0, writeUnits: 0 };
  store.items.remove(ref, pk, sk);
  return { items: -1, bytes: -existing.bytes, writeUnits: countWriteUnits(existing.bytes) };
}

/** Adds the changes of a request to the database's usage. */
export function addUsage(
  { ref }: DatabaseSummary,
  changes: readonly UsageChange[],
  { store, now }: HandlerContext,
): void {
  let items = 0;
  let bytes = 0;
  let writeUnits = 0;
  for (const change of changes) {
    items += change.items;
    bytes += change.bytes;
    writeUnits += change.writeUnits;
  }
  if (writeUnits > 0) store.databases.addWrite(ref, { items, bytes, writeUnits }, now);
}

/** Whether two JSON texts have equal values, in any order of fields. */
export function isSameData(a: string, b: string): boolean {
  if (a === b) return true;
  // Parsing a large item takes much longer than counting, and few requests contain as much as one.
  if (countFieldsAndCollections(a) !== countFieldsAndCollections(b)) return false;
  const parse = (text: string) => parseJson(text, { maxDepth: maxStoredDepth });
  return isJsonEqual(parse(a), parse(b));
}
