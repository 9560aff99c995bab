import type { CheckContext } from "../../check/context.js";
import { readAllPages } from "../../client/read-all-pages.js";
import type { FoundItem, ItemClient, ItemPage } from "../../steps/items/item-client.js";

/**
 * Whether `filterExpression` may be an object of fields and values; the specification does not show its form. If the target
 * does not name the form, tries a filter on two items, one of which matches.
 */
export async function acceptsFieldFilters(items: ItemClient): Promise<boolean> {
  // All known answers to this gap accept this form.
  if (items.context.knownAnswers("item-filter-grammar") !== undefined) return true;
  const pk = items.partition();
  await items.load(["open", "done"].map((state, n) => ({ pk, sk: String(n), data: { state } })));
  const request = { partitionKey: pk, filterExpression: { state: "open" } };
  const ask = (cursor: string | undefined) => items.query({ ...request, cursor }, { setUp: true });
  const found = await readAllPages<FoundItem>("items", ask, () => []);
  await items.deleteWrittenItems();
  return found.length === 1 && found[0]?.sk === "0";
}

/** Asserts that no page has scanned more items than the partition contains; each page may read one item ahead. */
export function assertScannedCounts(
  context: CheckContext,
  pages: readonly ItemPage[],
  partitionSize: number,
): void {
  const most = Math.max(...pages.map(({ scannedCount }) => scannedCount));
  const what = `a scannedCount of at most ${partitionSize}, the number of items in the partition`;
  context.assert("ITEM-39", most <= partitionSize + pages.length, what, most);
}
