import fc from "fast-check";
import { type ClauseId, getClauseRange } from "../../../openapi/clauses/register.js";
import type { CheckContext } from "../../check/context.js";
import {
  keyText,
  getNeighboringTexts,
  sortKeysArbitrary,
  partitionSuffix,
  sortKey,
} from "../../generators/item-keys.js";
import { formatItemKey, type ItemKey } from "../../models/item-key.js";
import {
  compareUtf8,
  formatSortKeyCondition,
  findFirstUnsortedPair,
  mayHaveReversedBounds,
  matchesSortKey,
  type SortKeyCondition,
  type SortKeyOperator,
  sortKeyOperators,
} from "../../models/sort-key.js";
import { acceptsFieldFilters, assertScannedCounts } from "./filters.js";
import {
  assertFoundItems,
  defineItemChecks,
  type FoundItem,
  type ItemClient,
} from "../../steps/items/item-client.js";
import { KeyRestrictions } from "./key-restrictions.js";

const clauseOfForm: Readonly<Record<SortKeyOperator, ClauseId>> = {
  "=": "ITEM-18",
  "<": "ITEM-19",
  "<=": "ITEM-20",
  ">": "ITEM-21",
  ">=": "ITEM-22",
  begins_with: "ITEM-23",
  between: "ITEM-24",
};

/** Timestamps as sort keys. */
const timestampKeys = [
  "2024-01-01T00:00:00Z",
  "2024-01-15T12:30:00Z",
  "2024-02-01T00:00:00Z",
  "2024-02-01T00:00:01Z",
];

/** Checks of queries: one partition, sort-key conditions, order (part 4.2 rules 3, 4 and 6). */
export const queryChecks = defineItemChecks(
  {
    id: "items/query-partition",
    title: "A query without a condition returns all items in one partition and no other items",
    clauses: ["ITEM-16", "ITEM-17"],
    after: ["items/pages"],
    run: async (items, context: CheckContext) => {
      const keys = await KeyRestrictions.detect(items);
      await context.property(
        {
          partitionTexts: fc.uniqueArray(partitionSuffix, { minLength: 1, maxLength: 4 }),
          sortTexts: fc.uniqueArray(sortKey, { minLength: 1, maxLength: 4 }),
          prefix: fc.constantFrom("", "\ufeff", "\u200b", "\u00a0", "\u202e"),
        },
        async ({ partitionTexts, sortTexts, prefix }) => {
          const pk = keys.adapt(prefix) + items.partition();
          const suffixes = partitionTexts.map((text) => keys.adapt(text));
          const sks = sortTexts.map((text) => keys.adapt(text));
          const all = suffixes.flatMap((suffix) =>
            sks.map((sk) => ({ pk: pk + suffix, sk, data: { suffix } })),
          );
          await items.load(all);
          for (const suffix of suffixes) {
            const found = await items.list("queryItems", { partitionKey: pk + suffix });
            const clauses = { unexpected: "ITEM-16", missing: "ITEM-17" } as const;
            const own = all.filter((item) => item.pk === pk + suffix);
            assertFoundItems(context, clauses, found, own, `the items in partition ${pk + suffix}`);
            const wrong = found.filter(({ data }) => data.suffix !== suffix);
            context.assertEqual("ITEM-16", wrong, [], "items with data from another partition");
          }
          const found = await items.list("queryItems", { partitionKey: `${pk}-not` });
          context.assertEqual("ITEM-16", found, [], "items in an empty partition");
        },
        {
          share: 0.7,
          examples: [
            { partitionTexts: ["", "a", "A", "a "], sortTexts: [null, "s"], prefix: "" },
            { partitionTexts: ["", "a\ufeff"], sortTexts: ["s", "\ufeffs", "s\u200b"], prefix: "\ufeff" },
          ],
        },
      );
    },
  },
  {
    id: "items/sort-key-conditions",
    title:
      "Each form of sortKeyCondition selects exactly the sort keys that it describes, regardless of the other options",
    clauses: [...getClauseRange("ITEM-18", "ITEM-24"), "ITEM-26", "ITEM-27", "ITEM-30", "ITEM-31"],
    after: ["items/pages"],
    run: (items, context) => trySelections(items, context, false),
  },
  {
    id: "items/filters",
    title:
      "A query with a filterExpression returns, across all pages, exactly the selected items that match the filter",
    clauses: ["ITEM-32", "ITEM-39"],
    after: ["items/pages", "items/sort-key-conditions"],
    run: async (items, context: CheckContext) => {
      if (!(await acceptsFieldFilters(items)))
        context.notOffered(
          "a filterExpression of fields and values has no effect on this deployment; the specification leaves the form of filters open",
        );
      await trySelections(items, context, true);
    },
  },
  {
    id: "items/malformed-conditions",
    title: "A query with an undocumented sortKeyCondition is rejected or returns only items in its partition",
    clauses: ["ITEM-25"],
    run: async (items, context: CheckContext) => {
      const { pk, all } = await loadPartition(items, ["a", "b", "c"]);
      const own = new Set(all.map(formatItemKey));
      await items.load([{ pk: items.partition(), sk: "a", data: { elsewhere: true } }]);
      const given = [
        "a",
        "=a",
        "= a",
        "begins_with",
        "begins_witha",
        "between",
        "between:a",
        ":a",
        "sk = a",
        " ",
      ];
      const forms: readonly string[] = sortKeyOperators;
      const word = fc.oneof(
        fc.stringMatching(/^[a-z!~<>=]{1,9}$/u).filter((text) => !forms.includes(text)),
        fc.constantFrom("<>", "!=", "contains", "ends_with", "begins", "like"),
      );
      const assertBounded = async (sortKeyCondition: unknown) => {
        const request = { partitionKey: pk, sortKeyCondition };
        const response = await items.query(request, { intent: "invalid" });
        const found = response.status === 200 ? (response.body.items as readonly FoundItem[]) : [];
        const unexpected = found.filter((item) => !own.has(formatItemKey(item)));
        const what = `with the sortKeyCondition ${JSON.stringify(sortKeyCondition)}`;
        context.assertEqual("ITEM-25", unexpected, [], `items from other partitions ${what}`);
      };
      for (const text of [...given, 5, ["=:a"], { "=": "a" }]) await assertBounded(text);
      await context.property({ form: word, value: keyText }, ({ form, value }) =>
        assertBounded(`${form}:${value}`),
      );
    },
  },
  {
    id: "items/query-without-partition",
    title: "A query without partitionKey is rejected",
    clauses: ["ITEM-34"],
    run: async (items, context: CheckContext) => {
      const others = fc.record(
        {
          limit: fc.integer({ min: 1, max: 20 }),
          scanForward: fc.boolean(),
          sortKeyCondition: fc.constantFrom("=:a", "begins_with:"),
          partitionKey: fc.constant(null),
          pk: fc.constant("a"),
        },
        { requiredKeys: [] },
      );
      await context.property(
        { body: others },
        async ({ body }) => {
          const response = await items.query(body, { intent: "invalid" });
          context.assertRefused("ITEM-34", response, `the query ${JSON.stringify(body)} has no partitionKey`);
        },
        { examples: [{ body: {} }, { body: { partitionKey: null } }, { body: { pk: "a" } }] },
      );
    },
  },
);

