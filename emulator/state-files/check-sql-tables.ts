import type { Database } from "sql.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { readJson } from "../json/read-json.js";
import { decodeDefault } from "../sql/catalog.js";
import {
  buildTable,
  type Column,
  indexDefinition,
  type IndexRecord,
  indexSqlName,
  type Table,
  tableDefinition,
  tableSqlName,
} from "../sql/table.js";
import { type Stored, storedBytesOf } from "../sql/types/codec.js";
import { StateFileError } from "./state-file-error.js";
import { checkEncoding, quoted, wrongRow } from "./check-columns.js";
import type { SchemaEntry } from "./read-schema-entries.js";
import { readColumnIds, readTableRecord } from "./read-table-record.js";

/**
 * Looks at the tables of the SQL interface: whether SQLite's list of tables has exactly those of the catalog, and
 * whether every value in them is one that its column could have been given.
 *
 * @param found what the list has beside the emulator's own tables
 * @throws StateFileError
 */
export function checkSqlTables(database: Database, found: ReadonlyMap<string, SchemaEntry>): void {
  const left = new Set(found.keys());
  const take = (name: string, sql: string): void => {
    if (!left.delete(name))
      throw new StateFileError(`it is damaged: the rows of the SQL table or index ${name} are missing`);
    if (found.get(name)?.sql !== sql)
      throw new StateFileError(`it is damaged: ${name} is not what the catalog says of it`);
  };
  const indexes = readIndexes(database);
  for (const [id, name, definition] of rowsOf(
    database,
    "SELECT table_id, name, definition FROM sql_tables",
  ) as [number, string, string][]) {
    const table = readTable(id, name, definition, indexes.get(id) ?? []);
    take(table.sqlName, tableDefinition(id, table.record));
    for (const index of indexes.get(id) ?? []) take(indexSqlName(index.id), indexDefinition(index, table));
    checkRows(database, table);
  }
  const [name] = left;
  if (name !== undefined)
    throw new StateFileError(`it is damaged: ${name} in it is none of the tables of its catalog`);
}

/** The indexes of every table by its id. */
function readIndexes(database: Database): ReadonlyMap<number, readonly IndexRecord[]> {
  const ofTable = new Map<number, IndexRecord[]>();
  for (const [id, name, tableId, text, unique] of rowsOf(
    database,
    "SELECT index_id, name, table_id, column_ids, is_unique FROM sql_indexes",
  ) as [number, string, number, string, number][]) {
    const columnIds = readColumnIds(text);
    if (columnIds === undefined)
      throw wrongRow("sql_indexes", "has column_ids that are not a list of columns", ["index_id"], [id]);
    const index = { id, name, columnIds, unique: unique === 1 };
    const others = ofTable.get(tableId);
    if (others === undefined) ofTable.set(tableId, [index]);
    else others.push(index);
  }
  return ofTable;
}

function readTable(id: number, name: string, definition: string, indexes: readonly IndexRecord[]): Table {
  const record = readTableRecord(definition);
  try {
    if (record !== undefined)
      return buildTable(id, name, record, indexes, { forms: defaultProfile, decode: decodeDefault });
  } catch {
    // told below: a default or an index does not fit the columns
  }
  throw wrongRow("sql_tables", "has a definition that is not one of a table", ["table_id"], [id]);
}

function checkRows(database: Database, table: Table): void {
  const { columns, key, sqlName, id } = table;
  const keyNames = key.map((column) => column.sqlName);
  const texts = columns.filter(({ codec }) => codec.affinity === "TEXT");
  checkEncoding(
    database,
    sqlName,
    keyNames,
    texts.map((column) => column.sqlName),
  );
  const values = columns.map(({ codec, sqlName: column }) => codec.read(column));
  const rows = database.prepare(`SELECT ${[...values, ...keyNames.map(quoted)].join(", ")} FROM ${sqlName}`);
  let count = 0;
  try {
    for (; rows.step(); count += 1) {
      const row = rows.get();
      const wrong = columns.find((column, index) => !isStored(column, row[index] ?? null));
      if (wrong !== undefined)
        throw wrongRow(
          tableSqlName(id),
          `has a ${wrong.sqlName} that is no ${wrong.codec.type}`,
          keyNames,
          row.slice(columns.length),
        );
    }
  } finally {
    rows.free();
  }
  const sizes = columns.map(({ codec, sqlName: column }) => storedBytesOf(codec, column));
  const [[bytes] = []] = rowsOf(database, `SELECT total(${sizes.join(" + ")}) FROM ${sqlName}`);
  const [[says, saysBytes] = []] = rowsOf(
    database,
    `SELECT row_count, bytes FROM sql_tables WHERE table_id = ${id}`,
  );
  if (says !== count || Number(saysBytes) < Number(bytes))
    throw wrongRow(
      "sql_tables",
      `does not count its rows, which are ${count} of ${Number(bytes)} bytes`,
      ["table_id"],
      [id],
    );
}

/** Whether a value is in the form in which its column stores it. */
function isStored({ codec, nullable }: Column, stored: Stored | null): boolean {
  if (stored === null) return nullable;
  try {
    const again = codec.encode(readJson(codec.toJson(stored), { maxDepth: 100 }));
    return stored instanceof Uint8Array
      ? again instanceof Uint8Array && Buffer.compare(stored, again) === 0
      : stored === again;
  } catch {
    return false;
  }
}

function rowsOf(database: Database, sql: string) {
  return database.exec(sql)[0]?.values ?? [];
}
