import type { SqlValue } from "sql.js";
import { loadSqlite } from "../sqlite/sqlite.js";

/** What differs between two states in one table. */
export interface TableDifference {
  readonly table: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly addedCount: number;
  readonly removedCount: number;
}

interface Row {
  readonly columns: readonly string[];
  readonly cells: readonly SqlValue[];
}

/** How many rows of each kind are shown; all of them are counted. */
const mostShown = 50;

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
    const [tablesBefore, tablesAfter] = [tablesOf(one), tablesOf(other)];
    const tables = [...new Set([...tablesBefore, ...tablesAfter])].sort();
    return tables.flatMap((table) => {
      const removed = tablesBefore.includes(table) ? rowsOf(one, table) : new Map<string, Row>();
      const added: Row[] = [];
      if (tablesAfter.includes(table))
        for (const [key, row] of rowsOf(other, table)) if (!removed.delete(key)) added.push(row);
      if (added.length === 0 && removed.size === 0) return [];
      return [
        {
          table,
          added: shown(added),
          removed: shown([...removed.values()]),
          addedCount: added.length,
          removedCount: removed.size,
        },
      ];
    });
  } finally {
    one.close();
    other.close();
  }
}

type Database = InstanceType<Awaited<ReturnType<typeof loadSqlite>>["Database"]>;

function tablesOf(database: Database): string[] {
  const [result] = database.exec(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
  );
  return (result?.values ?? []).map(([name]) => String(name));
}

/** The rows of a table with the names of their columns, by all that is in them. */
function rowsOf(database: Database, table: string): Map<string, Row> {
  const [result] = database.exec(`SELECT * FROM "${table.replaceAll('"', '""')}"`);
  if (result === undefined) return new Map();
  const { columns, values } = result;
  return new Map(values.map((cells) => [keyOf(cells), { columns, cells }]));
}

/** What no two rows that differ have in common. Texts go with their length, so that none can look like two. */
function keyOf(cells: readonly SqlValue[]): string {
  let key = "";
  for (const cell of cells)
    if (cell instanceof Uint8Array)
      key += `${cell.length}:${Buffer.from(cell.buffer, cell.byteOffset, cell.length).toString("latin1")},`;
    else key += typeof cell === "string" ? `${cell.length}"${cell},` : `${String(cell)},`;
  return key;
}

function shown(rows: readonly Row[]): string[] {
  return rows.slice(0, mostShown).map(({ columns, cells }) =>
    cells
      .map((cell, index) => {
        const text = cell instanceof Uint8Array ? `${cell.length} bytes` : String(cell);
        return `${columns[index] ?? ""}=${text}`;
      })
      .join("  "),
  );
}
