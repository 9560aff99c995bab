import { isUtf8 } from "node:buffer";
import type { Database, SqlValue } from "sql.js";
import { StateFileError } from "./state-file-error.js";
import { serviceTables, getTableRules } from "./table-rules.js";

/** Checks every value in the emulator's own tables against the rules of its column. @throws StateFileError */
export function checkColumns(database: Database): void {
  for (const table of serviceTables) {
    const { key, columns, texts } = getTableRules(database, table);
    const cases = Object.entries(columns).map(
      ([column, condition]) =>
        `WHEN (${condition}) IS NOT TRUE THEN '${column} of ' || ${quoteColumn(column)}`,
    );
    const [invalid, ...values] = selectFirstRow(
      database,
      `SELECT CASE ${cases.join(" ")} END AS invalid, ${key.map(quoteColumn).join(", ")} FROM ${table} WHERE invalid IS NOT NULL`,
    );
    if (invalid !== undefined)
      throw createRowError(table, `has a ${String(invalid)}, which is not a valid value`, key, values);
    checkEncoding(database, table, key, texts);
  }
}

/** Checks that texts are UTF-8, because SQLite does not. Texts of ASCII are skipped. @throws StateFileError */
export function checkEncoding(
  database: Database,
  table: string,
  key: readonly string[],
  columns: readonly string[],
): void {
  for (const column of columns) {
    const found = readRows(
      database,
      `SELECT CAST(${column} AS BLOB), ${key.map(quoteColumn).join(", ")} FROM ${table} ` +
        `WHERE ${column} GLOB '*[^' || char(1) || '-' || char(127) || ']*' OR instr(CAST(${column} AS BLOB), x'00') > 0`,
    );
    for (const [bytes, ...values] of found)
      if (!(bytes instanceof Uint8Array) || !isUtf8(bytes))
        throw createRowError(table, `has a ${column} that is not UTF-8`, key, values);
  }
}

/** Reads rows one by one, because there may be too many for memory. */
export function* readRows(database: Database, sql: string): Generator<SqlValue[], void, undefined> {
  const statement = database.prepare(sql);
  try {
    while (statement.step()) yield statement.get();
  } finally {
    statement.free();
  }
}

/** Returns the first row of a query; empty if there is none. */
export function selectFirstRow(database: Database, sql: string): readonly SqlValue[] {
  return database.exec(`${sql} LIMIT 1`)[0]?.values[0] ?? [];
}

/** Creates the error for an invalid row. @param mistake continues a sentence about the row */
export function createRowError(
  table: string,
  mistake: string,
  key: readonly string[],
  values: readonly SqlValue[],
): StateFileError {
  const row = key.map((column, index) => `${column} ${String(values[index])}`).join(", ");
  return new StateFileError(`it is damaged: a row in the table ${table} ${mistake}: ${row}`);
}

/** Returns SQL that formats a value for a message: an SQL literal, truncated if it is long. */
export function quoteColumn(column: string): string {
  return `substr(quote(${column}), 1, 80)`;
}
