import type { SqlValue } from "sql.js";
import { loadSqlite } from "../../sqlite/sqlite.js";
import { quoteName } from "../../sqlite/quote-name.js";

/** What differs between two states in one table. */
export interface TableDifference {
  readonly table: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly addedCount: number;
  readonly removedCount: number;
}

/** How many rows of each kind are shown; all of them are counted. */
const maxShown = 50;

/**
 * Compares two states by their rows, whatever order they are stored in: a row that changed is one removed and one added.
 *
 * @param before a state as a SQLite file, and `after` another
 */
export async function compareStates(
  before: Uint8Array,
  after: Uint8Array,
): Promise<readonly TableDifference[]> {
  const sqlite = await loadSqlite();
  const [one, other] = [new sqlite.Database(before), new sqlite.Database(after)];
  try {
    // SQLite compares rows where they are: taking all of them out would take ten times as long
    one.run("ATTACH ? AS other", [filenameOf(other)]);
    const [tablesBefore, tablesAfter] = [tablesOf(one, "main"), tablesOf(one, "other")];
    const tables = [...new Set([...tablesBefore.keys(), ...tablesAfter.keys()])].sort();
    return tables.flatMap((table) => {
      const isSame = tablesBefore.get(table) === tablesAfter.get(table);
      const removed = tablesBefore.has(table)
        ? rowsOf(one, "main", table, isSame ? "other" : undefined)
        : none;
      const added = tablesAfter.has(table) ? rowsOf(one, "other", table, isSame ? "main" : undefined) : none;
      if (added.count === 0 && removed.count === 0) return [];
      return [
        {
          table,
          added: added.shown,
          removed: removed.shown,
          addedCount: added.count,
          removedCount: removed.count,
        },
      ];
    });
  } finally {
    one.close();
    other.close();
  }
}

type Database = InstanceType<Awaited<ReturnType<typeof loadSqlite>>["Database"]>;

/** The name of the file that the bytes of a database are in, which the types of sql.js leave out. */
function filenameOf(database: Database): string {
  return (database as unknown as { readonly filename: string }).filename;
}

/** The tables of a schema with their definitions. */
function tablesOf(database: Database, schema: Schema): ReadonlyMap<string, string> {
  const [result] = database.exec(
    `SELECT name, sql FROM ${schema}.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
  );
  return new Map((result?.values ?? []).map(([name, sql]) => [String(name), String(sql)]));
}

type Schema = "main" | "other";

/** Some rows of a table, the first of them as they are shown. */
interface Rows {
  readonly shown: readonly string[];
  readonly count: number;
}

const none: Rows = { shown: [], count: 0 };

/** The rows of a table that the one of another schema does not have, or all of them. */
function rowsOf(database: Database, schema: Schema, table: string, without: Schema | undefined): Rows {
  const name = quoteName(table);
  const except = without === undefined ? "" : ` EXCEPT SELECT * FROM ${without}.${name}`;
  const statement = database.prepare(`SELECT * FROM ${schema}.${name}${except}`);
  try {
    const columns = statement.getColumnNames();
    const shown: string[] = [];
    let count = 0;
    while (statement.step()) {
      count += 1;
      if (count <= maxShown) shown.push(shownRow(columns, statement.get()));
    }
    return { shown, count };
  } finally {
    statement.free();
  }
}

function shownRow(columns: readonly string[], cells: readonly SqlValue[]): string {
  return cells
    .map((cell, index) => {
      const text = cell instanceof Uint8Array ? `${cell.length} bytes` : String(cell);
      return `${columns[index] ?? ""}=${text}`;
    })
    .join("  ");
}
