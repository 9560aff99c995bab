import type { Database, SqlValue } from "sql.js";
import { StateFileError } from "./state-file-error.js";
import { isUtf8 } from "node:buffer";
import { ownTables, rulesOfTable, type TableRules } from "./table-rules.js";

/** Looks whether every row of the emulator's own tables is what its rules say. @throws StateFileError */
export function checkColumns(database: Database): void {
  for (const table of ownTables) {
    const rules = rulesOfTable(database, table);
    checkValues(database, table, rules);
    const texts = Object.entries(rules.columns).filter(([, { isText }]) => isText);
    checkEncoding(
      database,
      table,
      rules.key,
      texts.map(([column]) => column),
    );
  }
}

function checkValues(database: Database, table: string, { key, columns, rows }: TableRules): void {
  const faults = [
    ...Object.entries(columns).map(([column, { holds, what }]) => ({
      holds: holds(column),
      fault: `has ${article(column)} ${column} that is not ${what}`,
    })),
    ...rows,
  ];
  const cases = faults.map(({ holds }, index) => `WHEN (${holds}) IS NOT TRUE THEN ${index}`).join(" ");
  const [found] = database.exec(
    `SELECT CASE ${cases} END AS wrong, ${key.map(quoted).join(", ")} FROM ${table} WHERE wrong IS NOT NULL LIMIT 1`,
  );
  const [wrong, ...values] = found?.values[0] ?? [];
  if (wrong !== undefined) throw wrongRow(table, faults[Number(wrong)]?.fault ?? "", key, values);
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
    const found = database.prepare(
      `SELECT CAST(${column} AS BLOB), ${key.map(quoted).join(", ")} FROM ${table} ` +
        `WHERE ${column} GLOB '*[^' || char(1) || '-' || char(127) || ']*' OR instr(CAST(${column} AS BLOB), x'00') > 0`,
    );
    try {
      while (found.step()) {
        const [bytes, ...values] = found.get();
        if (!(bytes instanceof Uint8Array) || !isUtf8(bytes))
          throw wrongRow(table, `has ${article(column)} ${column} that is not UTF-8`, key, values);
      }
    } finally {
      found.free();
    }
  }
}

/** Says which row it is and what is wrong with it. */
export function wrongRow(
  table: string,
  fault: string,
  key: readonly string[],
  values: readonly SqlValue[],
): StateFileError {
  const place = key.map((column, index) => `${column} ${String(values[index])}`).join(", ");
  return new StateFileError(`it is damaged: a row of ${table} ${fault}: ${place}`);
}

/** A key as a message shows it: a literal of SQL, cut off where it is long. */
export function quoted(column: string): string {
  return `substr(quote(${column}), 1, 80)`;
}

function article(column: string): string {
  return /^[aeiou]/.test(column) ? "an" : "a";
}
