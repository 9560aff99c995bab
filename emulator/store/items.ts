import type { KeyRange } from "../domain/sort-key-condition.js";
import { unaryPlusMarker, limitClause } from "../sqlite/markers.js";
import { longTextColumn, RowMapping, RowStatements } from "../sqlite/row-mapping.js";
import type { PreparedStatement, PreparedStatements } from "../sqlite/statement.js";

/** A raw item as stored; `sk` is the empty text for an item without sort key, `data` compact JSON text. */
export interface ItemRow {
  readonly pk: string;
  readonly sk: string;
  readonly data: string;
  /** UTF-8 bytes of `data` and both keys. */
  readonly bytes: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

const mapping = new RowMapping<ItemRow & { readonly databaseRef: number }>(
  "items",
  "database_ref, pk, sk, data, bytes, created_at, updated_at",
  { data: longTextColumn },
);

/** The properties of an existing item that a write needs. */
export type ItemMetadata = Pick<ItemRow, "bytes" | "createdAt" | "updatedAt">;

const metadataMapping = new RowMapping<ItemMetadata>("items", "bytes, created_at, updated_at");

type RangeParameters = (string | number)[];

/** Raw items by database, partition key and sort key. */
export function prepareItemStatements(statements: PreparedStatements) {
  const items = new RowStatements(statements, mapping);
  const whereKey = "WHERE database_ref = ? AND pk = ? AND sk = ?";
  const put = items.put();
  const scan = items.query<[number, string, string, number]>(
    `WHERE database_ref = ${unaryPlusMarker} AND (pk, sk) > (?, ?) ORDER BY pk, sk ${limitClause}`,
  );
  const partitions = statements.query<[number], string>(
    "SELECT DISTINCT pk FROM items WHERE database_ref = ?",
    (row) => row[0] as string,
  );
  const ranges = new Map<string, PreparedStatement<RangeParameters, ItemRow>>();

  /** The statement for this form of range; the texts are fixed, only the values are bound. */
  function rangeStatement(
    { lower, upper }: KeyRange,
    forward: boolean,
  ): PreparedStatement<RangeParameters, ItemRow> {
    const form =
      (lower === undefined ? "" : lower.inclusive ? " AND sk >= ?" : " AND sk > ?") +
      (upper === undefined ? "" : upper.inclusive ? " AND sk <= ?" : " AND sk < ?") +
      (forward ? " ORDER BY sk" : " ORDER BY sk DESC");
    let statement = ranges.get(form);
    if (statement === undefined) {
      statement = items.query(
        `WHERE database_ref = ${unaryPlusMarker} AND pk = ${unaryPlusMarker}${form} ${limitClause}`,
      );
      ranges.set(form, statement);
    }
    return statement;
  }

  return {
    get: items.one<[databaseRef: number, pk: string, sk: string]>(whereKey),
    /** The item but for its keys and data, which are the costly part of reading it. */
    head: new RowStatements(statements, metadataMapping).one<[databaseRef: number, pk: string, sk: string]>(
      whereKey,
    ),
    put: (databaseRef: number, item: ItemRow) => put({ ...item, databaseRef }),
    remove: statements.write<[databaseRef: number, pk: string, sk: string]>(`DELETE FROM items ${whereKey}`),
    /** Items of one partition whose sort keys lie in the range, in key order or against it; `limit` -1 for all. */
    range: (databaseRef: number, pk: string, range: KeyRange, forward: boolean, limit: number) => {
      const bounds = [range.lower, range.upper].flatMap((bound) =>
        bound === undefined ? [] : [bound.value],
      );
      const statement = rangeStatement(range, forward);
      const parameters = [databaseRef, pk, ...bounds, limit];
      // a bounded page is read at once, which is quicker than row by row
      return limit < 0 ? statement.each(...parameters) : statement.page(getBytes, ...parameters);
    },
    /** The partition keys of the database. */
    partitions: (databaseRef: number) => partitions.all(databaseRef),
    /** Items of the database in order of pk and sk, after the given key; `limit` -1 for all. */
    scan: (databaseRef: number, afterPk: string, afterSk: string, limit: number) =>
      limit < 0
        ? scan.each(databaseRef, afterPk, afterSk, limit)
        : scan.page(getBytes, databaseRef, afterPk, afterSk, limit),
  };
}

function getBytes({ bytes }: ItemRow): number {
  return bytes;
}
