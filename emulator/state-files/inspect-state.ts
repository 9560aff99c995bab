import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Database, SqlJsStatic, SqlValue } from "sql.js";
import { maxColumns } from "../sql/define-table.js";
import {
  buildIndexSql,
  buildTableSql,
  getIndexSqlName,
  getTableSqlName,
  type TableRecord,
  toIndexRecord,
} from "../sql/table.js";
import { tablesSql } from "../store/schema.js";
import { StateFileError, writerVersionAdvice } from "./state-file-error.js";

/**
 * Checks a state for which anybody may have computed the checksum: its definitions, before anything in them is evaluated; its
 * pages; and the hashes by which namespaces share schemas. Other values are not checked: invalid ones lead to errors only in
 * the namespace that has the state.
 *
 * @throws StateFileError
 */
export function inspectState(sqlite: SqlJsStatic, state: Uint8Array): void {
  const database = new sqlite.Database(new Uint8Array(state.buffer, state.byteOffset, state.byteLength));
  try {
    database.run("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA locking_mode=EXCLUSIVE");
    checkDefinitions(sqlite, database);
    const [[verdict] = []] = selectRows(database, "PRAGMA integrity_check(1)");
    if (verdict !== "ok") throw new Error(String(verdict));
    for (const [schema, hash] of selectRows(database, "SELECT schema, schema_hash FROM repositories"))
      if (createHash("sha256").update(String(schema)).digest("base64url") !== hash)
        throw new Error("a schema_hash is not the hash of its schema");
  } catch (error) {
    if (error instanceof StateFileError) throw error;
    // Messages of SQLite may contain line breaks.
    throw new StateFileError(`it is damaged: ${(error as Error).message.replaceAll(/\s+/g, " ")}`);
  } finally {
    database.close();
  }
}

let ownDefinitions: readonly string[] | undefined;

/** A table or an index of the SQL interface, without any expression. */
const sqlDefinition =
  /^\["\w+","\w+","\w+","CREATE (?:TABLE \w+ \((?:\w+ [A-Z]+(?: NOT NULL)?, )+PRIMARY KEY \([\w, ]+\)\) WITHOUT ROWID|(?:UNIQUE )?INDEX \w+ ON \w+ \([\w, ]+\))"\]$/;

/**
 * Compares the definitions with those that this version writes, because triggers and indexes of expressions run when a file
 * is read. The definitions of the SQL interface must follow from its catalog.
 */
function checkDefinitions(sqlite: SqlJsStatic, database: Database): void {
  const own = (ownDefinitions ??= readOwnDefinitions(sqlite));
  const given = selectDefinitions(database);
  const others = given.filter((definition) => !own.includes(definition));
  const isValid =
    isDeepStrictEqual(
      given.filter((definition) => own.includes(definition)),
      own,
    ) &&
    others.every((definition) => sqlDefinition.test(definition)) &&
    isDeepStrictEqual(others, listCatalogDefinitions(database));
  if (!isValid)
    throw new StateFileError(
      `it has tables or indexes that this version of the emulator does not write; ${writerVersionAdvice}`,
    );
}

/** Reads the definitions of an empty state. */
function readOwnDefinitions(sqlite: SqlJsStatic): readonly string[] {
  const database = new sqlite.Database();
  try {
    database.run(tablesSql);
    return selectDefinitions(database);
  } finally {
    database.close();
  }
}

/** Reads the definitions of all tables and indexes, in alphabetical order. */
function selectDefinitions(database: Database): string[] {
  const entries = selectRows(database, "SELECT type, name, tbl_name, sql FROM sqlite_schema");
  return entries.map((entry) => JSON.stringify(entry)).sort();
}

/** Builds the definitions that follow from the catalog of the SQL interface, in alphabetical order. */
function listCatalogDefinitions(database: Database): string[] {
  const tables = selectRows(database, "SELECT table_id, definition FROM sql_tables").map(
    ([id, definition]) => {
      const record = JSON.parse(String(definition)) as TableRecord;
      if (record.columns.length > maxColumns) throw new Error("an SQL table has too many columns");
      const name = getTableSqlName(Number(id));
      return ["table", name, name, buildTableSql(Number(id), record)];
    },
  );
  const indexes = selectRows(
    database,
    "SELECT index_id, name, column_ids, is_unique, table_id FROM sql_indexes",
  ).map((row) => {
    const index = toIndexRecord(row);
    const table = { sqlName: getTableSqlName(Number(row[4])) };
    return ["index", getIndexSqlName(index.id), table.sqlName, buildIndexSql(index, table)];
  });
  return [...tables, ...indexes].map((definition) => JSON.stringify(definition)).sort();
}

function selectRows(database: Database, sql: string): readonly SqlValue[][] {
  return database.exec(sql)[0]?.values ?? [];
}
