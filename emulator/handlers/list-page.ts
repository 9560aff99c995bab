import { assertPageAdvances, decodeCursor, encodeCursor } from "../domain/cursor.js";
import type { Context, OperationRequest } from "./handler.js";
import { getPageSize } from "./page-size.js";

/**
 * A page of the list of databases or of repositories, the oldest first.
 *
 * @param list tells it from all other lists
 * @param read what comes after the number of an entry, up to a number of entries
 */
export function listPage<Row extends { readonly ref: number }>(
  list: string,
  { cursor, limit: given }: OperationRequest<"listDatabases">["query"],
  { profile }: Context,
  read: (after: number, limit: number) => readonly Row[],
): { readonly page: readonly Row[]; readonly nextCursor: string | null } {
  const limit = getPageSize(given, profile);
  const [after = 0] = (decodeCursor(list, { cursor, place: "query" }, ["number"]) ?? []) as [number?];
  const rows = read(after, limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  if (rows.length <= limit || last === undefined) return { page, nextCursor: null };
  assertPageAdvances(last.ref - after);
  return { page, nextCursor: encodeCursor(list, [last.ref]) };
}
