import { isUtf8 } from "node:buffer";
import type { Database, SqlValue } from "sql.js";
import { StateFileError } from "./state-file-error.js";
import { serviceTables, getTableRules } from "./table-rules.js";

/** Checks every value in the emulator's own tables against the rules of its column. @throws StateFileError */
export function checkColumns(database: Database): void {
  for (const table of serviceTables) {
    const { key, columns, texts } = getTableRules(database, table);
    const cases = Object.entries(columns).map(
      ([column, holds]) => `WHEN (${holds}) IS NOT TRUE THEN '${column} of ' || ${quoteColumn(column)}`,
    );
    const [wrong, ...values] = selectFirstRow(
      database,
      `SELECT CASE ${cases.join(" ")} END AS wrong, ${key.map(quoteColumn).join(", ")} FROM ${table} WHERE wrong IS NOT NULL`,
    );
    if (wrong !== undefined)
      throw createRowError(table, `has a ${String(wrong)}, which is not a valid value`, key, values);
    checkEncoding(database, table, key, texts);
  }
}

/**
 * Looks whether texts are UTF-8, which SQLite does not ask: it hands on what is there. Texts of ASCII need no look.
 *
 * @throws StateFileError
 */
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

/** Reads the rows of a query one by one, because there may be too many for memory. */
export function* readRows(database: Database, sql: string): Generator<SqlValue[], void, undefined> {
  const statement = database.prepare(sql);
  try {
    while (statement.step()) yield statement.get();
  } finally {
    statement.free();
  }
}

/** The first row of a query; empty for none. */
export function selectFirstRow(database: Database, sql: string): readonly SqlValue[] {
  return database.exec(`${sql} LIMIT 1`)[0]?.values[0] ?? [];
}

/** Describes a row and what is wrong with it. */
export function createRowError(
  table: string,
  fault: string,
  key: readonly string[],
  values: readonly SqlValue[],
): StateFileError {
  const place = key.map((column, index) => `${column} ${String(values[index])}`).join(", ");
  return new StateFileError(`it is damaged: a row in the table ${table} ${fault}: ${place}`);
}

/** Formats a value for a message: an SQL literal, truncated if it is long. */
export function quoteColumn(column: string): string {
  return `substr(quote(${column}), 1, 80)`;
}
