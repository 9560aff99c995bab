import type { metaStatements } from "./meta.js";

/** What the rows of `meta` begin with that hold passwords. */
export const passwordRow = "password/";

/**
 * Passwords as they were given, beside their hashes: they protect nothing, and whoever opens a world again wants to
 * know how to log in. Nothing but the lists of credentials and exports reads them.
 */
export function passwordsIn(meta: ReturnType<typeof metaStatements>) {
  return {
    of: (userId: string) => meta.read(passwordRow + userId)?.toString(),
    write: (userId: string, password: string) => meta.write(passwordRow + userId, password),
    remove: (userId: string) => meta.remove(passwordRow + userId),
  };
}
