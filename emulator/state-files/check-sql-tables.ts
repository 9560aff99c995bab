import type { Database, SqlValue } from "sql.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { parseJson } from "../json/parse-json.js";
import {
  buildTable,
  type Column,
  buildIndexSql,
  toIndexRecord,
  getIndexSqlName,
  type Table,
  buildTableSql,
  type TableRecord,
} from "../sql/table.js";
import { type StoredValue, buildReadSql, buildStoredBytesSql } from "../sql/types/codec.js";
import { getCollectionDepth, maxCollectionDepth } from "../sql/types/get-codec.js";
import {
  countDefinitionsSql,
  maxDefinitions,
  maxDefinitionsLength,
  measureDefinitionsSql,
} from "../sql/catalog.js";
import { maxIndexes } from "../sql/define-index.js";
import { maxColumns } from "../sql/define-table.js";
import { StateFileError } from "./state-file-error.js";
import { checkEncoding, readRows, selectFirstRow, quoteColumn, createRowError } from "./check-columns.js";

/** A table of the SQL interface. */
export interface SqlTable {
  readonly table: Table;
  /** The definitions of the table and its indexes that SQLite must list. */
  readonly definitions: readonly (readonly [name: string, sql: string])[];
}

/** Reads the tables in the catalog of the SQL interface. @throws StateFileError */
export function readSqlTables(database: Database): readonly SqlTable[] {
  rejectTooManyDefinitions(database);
  const indexRows = selectRows(
    database,
    "SELECT index_id, name, column_ids, is_unique, table_id FROM sql_indexes",
  );
  const tableRows = selectRows(database, "SELECT table_id, name, definition FROM sql_tables") as [
    number,
    string,
    string,
  ][];
  const indexRowsOf = new Map<SqlValue | undefined, SqlValue[][]>(tableRows.map(([id]) => [id, []]));
  for (const row of indexRows) {
    const rows = indexRowsOf.get(row[4]);
    if (rows === undefined)
      throw new StateFileError(
        "it is damaged: a row in the table sql_indexes has no matching row in sql_tables for its table_id",
      );
    rows.push(row);
  }
  return tableRows.map(([id, name, definition]) => {
    try {
      const indexes = (indexRowsOf.get(id) ?? []).map(toIndexRecord);
      const record = JSON.parse(definition) as TableRecord;
      const { columns, partition, clustering } = record;
      if (columns.length > maxColumns || partition.length + clustering.length > columns.length)
        throw new Error("it has more columns than a table can have, or more keys than columns");
      const table = buildTable(id, name, record, indexes, defaultProfile);
      if (!isValidRecord(record)) throw new Error("its columns are inconsistent");
      return {
        table,
        definitions: [
          [table.sqlName, buildTableSql(id, record)],
          ...indexes.map((index) => [getIndexSqlName(index.id), buildIndexSql(index, table)] as const),
        ],
      };
    } catch {
      throw createRowError(
        "sql_tables",
        "has a definition that does not describe a valid table",
        ["table_id"],
        [id],
      );
    }
  });
}

/** Rejects more tables and indexes than the SQL interface allows. */
function rejectTooManyDefinitions(database: Database): void {
  const countIndexesSql =
    "SELECT count(*) AS indexes FROM sql_indexes GROUP BY table_id ORDER BY indexes DESC";
  for (const [sql, max, what] of [
    [countDefinitionsSql, maxDefinitions, "SQL tables and indexes"],
    [measureDefinitionsSql, maxDefinitionsLength, "bytes in the definitions of SQL tables"],
    [countIndexesSql, maxIndexes, "indexes of one SQL table"],
  ] as const) {
    const [given = 0] = selectFirstRow(database, sql);
    if (Number(given) > max)
      throw new StateFileError(`it has ${Number(given)} ${what}, but can have at most ${max}`);
  }
}

/** Whether a definition is consistent. Its columns and keys are compared with SQLite's list of tables separately. */
function isValidRecord({ columns, nextColumnId }: TableRecord): boolean {
  return (
    Number.isSafeInteger(nextColumnId) &&
    new Set(columns.map(({ name }) => name)).size === columns.length &&
    columns.every(
      ({ id, name, type, nullable, defaultJson }) =>
        id < nextColumnId &&
        getCollectionDepth(type) <= maxCollectionDepth &&
        typeof name === "string" &&
        typeof nullable === "boolean" &&
        (defaultJson === null || typeof defaultJson === "string"),
    )
  );
}

/** Checks that every value in the tables is valid for its column. @throws StateFileError */
export function checkSqlRows(database: Database, tables: readonly SqlTable[]): void {
  for (const { table } of tables) checkTableRows(database, table);
}

function checkTableRows(database: Database, { columns: all, key, sqlName, id }: Table): void {
  const keyNames = key.map((column) => column.sqlName);
  // Columns of a wide table may have no values.
  const counts = selectFirstRow(
    database,
    `SELECT ${all.map((column) => `count(${column.sqlName})`).join(", ")} FROM ${sqlName}`,
  );
  const columns = all.filter(({ nullable }, index) => !nullable || Number(counts[index]) > 0);
  const texts = columns.filter(({ codec }) => codec.affinity === "TEXT");
  checkEncoding(
    database,
    sqlName,
    keyNames,
    texts.map((column) => column.sqlName),
  );
  const values = columns.map(({ codec, sqlName: column }) => buildReadSql(codec, column));
  const selected = [...values, ...keyNames.map(quoteColumn)].join(", ");
  let count = 0;
  for (const row of readRows(database, `SELECT ${selected} FROM ${sqlName}`)) {
    count += 1;
    const invalid = columns.find((column, index) => !isValidStored(column, row[index] ?? null));
    if (invalid === undefined) continue;
    const mistake = `has an invalid value in column ${invalid.sqlName}: expected ${invalid.codec.type}`;
    throw createRowError(sqlName, mistake, keyNames, row.slice(columns.length));
  }
  const sizes = columns.map(({ codec, sqlName: column }) => buildStoredBytesSql(codec, column));
  const [bytes] = selectFirstRow(database, `SELECT total(${sizes.join(" + ")}) FROM ${sqlName}`);
  const counted = selectFirstRow(database, `SELECT row_count, bytes FROM sql_tables WHERE table_id = ${id}`);
  if (counted[0] !== count || Number(counted[1]) < Number(bytes))
    throw createRowError(
      "sql_tables",
      `has the wrong row_count or bytes; the correct values are ${count} and ${Number(bytes)}`,
      ["table_id"],
      [id],
    );
}

/** Whether a value has the stored form of its column. */
function isValidStored({ codec, nullable }: Column, stored: StoredValue | null): boolean {
  if (stored === null) return nullable;
  try {
    const encoded = codec.encode(parseJson(codec.toJson(stored), { maxDepth: 100 }));
    return stored instanceof Uint8Array
      ? encoded instanceof Uint8Array && Buffer.compare(stored, encoded) === 0
      : stored === encoded;
  } catch {
    return false;
  }
}

function selectRows(database: Database, sql: string) {
  return database.exec(sql)[0]?.values ?? [];
}
