import { readAllPages } from "../../client/read-all-pages.js";
import type { FoundItem, ItemClient } from "../../steps/items/item-calls.js";

/** Builds a filter that matches items whose attribute has the given value. */
export type FilterBuilder = (attribute: string, value: unknown) => Readonly<Record<string, unknown>>;

/**
 * Finds the form of filters, because the specification does not show the form of `filterExpression`. If the target does
 * not name the form, tries field → value on two items, one of which must match.
 *
 * @returns undefined if filters have another form
 */
export async function findFilterBuilder(items: ItemClient): Promise<FilterBuilder | undefined> {
  const make: FilterBuilder = (attribute, value) => ({ [attribute]: value });
  // every known answer has this form
  if (items.context.known("item-filter-grammar") !== undefined) return make;
  const pk = items.partition();
  await items.load(["open", "done"].map((state, n) => ({ pk, sk: String(n), data: { state } })));
  const request = { partitionKey: pk, filterExpression: make("state", "open") };
  const ask = (cursor: string | undefined) => items.query({ ...request, cursor }, { setUp: true });
  const found = await readAllPages<FoundItem>("items", ask, () => []);
  await items.tidy();
  return found.length === 1 && found[0]?.sk === "0" ? make : undefined;
}
