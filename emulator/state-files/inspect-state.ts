import type { Database, SqlJsStatic } from "sql.js";
import { tablesSql } from "../store/schema.js";
import { checkColumns } from "./check-columns.js";
import { checkJsonColumns, compactEntityData } from "./check-json-columns.js";
import { checkRows } from "./check-rows.js";
import { checkSqlRows, readSqlTables } from "./check-sql-tables.js";
import { StateFileError } from "./state-file-error.js";

/**
 * Looks at all of a state, each part before anything relies on it: which tables it has, before anything that stands in
 * their definitions is evaluated; whether its pages hang together; types and words of all rows, and what depends on those.
 *
 * @returns the state without views and without white space in entities, which other programs may have made
 * @throws StateFileError
 */
export function validateState(sqlite: SqlJsStatic, state: Uint8Array): Uint8Array {
  const database = new sqlite.Database(new Uint8Array(state.buffer, state.byteOffset, state.byteLength));
  try {
    database.run("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA locking_mode=EXCLUSIVE");
    const { others, hasViews } = checkSchemaEntries(sqlite, database);
    const tables = readSqlTables(database);
    for (const [name, sql] of tables.flatMap(({ definitions }) => definitions)) {
      if (!others.has(name))
        throw new StateFileError(`it is damaged: the rows of the SQL table or index ${name} are missing`);
      if (others.get(name) !== sql)
        throw new StateFileError(`it is damaged: the table or index ${name} does not match the catalog`);
      others.delete(name);
    }
    const [name] = others.keys();
    if (name !== undefined)
      throw new StateFileError(
        `it contains ${show(name)}, which is not one of the emulator's tables; drop ${show(name)}, or ${sameEmulator}`,
      );
    const verdict = database.exec("PRAGMA integrity_check(1)")[0]?.values[0]?.[0];
    if (verdict !== "ok") throw new Error(String(verdict));
    checkColumns(database);
    checkRows(database);
    checkJsonColumns(database);
    checkSqlRows(database, tables);
    const hasChanged = compactEntityData(database);
    if (!hasViews && !hasChanged) return state;
    // DROP VIEW looks through the whole list of tables for each view
    database.run("PRAGMA writable_schema=ON; DELETE FROM sqlite_schema WHERE type = 'view'");
    return database.export();
  } catch (error) {
    if (error instanceof StateFileError) throw error;
    // messages of SQLite may have lines
    throw new StateFileError(`it is damaged: ${(error as Error).message.replaceAll(/\s+/g, " ")}`);
  } finally {
    database.close();
  }
}

const sameEmulator = "use the version of data-service-emulator that wrote it";

interface SchemaEntry {
  readonly type: string;
  readonly name: string;
  readonly table: string;
  readonly sql: string | null;
}

/**
 * Compares the list of tables with those that this version writes: a trigger or an index of an expression does its work
 * wherever the file is read. Nobody looks into a view before it is taken out.
 *
 * @returns the definitions of what else there is by their names, which has to follow from the catalog
 */
function checkSchemaEntries(sqlite: SqlJsStatic, database: Database) {
  const own = (expectedEntries ??= readExpectedEntries(sqlite));
  const left = new Set(own.keys());
  const others = new Map<string, string | null>();
  const names = new Set<string>();
  let hasViews = false;
  for (const { type, name, table, sql } of selectSchemaEntries(database)) {
    if (names.has(name.toLowerCase()))
      throw new StateFileError(`it is damaged: its schema defines ${show(name)} twice`);
    names.add(name.toLowerCase());
    const expected = own.get(name);
    if (type === "view") hasViews = true;
    else if (expected === undefined) others.set(name, sql);
    else if (type !== expected.type || table !== expected.table || sql !== expected.sql)
      throw new StateFileError(
        `its definition of ${name} differs from the one in this emulator; ${sameEmulator}`,
      );
    else left.delete(name);
  }
  const [missing] = left;
  if (missing !== undefined)
    throw new StateFileError(`it lacks the table or index ${missing}; ${sameEmulator}`);
  return { others, hasViews };
}

let expectedEntries: ReadonlyMap<string, SchemaEntry> | undefined;

/** The definitions of an empty state. */
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

/** A name that anybody may have chosen. */
function show(name: string): string {
  return /^\w{1,64}$/.test(name) ? name : JSON.stringify(name.slice(0, 64));
}
