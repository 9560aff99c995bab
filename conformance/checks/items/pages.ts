import fc from "fast-check";
import type { CheckContext } from "../../check/context.js";
import { compareUtf8 } from "../../models/sort-key.js";
import { compareItemKeys, type ItemKey } from "../../models/item-key.js";
import {
  assertDefaultPageSize,
  assertLastPageNotEmpty,
  findLongLimits,
  longListLength,
} from "../../steps/pages.js";
import { acceptsFieldFilters, assertScannedCounts } from "./filters.js";
import {
  assertFoundItems,
  defineItemChecks,
  getItems,
  ItemClient,
  type ItemPage,
} from "../../steps/items/item-client.js";

/** Creates sort keys with numbers of one, two and three digits. */
function createNumericKeys(count: number): readonly string[] {
  return Array.from({ length: count }, (_, n) => String(n * 7));
}

const matching = { unexpected: "ITEM-32", missing: "ITEM-32" } as const;
const pageLimit = fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined });

/** Checks of pages, cursors, limits, filters and scans (part 4.2 rules 5 and 6, part 8). */
export const pageChecks = defineItemChecks(
  {
    id: "items/pages",
    title: "The pages of a query contain every item exactly once, and none is larger than the limit",
    clauses: ["GEN-03", "GEN-04", "GEN-07", "ITEM-22", "ITEM-28", "ITEM-29", "ITEM-30", "ITEM-31", "ITEM-39"],
    run: async (items, context: CheckContext) => {
      const partitionKey = items.partition();
      const more = createNumericKeys(longListLength).map((sk) => ({ pk: partitionKey, sk, data: {} }));
      await items.load(more);
      await assertDefaultPageSize(context, "GEN-07", async () =>
        getPageSizes(await items.pages("queryItems", { partitionKey })),
      );
      await assertLongList(items, "queryItems", { partitionKey }, more);
      const large = createLargeItems(items);
      await items.load(large);
      await assertLongList(items, "queryItems", { partitionKey: large[0]?.pk }, large);
      await context.property(
        {
          count: fc.integer({ min: 0, max: 45 }),
          limit: pageLimit,
          scanForward: fc.boolean(),
          from: fc.option(fc.integer({ min: 0, max: 40 })),
        },
        async ({ count, limit, scanForward, from }) => {
          const pk = items.partition();
          const all = createNumericKeys(count).map((sk, n) => ({ pk, sk, data: { n } }));
          await items.load(all);
          const sortKeyCondition = from === null ? undefined : `>=:${from * 7}`;
          const selected = all.filter(({ sk }) => from === null || compareUtf8(sk, String(from * 7)) >= 0);
          const request = { partitionKey: pk, sortKeyCondition, scanForward, limit };
          const pages = await items.pages("queryItems", request);
          assertScannedCounts(context, pages, count);
          const found = pages.flatMap((page) => page.items);
          const clauses = { unexpected: "ITEM-22", missing: "GEN-04" } as const;
          assertFoundItems(context, clauses, found, selected, "the selected items");
          assertLastPageNotEmpty(context, "GEN-03", getPageSizes(pages), "nextCursor");
          const sks = found.map(({ sk }) => sk ?? "");
          const sorted = sks.toSorted((a, b) => compareUtf8(a, b) * (scanForward ? 1 : -1));
          const what = "each page continues after the last item of the previous page";
          context.assertEqual("ITEM-30", sks, sorted, what);
        },
        {
          examples: [
            { count: 45, limit: undefined, scanForward: true, from: null },
            { count: 21, limit: 20, scanForward: true, from: null },
            { count: 20, limit: 20, scanForward: false, from: null },
            { count: 12, limit: 1, scanForward: false, from: null },
            { count: 0, limit: 5, scanForward: true, from: null },
          ],
        },
      );
    },
  },
  {
    id: "items/scan",
    title: "Scan returns every item in its database exactly once, and no items from other databases",
    clauses: ["ITEM-33", "GEN-04", "ITEM-30", "ITEM-31", "GEN-07"],
    after: ["items/pages", "items/filters"],
    // Items that other checks write could shift the pages of a scan.
    alone: true,
    run: async (shared, context: CheckContext) => {
      const { resources } = context;
      const canFilter = await acceptsFieldFilters(shared);
      const isOwn = context.offers("create-databases");
      const { databaseId } = isOwn ? await resources.createDatabase() : shared;
      const items = new ItemClient(context, databaseId, true);
      const prefix = items.partition();
      const more = createNumericKeys(longListLength).map((sk) => ({ pk: prefix, sk, data: {} }));
      await items.load(more);
      await assertDefaultPageSize(context, "GEN-07", async () =>
        getPageSizes(await items.pages("scanItems", {})),
      );
      await assertLongList(items, "scanItems", {}, more);
      const large = createLargeItems(items);
      await items.load(large);
      await assertLongList(items, "scanItems", {}, large);
      await items.deleteWrittenItems();
      await context.property(
        {
          count: fc.integer({ min: 0, max: 30 }),
          limit: pageLimit,
          partitions: fc.integer({ min: 1, max: 15 }),
        },
        async ({ count, limit, partitions }) => {
          const pk = items.partition();
          // The first item in each partition has no sort key.
          const all = Array.from({ length: count }, (_, n) => ({
            pk: `${pk}${n % partitions}`,
            sk: n < partitions ? null : `s${n}`,
            data: { n, owner: n % 2 === 0 ? pk : "another" },
          }));
          await items.load(all);
          // The same key in another database identifies a different item.
          if (isOwn) await assertSeparate(items, shared, { pk, sk: "elsewhere" });
          const scan = async () => {
            const pages = await items.pages("scanItems", { limit });
            if (isOwn) items.assertCounts(pages);
            // An input that was interrupted may have left its items.
            return pages.flatMap((page) => page.items).filter((item) => item.pk.startsWith(pk));
          };
          const found = (await scan()).map(({ pk, sk, data }) => ({ pk, sk, data }));
          context.assertEqual(
            "ITEM-33",
            found.sort(compareItemKeys),
            all.toSorted(compareItemKeys),
            "the database's items",
          );
          context.assert("GEN-04", found.length === all.length, "every item exactly once", found.length);
          if (canFilter) {
            const filterExpression = { owner: pk };
            const filtered = await items.list("scanItems", { filterExpression, limit });
            const matches = all.filter(({ data }) => data.owner === pk);
            const what = `the items that match ${JSON.stringify(filterExpression)}`;
            assertFoundItems(context, matching, filtered, matches, what);
          }
          // Deletes some items individually and the others in a batch.
          for (const key of all.slice(0, 3)) await items.remove(key);
          await items.deleteWrittenItems();
          context.assertEqual("ITEM-33", await scan(), [], "no deleted item in a scan");
        },
        {
          share: 0.5,
          examples: [
            { count: 30, limit: undefined, partitions: 15 },
            { count: 21, limit: 20, partitions: 3 },
            { count: 12, limit: 5, partitions: 1 },
          ],
        },
      );
      if (isOwn) await resources.remove("database", databaseId);
    },
  },
);

