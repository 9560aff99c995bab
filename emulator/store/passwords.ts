import type { prepareMetaStatements } from "./meta.js";

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
