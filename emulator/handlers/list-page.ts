import { readPosition, writePosition } from "../domain/cursor.js";
import { beginningOf, type Listed, type ListPlace, positionOf, shapeOf } from "../domain/list-order.js";
import type { Context } from "./handler.js";

/** Which page of a list is asked for. */
interface Asked {
  /** What tells the list from all others. */
  readonly list: string;
  readonly cursor: string | undefined;
  readonly limit: number;
}

/**
 * A page of the list of databases or of repositories, in the order of the gap `list-order`.
 *
 * @param read what comes after a place, up to a number of entries
 */
export function listPage<Row extends Listed>(
  { list, cursor, limit }: Asked,
  read: (place: ListPlace, limit: number) => readonly Row[],
  { profile }: Context,
): { readonly page: readonly Row[]; readonly nextCursor: string | null } {
  const order = profile["list-order"];
  const scope = { list: `${list}/${order}` };
  const given = readPosition(scope, { cursor, place: "query", rules: profile }, shapeOf(order));
  const place = given === undefined ? beginningOf(order) : { order, after: given.position };
  const rows = read(place, limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const isMore = rows.length > limit && last !== undefined;
  return { page, nextCursor: isMore ? writePosition(scope, positionOf(last, order)) : null };
}