/** Options of a query besides its condition. */
interface QueryOptions {
  readonly scanForward?: boolean;
  readonly limit?: number;
}

/** All combinations of options; with a limit, there are several pages. */
const optionCombinations: readonly QueryOptions[] = [{}, { limit: 2 }, { limit: 20 }].flatMap((limit) =>
  [{}, { scanForward: false }, { scanForward: true }].map((direction) => ({ ...limit, ...direction })),
);

/** Values to filter by; the specification does not define equality, but any two of these are very different. */
const states = ["open", 7, 2.5, "done", 0.123456789012345, -12345, undefined] as const;

interface StoredItem extends ItemKey {
  readonly data: { readonly n: number; readonly state: (typeof states)[number] };
}

/** Generates partitions, and queries them with every form of condition, with different options and, if wanted, with filters. */
async function trySelections(items: ItemClient, context: CheckContext, isFiltered: boolean): Promise<void> {
  const restrictions = await KeyRestrictions.detect(items);
  await context.property(
    {
      keys: sortKeysArbitrary(3, 16, (key) => restrictions.accepts([key])),
      first: fc.nat(),
      second: fc.nat(),
      other: keyText,
      from: fc.nat(optionCombinations.length - 1),
    },
    async ({ keys, first, second, other, from }) => {
      if (!restrictions.accepts(keys)) return;
      const { pk, all } = await loadPartition(items, keys);
      const conditions = listConditionsAround(keys, first, second, restrictions.adapt(other));
      // Values of conditions may have the same restrictions as keys.
      const allowed = conditions.filter(({ value, high = "" }) => restrictions.accepts([value, high]));
      const tried = isFiltered ? [undefined, ...allowed.filter((_, n) => n % 5 === 0)] : allowed;
      for (const [n, condition] of tried.entries()) {
        const options = optionCombinations[(from + n) % optionCombinations.length] ?? {};
        const state = isFiltered ? states[(first + n) % (states.length - 1)] : undefined;
        await assertSelection(items, all, pk, condition, options, state);
      }
    },
    {
      share: 0.6,
      examples: [
        {
          keys: ["10", "9", "1", "a", "A", "\ue000", "\u{1f600}", "\ud7ff", "9\u{1f600}"],
          first: 0,
          second: 1,
          other: "x",
          from: 0,
        },
        { keys: timestampKeys, first: 0, second: 2, other: "2024-01", from: 5 },
        ...["a%", "a_"].map((prefix) => ({
          keys: ["a:1", "a:2", "b:1", "b ", "b", "a", "a%", "a_", "a*"],
          first: 3,
          second: 5,
          other: prefix,
          from: 7,
        })),
        { keys: ["10", "9", "a", "A", "ab", "Ab", "ba", "b"], first: 2, second: 0, other: "x", from: 0 },
        // More than ten keys, in both directions.
        { keys: Array.from({ length: 24 }, (_, n) => String(n)), first: 0, second: 1, other: "x", from: 3 },
        { keys: Array.from({ length: 24 }, (_, n) => String(n)), first: 0, second: 1, other: "x", from: 4 },
      ],
    },
  );
}

