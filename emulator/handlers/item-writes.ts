import { limits } from "../../openapi/limits.js";
import { itemBytes, writeUnitsOf } from "../domain/item-size.js";
import type { DatabaseRow } from "../store/databases.js";
import type { ItemRow } from "../store/items.js";
import type { Context } from "./handler.js";

/** An item that is about to be written. */
export interface NewItem {
  readonly pk: string;
  /** The empty text for an item without sort key. */
  readonly sk: string;
  /** Compact JSON text. */
  readonly data: string;
  readonly bytes: number;
}

/** The item with its size. */
export function newItem(pk: string, sk: string, data: string): NewItem {
  return { pk, sk, data, bytes: itemBytes(pk, sk, data) };
}

/** Why the item may not be written (clause ITEM-36), or nothing. */
export function sizeFault({ bytes }: NewItem): string | undefined {
  return bytes > limits.itemBytes
    ? `The item has ${bytes} bytes; ${limits.itemBytes} are allowed (keys and compact JSON of data, UTF-8).`
    : undefined;
}

/** The row of an item that is put: over what is there, it keeps its age or not (gap `created-at-on-replace`). */
export function putRow(item: NewItem, before: ItemRow | undefined, { now, profile }: Context): ItemRow {
  const keepsAge = profile["created-at-on-replace"] === "kept";
  return { ...item, createdAt: keepsAge ? (before?.createdAt ?? now) : now, updatedAt: now };
}

/** Writes a row over what is there, and counts it. */
export function writeItem(
  { ref }: DatabaseRow,
  row: ItemRow,
  existing: ItemRow | undefined,
  { store, now }: Context,
): void {
  store.items.put(ref, row);
  const bytes = row.bytes - (existing?.bytes ?? 0);
  const items = existing === undefined ? 1 : 0;
  store.databases.addWrite(ref, { items, bytes, writeUnits: writeUnitsOf(row.bytes) }, now);
}

/** Removes an item, if it is there, and counts it. */
export function eraseItem(
  { ref }: DatabaseRow,
  { pk, sk }: Pick<ItemRow, "pk" | "sk">,
  existing: ItemRow | undefined,
  { store, now }: Context,
): void {
  // what is not there takes no write unit
  if (existing === undefined) return;
  store.items.remove(ref, pk, sk);
  store.databases.addWrite(
    ref,
    { items: -1, bytes: -existing.bytes, writeUnits: writeUnitsOf(existing.bytes) },
    now,
  );
}
