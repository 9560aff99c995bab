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

/** What the rows of `meta` begin with that hold passwords. */
export const passwordRowPrefix = "password/";

/**
 * Passwords as they were given, beside their hashes: they protect nothing, and whoever opens a world again wants to
 * know how to log in. Nothing but the lists of credentials and exports reads them.
 */
export function preparePasswordStatements(meta: ReturnType<typeof prepareMetaStatements>) {
  return {
    of: (userId: string) => meta.read(passwordRowPrefix + userId)?.toString(),
    write: (userId: string, password: string) => meta.write(passwordRowPrefix + userId, password),
    remove: (userId: string) => meta.remove(passwordRowPrefix + userId),
  };
}