/** Puts items with the given sort keys and one without a sort key into a partition. */
async function loadPartition(
  items: ItemClient,
  keys: readonly string[],
): Promise<{ readonly pk: string; readonly all: readonly StoredItem[] }> {
  const pk = items.partition();
  const all = [...keys, null].map((sk, n): StoredItem => {
    return { pk, sk, data: { n, state: states[n % states.length] } };
  });
  await items.load(all);
  return { pk, all };
}

/** Conditions at, just below and just above two of the keys, and one condition elsewhere. */
function listConditionsAround(
  keys: readonly string[],
  first: number,
  second: number,
  other: string,
): readonly SortKeyCondition[] {
  const one = keys[first % keys.length] ?? "";
  const two = keys[second % keys.length] ?? "";
  const around = getNeighboringTexts(one);
  const values = [one, around.above, other, ...(around.below === undefined ? [] : [around.below])];
  const [low = "", high = ""] = [one, two].sort(compareUtf8);
  const ranges = [
    { low, high },
    { low, high: low },
    { low: getNeighboringTexts(low).above, high },
    { low, high: getNeighboringTexts(high).below ?? high },
    { low: high, high: low },
  ];
  const comparing = sortKeyOperators.filter((form) => form !== "between" && form !== "begins_with");
  const prefixes = [one, Array.from(one)[0] ?? one, other, `${one}x`];
  return [
    ...values.flatMap((value) => comparing.map((form) => ({ form, value }))),
    ...prefixes.map((value) => ({ form: "begins_with" as const, value })),
    ...ranges
      // The specification does not say which colon ends a lower bound that contains colons.
      .filter((range) => !`${range.low}${range.high}`.includes(":"))
      .map((range) => ({ form: "between" as const, value: range.low, high: range.high })),
  ];
}

/** Asserts that a query finds the items that the condition selects and, if a state is given, that have this state. */
async function assertSelection(
  items: ItemClient,
  all: readonly StoredItem[],
  pk: string,
  condition: SortKeyCondition | undefined,
  options: QueryOptions,
  state: StoredItem["data"]["state"],
): Promise<void> {
  const context: CheckContext = items.context;
  const sortKeyCondition = condition && formatSortKeyCondition(condition);
  const filterExpression = state === undefined ? undefined : { state };
  const clause = condition === undefined || state !== undefined ? "ITEM-32" : clauseOfForm[condition.form];
  const request = { partitionKey: pk, sortKeyCondition, filterExpression, ...options };
  const selects = (sk: string | null) => condition === undefined || matchesSortKey(condition, sk);
  if (condition !== undefined && mayHaveReversedBounds(condition)) {
    // Reversed bounds may be refused.
    const response = await items.query(request, { intent: "may-be-refused" });
    const found = response.status === 200 ? (response.body.items as readonly FoundItem[]) : [];
    const unexpected = found.filter(({ sk }) => selects(sk) === false);
    const what = `no items for ${sortKeyCondition}, whose bounds are in the wrong order`;
    context.assertEqual(clause, unexpected, [], what);
    return;
  }
  const pages = await items.pages("queryItems", request, clause);
  const found = pages.flatMap((page) => page.items);
  const sks = found.map(({ sk }) => sk);
  const what = `${sortKeyCondition ?? "a query"} with ${JSON.stringify({ filterExpression, ...options })}`;
  const isMatch = ({ data }: Pick<StoredItem, "data">) => state === undefined || data.state === state;
  const unexpected = found.filter((item) => selects(item.sk) === false || !isMatch(item as StoredItem));
  context.assertEqual(clause, unexpected, [], `items that ${what} does not select`);
  const wanted = all.filter((item) => selects(item.sk) === true && isMatch(item));
  const missing = wanted.filter(({ sk }) => !sks.includes(sk));
  context.assertEqual(clause, missing, [], `missing items that ${what} selects`);
  if (state !== undefined) {
    assertScannedCounts(context, pages, all.length);
    // The count may include only matches or only other items, and may be 0 on the last page.
    const hasOthers = all.some((item) => selects(item.sk) === true && !isMatch(item));
    const isScanned = pages.some(({ scannedCount }) => scannedCount > 0);
    if (pages.length > 1 && wanted.length > 0 && hasOthers)
      context.assert("ITEM-39", isScanned, "a scannedCount above 0 on one of the pages", pages);
  }
  // The place of an item without a sort key is left open.
  const sorted = sks.filter((sk) => sk !== null);
  const isDescending = options.scanForward === false;
  const wrong = findFirstUnsortedPair(isDescending ? sorted.toReversed() : sorted);
  const order = `sort keys in ${isDescending ? "descending" : "ascending"} order, unlike ${JSON.stringify(wrong)}`;
  context.assert(isDescending ? "ITEM-27" : "ITEM-26", wrong === undefined, order, sorted);
}
