import type { PreparedStatements } from "../sqlite/statement.js";

/** Single values in the state of a namespace, such as the clock and the health. */
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

/** The names of the rows of `meta` that contain passwords begin with this. */
const passwordRowPrefix = "password/";

/**
 * Stores passwords as plain text, because they protect nothing, and a user needs them to log in after loading a state. Only
 * lists of credentials and exports read them.
 */
export function preparePasswordStatements(meta: ReturnType<typeof prepareMetaStatements>) {
  return {
    of: (userId: string) => meta.read(passwordRowPrefix + userId)?.toString(),
    write: (userId: string, password: string) => meta.write(passwordRowPrefix + userId, password),
    remove: (userId: string) => meta.remove(passwordRowPrefix + userId),
  };
}
