import type { PreparedStatements } from "../sqlite/statement.js";

/** Single values that belong to the state of a namespace: clock, counters, health. */
export function prepareMetaStatements(statements: PreparedStatements) {
  const read = statements.query<[string], string | number>(
    "SELECT value FROM meta WHERE name = ?",
    (row) => row[0] as string | number,
  );
  const write = statements.command<[string, string | number]>(
    "INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)",
  );
  const remove = statements.command<[string]>("DELETE FROM meta WHERE name = ?");
  return {
    read: (name: string) => read.first(name),
    write: (name: string, value: string | number) => write.run(name, value),
    remove: (name: string) => remove.run(name),
  };
}
