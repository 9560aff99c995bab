import type { Profile } from "../../openapi/gaps/profile.js";
import type { ItemRow } from "../store/items.js";
import { type Condition, holds } from "./conditions.js";

/**
 * What `count` of a page says (gap `page-count`).
 *
 * @param page `isWhole` where neither a page stands before it nor another behind it
 * @param all every candidate of the query or scan from its beginning; asked for only where the page does not tell
 */
export function countOfPage(
  page: { readonly items: readonly ItemRow[]; readonly isWhole: boolean },
  filter: Condition | undefined,
  all: () => Iterable<ItemRow>,
  profile: Profile,
): number {
  if (profile["page-count"] === "page" || page.isWhole) return page.items.length;
  let matching = 0;
  for (const candidate of all()) if (filter === undefined || holds(filter, candidate)) matching += 1;
  return matching;
}
