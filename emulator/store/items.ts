import type { SqlValue } from "sql.js";
import { memoize } from "../../openapi/text/memoize.js";
import type { KeyRange } from "../domain/sort-key-condition.js";
import * as column from "../sqlite/columns.js";
import { encodeUtf8View } from "../sqlite/columns.js";
import { unpeekedMarker, limitClause, noLimit } from "../sqlite/markers.js";
import { type RowOf, RowStatements, StateTable } from "../sqlite/state-table.js";
import type { PreparedStatements } from "../sqlite/statement.js";

/** Raw items. */
export const itemsTable = new StateTable("items", {
  databaseRef: column.inPrimaryKey(column.integer("REFERENCES databases (ref)")),
  pk: column.inPrimaryKey(column.text()),
  /**
   * The empty string for an item without a sort key. An empty sort key is not valid, and the empty string sorts first, as
   * such an item must.
   */
  sk: column.inPrimaryKey(column.text()),
  /** Compact JSON. */
  data: column.longText(),
  /** UTF-8 bytes of `data` and both keys. */
  bytes: column.integer(),
  createdAt: column.timestamp(),
  updatedAt: column.timestamp(),
});
export type ItemRow = Omit<RowOf<typeof itemsTable>, "databaseRef">;

/** The properties of an existing item that a write needs. */
const metadataMapping = itemsTable.pick("bytes", "createdAt", "updatedAt");
export type ItemMetadata = RowOf<typeof metadataMapping>;

// Many rows are read at once. This is several times as fast as the mapping.
function readItem(row: SqlValue[]): ItemRow {
  return {
    pk: row[1] as string,
    sk: row[2] as string,
    data: row[3] as string,
    bytes: row[4] as number,
    createdAt: row[5] as number,
    updatedAt: row[6] as number,
  };
}

/** The items of a partition whose sort keys are in a range. */
export interface ItemRange {
  readonly pk: string;
  readonly range: KeyRange;
  readonly isForward: boolean;
  /** {@link noLimit} for all. */
  readonly limit: number;
}

/** The key of an item; `sk` is the empty string for an item without a sort key. */
export type ItemKey = readonly [pk: string, sk: string];

/** Returns false to see no further items. */
export type ItemVisitor = (item: ItemRow) => unknown;

