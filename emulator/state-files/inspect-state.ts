import type { Database, SqlJsStatic } from "sql.js";
import { tablesSql } from "../store/schema.js";
import { checkColumns } from "./check-columns.js";
import { checkJsonColumns, compactEntityData } from "./check-json-columns.js";
import { checkRows } from "./check-rows.js";
import { checkSqlRows, readSqlTables } from "./check-sql-tables.js";
import { StateFileError, useWritersVersion } from "./state-file-error.js";

/**
 * Checks a state completely: its tables, before anything in their definitions is evaluated; its pages; and the values and
 * consistency of all rows.
 *
 * @returns the state without views, and without white space in entities, which other programs may have added
 * @throws StateFileError
 */
export function validateState(sqlite: SqlJsStatic, state: Uint8Array): Uint8Array {
  const database = new sqlite.Database(new Uint8Array(state.buffer, state.byteOffset, state.byteLength));
  try {
    database.run("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA locking_mode=EXCLUSIVE");
    const { otherDefinitions, hasViews } = checkSchemaEntries(sqlite, database);
    const tables = readSqlTables(database);
    for (const [name, sql] of tables.flatMap(({ definitions }) => definitions)) {
      if (!otherDefinitions.has(name))
        throw new StateFileError(`it is damaged: the rows of the SQL table or index ${name} are missing`);
      if (otherDefinitions.get(name) !== sql)
        throw new StateFileError(`it is damaged: the table or index ${name} does not match the catalog`);
      otherDefinitions.delete(name);
    }
    const [name] = otherDefinitions.keys();
    if (name !== undefined)
      throw new StateFileError(
        `it contains ${formatName(name)}, which is not one of the emulator's tables; drop ${formatName(name)}, or ${useWritersVersion}`,
      );
    const verdict = database.exec("PRAGMA integrity_check(1)")[0]?.values[0]?.[0];
    if (verdict !== "ok") throw new Error(String(verdict));
    checkColumns(database);
    checkRows(database);
    checkJsonColumns(database);
    checkSqlRows(database, tables);
    const hasChanged = compactEntityData(database);
    if (!hasViews && !hasChanged) return state;
    // DROP VIEW searches all tables for each view.
    database.run("PRAGMA writable_schema=ON; DELETE FROM sqlite_schema WHERE type = 'view'");
    return database.export();
  } catch (error) {
    if (error instanceof StateFileError) throw error;
    // Messages of SQLite may contain line breaks.
    throw new StateFileError(`it is damaged: ${(error as Error).message.replaceAll(/\s+/g, " ")}`);
  } finally {
    database.close();
  }
}

interface SchemaEntry {
  readonly type: string;
  readonly name: string;
  readonly table: string;
  readonly sql: string | null;
}

/**
 * Compares the schema with the one that this version writes, because triggers and indexes of expressions run when a file is
 * read. Views are never read.
 *
 * @returns all other definitions by name, which must follow from the SQL catalog
 */
function checkSchemaEntries(sqlite: SqlJsStatic, database: Database) {
  const expectedByName = (expectedEntries ??= readExpectedEntries(sqlite));
  const missing = new Set(expectedByName.keys());
  const otherDefinitions = new Map<string, string | null>();
  const names = new Set<string>();
  let hasViews = false;
  for (const { type, name, table, sql } of selectSchemaEntries(database)) {
    if (names.has(name.toLowerCase()))
      throw new StateFileError(`it is damaged: its schema defines ${formatName(name)} twice`);
    names.add(name.toLowerCase());
    const expected = expectedByName.get(name);
    if (type === "view") hasViews = true;
    else if (expected === undefined) otherDefinitions.set(name, sql);
    else if (type !== expected.type || table !== expected.table || sql !== expected.sql)
      throw new StateFileError(
        `its definition of ${name} differs from the one in this emulator; ${useWritersVersion}`,
      );
    else missing.delete(name);
  }
  const [firstMissing] = missing;
  if (firstMissing !== undefined)
    throw new StateFileError(`it lacks the table or index ${firstMissing}; ${useWritersVersion}`);
  return { otherDefinitions, hasViews };
}

let expectedEntries: ReadonlyMap<string, SchemaEntry> | undefined;

/** Reads the definitions of an empty state. */
function readExpectedEntries(sqlite: SqlJsStatic): ReadonlyMap<string, SchemaEntry> {
  const database = new sqlite.Database();
  try {
    database.run(tablesSql);
    return new Map(selectSchemaEntries(database).map((entry) => [entry.name, entry]));
  } finally {
    database.close();
  }
}

function selectSchemaEntries(database: Database): SchemaEntry[] {
  const [found] = database.exec("SELECT type, name, tbl_name, sql FROM sqlite_schema");
  return (found?.values ?? []).map(([type, name, table, sql]) => ({
    type: String(type),
    name: String(name),
    table: String(table),
    sql: sql === null ? null : String(sql),
  }));
}

/** Formats a name that another program may have chosen. */
function formatName(name: string): string {
  return /^\w{1,64}$/.test(name) ? name : JSON.stringify(name.slice(0, 64));
}
