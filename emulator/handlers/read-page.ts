import { limits } from "../../openapi/clauses/limits.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { decodeCursor, encodeCursor } from "../domain/cursor.js";
import type { HandlerContext, OperationRequest } from "./handler.js";
import type { Page } from "../sqlite/statement.js";

/**
 * The maximum number of entries of a page. If the profile rejects limits above its maximum (gap `page-limit-over`),
 * validation has already rejected them.
 */
export function getPageSize(limit: number | string | undefined, profile: Profile): number {
  return Math.min(Number(limit ?? limits.defaultPageSize), profile["page-limit-max"]);
}

/**
 * Reads a page of the list of databases or of repositories, oldest first.
 *
 * @param list identifies the list
 * @param read reads up to `limit` rows after the one with the number `after`
 */
export function readPage<Row extends { readonly ref: number }>(
  list: string,
  { cursor, limit }: OperationRequest<"listDatabases">["query"],
  { profile }: HandlerContext,
  read: (after: number, limit: number) => Page<Row>,
): { readonly rows: readonly Row[]; readonly nextCursor: string | null } {
  const [after = 0] = decodeCursor(list, { cursor, place: "query" }, ["number"]) ?? [];
  const { rows, hasMore } = read(after, getPageSize(limit, profile));
  const last = rows.at(-1);
  return { rows, nextCursor: hasMore && last !== undefined ? encodeCursor(list, [last.ref]) : null };
}