/** Raw items by database, partition key and sort key. */
export function prepareItemStatements(statements: PreparedStatements) {
  const cache = new ItemCache();
  // The statements below keep the cache up to date; others are rare.
  statements.watch(["items"], () => cache.clear());
  const whereKey = "WHERE database_ref = ? AND pk = ? AND sk = ?";
  const byKey = statements.one<[number, string, string], ItemRow>(itemsTable.select(whereKey), readItem);
  const metadataByKey = new RowStatements(statements, metadataMapping).one<[number, string, string]>(
    whereKey,
  );
  const put = statements.commandKeepingCaches(itemsTable.insert("INSERT OR REPLACE"));
  const remove = statements.commandKeepingCaches<[number, string, string]>(`DELETE FROM items ${whereKey}`);
  const scan = statements.query<[number, string, string, number], ItemRow>(
    itemsTable.select(
      `WHERE database_ref = ${unpeekedMarker} AND (pk, sk) > (?, ?) ORDER BY pk, sk ${limitClause}`,
    ),
    readItem,
  );
  const partitions = statements.query<[number], string>(
    "SELECT DISTINCT pk FROM items WHERE database_ref = ? ORDER BY pk",
    (row) => row[0] as string,
  );
  const getRangeStatement = memoize((clauses: string) =>
    statements.query<(string | number)[], ItemRow>(
      itemsTable.select(
        `WHERE database_ref = ${unpeekedMarker} AND pk = ${unpeekedMarker}${clauses} ${limitClause}`,
      ),
      readItem,
    ),
  );

  /** Prepares one statement for each kind of bounds and each direction. */
  function prepareRange({ lower, upper }: KeyRange, isForward: boolean) {
    const clauses =
      (lower === undefined ? "" : lower.inclusive ? " AND sk >= ?" : " AND sk > ?") +
      (upper === undefined ? "" : upper.inclusive ? " AND sk <= ?" : " AND sk < ?") +
      (isForward ? " ORDER BY sk" : " ORDER BY sk DESC");
    return getRangeStatement(clauses);
  }

  return {
    get: (databaseRef: number, pk: string, sk: string): ItemRow | undefined => {
      const known = cache.get(databaseRef, pk, sk);
      if (known !== undefined) return known;
      const item = byKey(databaseRef, pk, sk);
      if (item === undefined) return undefined;
      cache.set(databaseRef, item);
      return item;
    },
    /** Finds the metadata of an item. Reading its keys and data would take longer. */
    getMetadata: (databaseRef: number, pk: string, sk: string): ItemMetadata | undefined =>
      cache.get(databaseRef, pk, sk) ?? metadataByKey(databaseRef, pk, sk),
    put: (databaseRef: number, item: ItemRow) => {
      const { pk, sk, data, bytes, createdAt, updatedAt } = item;
      put.run(databaseRef, pk, sk, encodeUtf8View(data), bytes, createdAt, updatedAt);
      cache.set(databaseRef, item);
    },
    remove: (databaseRef: number, pk: string, sk: string) => {
      remove.run(databaseRef, pk, sk);
      cache.delete(databaseRef, pk, sk);
    },
    /** Visits the items of a range in the order of their sort keys, until `visit` returns false. Returns whether it did. */
    visitRange: (databaseRef: number, { pk, range, isForward, limit }: ItemRange, visit: ItemVisitor) => {
      const bounds = [range.lower, range.upper].flatMap((bound) =>
        bound === undefined ? [] : [bound.value],
      );
      return prepareRange(range, isForward).visit(visit, databaseRef, pk, ...bounds, limit);
    },
    /** The partition keys of the database in order. */
    partitions: (databaseRef: number) => partitions.all(databaseRef),
    /** All items of the database, in order of pk and sk. */
    allOf: (databaseRef: number) => scan.all(databaseRef, "", "", noLimit),
    /** Visits items of the database in order of pk and sk, after the given key, until `visit` returns false. */
    visit: (databaseRef: number, visit: ItemVisitor, after: ItemKey = ["", ""], limit = noLimit) =>
      scan.visit(visit, databaseRef, ...after, limit),
  };
}

/** Approximate maximum size of the cached items of a namespace. */
const maxCachedBytes = 2 * 1024 * 1024;
/** Larger items are not cached, because they would replace many others. */
const maxCachedItemBytes = 8 * 1024;
/** Approximate size of an entry without its item. Most partitions have a map for only one item. */
const entryOverheadBytes = 400;

/** Caches items that were read or written recently. It is ten times as fast as SQLite. */
class ItemCache {
  /** By database, partition key and sort key. Building and hashing a text of all three would be slower. */
  readonly #databases = new Map<number, Map<string, Map<string, ItemRow>>>();
  #bytes = 0;

  get(databaseRef: number, pk: string, sk: string): ItemRow | undefined {
    return this.#databases.get(databaseRef)?.get(pk)?.get(sk);
  }

  set(databaseRef: number, item: ItemRow): void {
    if (item.bytes > maxCachedItemBytes) {
      this.delete(databaseRef, item.pk, item.sk);
      return;
    }
    if (this.#bytes > maxCachedBytes) this.clear();
    const partitions = getOrCreateMap(this.#databases, databaseRef);
    const partition = getOrCreateMap(partitions, item.pk);
    const before = partition.get(item.sk);
    partition.set(item.sk, item);
    this.#bytes += before === undefined ? item.bytes + entryOverheadBytes : item.bytes - before.bytes;
  }

  delete(databaseRef: number, pk: string, sk: string): void {
    const partitions = this.#databases.get(databaseRef);
    const partition = partitions?.get(pk);
    const before = partition?.get(sk);
    if (before === undefined) return;
    this.#bytes -= before.bytes + entryOverheadBytes;
    partition?.delete(sk);
    if (partition?.size === 0) partitions?.delete(pk);
  }

  clear(): void {
    this.#databases.clear();
    this.#bytes = 0;
  }
}

function getOrCreateMap<Key, InnerKey, Value>(
  maps: Map<Key, Map<InnerKey, Value>>,
  key: Key,
): Map<InnerKey, Value> {
  let inner = maps.get(key);
  if (inner === undefined) maps.set(key, (inner = new Map<InnerKey, Value>()));
  return inner;
}
