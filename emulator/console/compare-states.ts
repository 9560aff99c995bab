import { loadSqlite } from "../sqlite/sqlite.js";

/** What differs between two states in one table. */
export interface TableDifference {
  readonly table: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly addedCount: number;
  readonly removedCount: number;
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
    const tables = [...new Set([...tablesOf(one), ...tablesOf(other)])].sort();
    return tables.flatMap((table) => {
      const removed = rowsOf(one, table);
      const added = new Set<string>();
      for (const row of rowsOf(other, table)) if (!removed.delete(row)) added.add(row);
      if (added.size === 0 && removed.size === 0) return [];
      return [
        {
          table,
          added: [...added].slice(0, mostShown),
          removed: [...removed].slice(0, mostShown),
          addedCount: added.size,
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

/** The rows of a table as texts; none where there is no such table. */
function rowsOf(database: Database, table: string): Set<string> {
  if (!tablesOf(database).includes(table)) return new Set();
  const [result] = database.exec(`SELECT * FROM "${table.replaceAll('"', '""')}"`);
  if (result === undefined) return new Set();
  const { columns, values } = result;
  return new Set(
    values.map((row) =>
      row
        .map(
          (value, index) =>
            `${columns[index] ?? ""}=${value instanceof Uint8Array ? `${value.length} bytes` : String(value)}`,
        )
        .join("  "),
    ),
  );
}
