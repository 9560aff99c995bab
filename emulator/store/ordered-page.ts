import type { ListOrder } from "../domain/list-order.js";
import { upTo } from "../sqlite/markers.js";

/** The end of a SELECT of one page of a list: what comes after a place, as the order has it, up to a limit. */
export const orderedPage: Readonly<Record<ListOrder, string>> = {
  "oldest-first": `AND ref > ? ORDER BY ref ${upTo}`,
  "newest-first": `AND ref < ? ORDER BY ref DESC ${upTo}`,
  "by-name": `AND (name, ref) > (?, ?) ORDER BY name, ref ${upTo}`,
};

/** One of a kind for each order of a list. */
export function forEachOrder<Kind>(make: (order: ListOrder) => Kind): Readonly<Record<ListOrder, Kind>> {
  return {
    "oldest-first": make("oldest-first"),
    "newest-first": make("newest-first"),
    "by-name": make("by-name"),
  };
}
