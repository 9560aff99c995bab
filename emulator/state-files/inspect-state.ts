import type { SqlJsStatic } from "sql.js";
import { StateFileError } from "./state-file-error.js";
import { checkColumns } from "./check-columns.js";
import { checkIds } from "./check-ids.js";
import { checkJsonColumns } from "./check-json-columns.js";
import { checkMeta } from "./check-meta.js";
import { checkReferences } from "./check-references.js";
import { checkSchemaEntries } from "./check-schema-entries.js";
import { checkSqlTables } from "./check-sql-tables.js";

/**
 * Looks at all of a state, each part before anything relies on it: which tables it has, before SQLite opens it;
 * whether its pages hang together, before a row is read; types and words of all rows, and what depends on those.
 *
 * @throws StateFileError
 */
export function inspectState(sqlite: SqlJsStatic, state: Uint8Array): { readonly hasViews: boolean } {
  const { ofSqlInterface, hasViews } = checkSchemaEntries(sqlite, state);
  const database = new sqlite.Database(new Uint8Array(state.buffer, state.byteOffset, state.byteLength));
  try {
    database.run("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA locking_mode=EXCLUSIVE");
    const verdict = database.exec("PRAGMA integrity_check(1)")[0]?.values[0]?.[0];
    if (verdict !== "ok") throw new Error(String(verdict).replaceAll("\n", " "));
    checkColumns(database);
    checkReferences(database);
    checkJsonColumns(database);
    checkMeta(database);
    checkIds(database);
    checkSqlTables(database, ofSqlInterface);
    return { hasViews };
  } catch (error) {
    if (error instanceof StateFileError) throw error;
    throw new StateFileError(`it is damaged: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    database.close();
  }
}
