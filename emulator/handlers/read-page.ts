import { limits } from "../../openapi/clauses/limits.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { assertPageAdvances, decodeCursor, encodeCursor } from "../domain/cursor.js";
import type { HandlerContext, OperationRequest } from "./handler.js";
import { maxPageBytes } from "../sqlite/statement.js";

/**
 * The number of entries of a page. A limit above the profile's largest gets this far only where it is clamped
 * (gap `page-limit-over`); otherwise validation has refused it.
 */
export function getPageSize(limit: number | string | undefined, profile: Profile): number {
  return Math.min(Number(limit ?? limits.defaultPageSize), profile["page-limit-max"]);
}

/**
 * A page of the list of databases or of repositories, the oldest first.
 *
 * @param list tells it from all other lists
 * @param read what comes after the number of an entry, up to a number of entries
 * @param sizeOf what an entry counts in {@link maxPageBytes}
 */
export function readPage<Row extends { readonly ref: number }>(
  list: string,
  { cursor, limit: given }: OperationRequest<"listDatabases">["query"],
  { profile }: HandlerContext,
  read: (after: number, limit: number) => readonly Row[],
  sizeOf: (row: Row) => number,
): { readonly page: readonly Row[]; readonly nextCursor: string | null } {
  const limit = getPageSize(given, profile);
  const [after = 0] = (decodeCursor(list, { cursor, place: "query" }, ["number"]) ?? []) as [number?];
  const rows = read(after, limit + 1);
  const page = takePage(rows, limit, sizeOf);
  const last = page.at(-1);
  if (page.length === rows.length || last === undefined) return { page, nextCursor: null };
  assertPageAdvances(last.ref - after);
  return { page, nextCursor: encodeCursor(list, [last.ref]) };
}

/** The rows of a page: as many as its limit, and none after the one with which they have {@link maxPageBytes}. */
export function takePage<Row>(
  rows: Iterable<Row>,
  limit: number,
  sizeOf: (row: Row) => number,
): readonly Row[] {
  const page: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (page.length === limit || bytes > maxPageBytes) break;
    page.push(row);
    bytes += sizeOf(row);
  }
  return page;
}