/** Creates items of one partition that together have more than a megabyte. */
function createLargeItems(items: ItemClient) {
  const pk = items.partition();
  return ["1", "2", "3", "4", "5"].map((sk) => ({ pk, sk, data: { text: "x".repeat(250_000) } }));
}

/** Puts an item in another database, and asserts that no operation on the first database reads or deletes this item. */
async function assertSeparate(items: ItemClient, other: ItemClient, key: ItemKey): Promise<void> {
  const data = { elsewhere: true };
  await other.load([{ ...key, data }]);
  await items.expect("ITEM-33", key, undefined);
  const [transacted] = (await items.transactGet([key])).body?.items ?? [];
  const found = [
    ...(await items.readPartition(key.pk)),
    ...getItems(await items.batchGetAll([key])),
    ...(transacted?.itemExists === true ? [key] : []),
  ];
  const strays = found.filter(({ sk }) => sk === key.sk);
  items.context.assertEqual(
    "ITEM-33",
    strays,
    [],
    "items of another database in a query, batch or transact get",
  );
  await items.remove(key, { intent: "invalid" });
  await other.expect("ITEM-33", key, data);
}

/** Asserts that a list contains all items with any limit, even if it is longer than a deployment may read at once. */
async function assertLongList(
  items: ItemClient,
  operation: "queryItems" | "scanItems",
  request: object,
  wanted: readonly ItemKey[],
): Promise<void> {
  const { context, databaseId } = items;
  const limits = await findLongLimits((limit, call) =>
    context.call(operation, { path: { databaseId }, body: { ...request, limit }, ...call }),
  );
  const missing = operation === "queryItems" ? "GEN-04" : "ITEM-33";
  for (const limit of limits) {
    const listed = await items.list(operation, { ...request, limit });
    const found = listed.filter((item) => item.pk === wanted[0]?.pk);
    assertFoundItems(context, { unexpected: "ITEM-22", missing }, found, wanted, "the items loaded");
  }
}

const getPageSizes = (pages: readonly ItemPage[]): readonly number[] =>
  pages.map(({ items }) => items.length);
