import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEmptyDatabase, type ItemsClient, type ReturnedPage } from "../testing/items-client.js";
import { getPropertyRuns } from "../testing/property-runs.js";
import { useTestEmulator } from "../testing/use-test-emulator.js";
import {
  ItemsModel,
  type ParsedCondition,
  type ModelData,
  type ModelItem,
  type ModelPage,
} from "./testing/items.model.js";

type Condition = ParsedCondition<Readonly<Record<string, unknown>>, ModelItem | undefined>;
type Filter = ParsedCondition<Readonly<Record<string, unknown>> | undefined, ModelData>;

/** Keys that reveal code that does not treat keys as plain text. */
const hostile = [
  ...[
    "a",
    "aa",
    "ab",
    "b",
    "a/b",
    "/",
    "//",
    "%",
    "%2F",
    "%25",
    "a%",
    ":",
    "a:b",
    "::",
    "?",
    "?a=b",
    "#",
    "a#b",
  ],
  ...[
    " ",
    "a ",
    "+",
    "a+b",
    '"',
    "'",
    "\\",
    "{",
    "\n",
    "😀",
    "😀😀",
    "é",
    "e\u0301",
    "__proto__",
    "constructor",
  ],
  ...[
    "\u0000",
    "a\u0000",
    "a\u0000b",
    "\u007f",
    "\ud7ff",
    "\ue000",
    "\ufeffa",
    "\uffff",
    "\u{10000}",
    "\u{10ffff}",
  ],
  ...["query", "scan", "null", "0", "10", "9"],
];
/**
 * URL parsers remove these segments from paths, so these keys are used only in bodies; `items-over-socket.test.ts`
 * sends them in paths.
 */
const dots = [".", ".."];

const key = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...hostile) },
  { weight: 1, arbitrary: fc.constantFrom(...dots) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 3 }) },
);

const data: fc.Arbitrary<ModelData> = fc.record(
  { n: fc.integer({ min: 0, max: 4 }), tag: fc.constantFrom("", "t", "tag", "😀") },
  { requiredKeys: ["n"] },
);

const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.constant({ source: {}, holds: () => true }),
  fc.constant({ source: {}, holds: () => true }),
  fc.constant({
    source: { conditionExpression: "attribute_not_exists(pk)" },
    holds: (item: ModelItem | undefined) => item === undefined,
  }),
  fc.constant({
    source: { conditionExpression: "attribute_exists(pk)" },
    holds: (item: ModelItem | undefined) => item !== undefined,
  }),
  fc.integer({ min: 0, max: 4 }).map((least) => ({
    source: { conditionExpression: "n >= :least", filterValues: { ":least": least } },
    holds: (item: ModelItem | undefined) => item !== undefined && item.data.n >= least,
  })),
);

const filter: fc.Arbitrary<Filter> = fc.oneof(
  fc.constant({ source: undefined, holds: () => true }),
  fc.integer({ min: 0, max: 4 }).map((n) => ({ source: { n }, holds: (item: ModelData) => item.n === n })),
  fc.integer({ min: 0, max: 4 }).map((n) => ({
    source: { n: { $gt: n }, tag: { $exists: true } },
    holds: (item: ModelData) => item.n > n && item.tag !== undefined,
  })),
  fc.constant({
    source: { $not: { tag: { $beginsWith: "t" } } },
    holds: (item: ModelData) => item.tag?.startsWith("t") !== true,
  }),
);

const paging = fc.record({ filter, limit: fc.integer({ min: 1, max: 4 }) });

type Operation =
  | { readonly kind: "put"; readonly key: Key; readonly data: ModelData; readonly condition: Condition }
  | { readonly kind: "get" | "delete"; readonly key: Key }
  | {
      readonly kind: "query";
      readonly pk: string;
      readonly sortKeyCondition: string | undefined;
      readonly scanForward: boolean;
      readonly paging: { readonly filter: Filter; readonly limit: number };
    }
  | { readonly kind: "scan"; readonly paging: { readonly filter: Filter; readonly limit: number } };

interface Key {
  readonly pk: string;
  readonly sk: string | null;
}

/** Operations on a few keys, so that they affect the same items. */
const operations: fc.Arbitrary<readonly Operation[]> = fc
  .record({
    pks: fc.uniqueArray(key, { minLength: 1, maxLength: 2 }),
    sks: fc.uniqueArray(key, { minLength: 1, maxLength: 7 }),
  })
  .chain(({ pks, sks }) => {
    const pk = fc.constantFrom(...pks);
    const sk = fc.constantFrom(...sks);
    const item: fc.Arbitrary<Key> = fc.record({ pk, sk: fc.option(sk, { freq: 6 }) });
    const bound = fc.oneof({ weight: 4, arbitrary: sk }, { weight: 1, arbitrary: key }, fc.constant(""));
    const sortKeyCondition = fc.oneof(
      fc
        .tuple(fc.constantFrom("=", "<", "<=", ">", ">=", "begins_with"), bound)
        .map(([operator, value]) => `${operator}:${value}`),
      fc.tuple(bound, bound).map(([low, high]) => `between:${low}:${high}`),
    );
    const putting = fc.record({ kind: fc.constant("put" as const), key: item, data, condition });
    const one = fc.oneof(
      { weight: 8, arbitrary: putting },
      {
        weight: 3,
        arbitrary: fc.record({ kind: fc.constantFrom("get" as const, "delete" as const), key: item }),
      },
      {
        weight: 4,
        arbitrary: fc.record({
          kind: fc.constant("query" as const),
          pk,
          sortKeyCondition: fc.option(sortKeyCondition, { nil: undefined, freq: 4 }),
          scanForward: fc.boolean(),
          paging,
        }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("scan" as const), paging }) },
    );
    return fc.array<Operation>(one, { minLength: 1, maxLength: 30, size: "max" });
  });

/** Applies an operation to the emulator and the model, and compares the results. */
async function step(operation: Operation, items: ItemsClient, model: ItemsModel): Promise<void> {
  switch (operation.kind) {
    case "put": {
      const { key: itemKey, data: given, condition: wanted } = operation;
      const { pk, sk } = itemKey;
      const answer = await items.put(pk, sk, given, wanted.source);
      if (!wanted.holds(model.get(pk, sk))) {
        expect(answer.status).toBe(409);
        return;
      }
      const { updatedAt } = answer.body as { updatedAt: string };
      expect([answer.status, answer.body]).toEqual([200, { pk, sk, updatedAt }]);
      model.put({ pk, sk, data: given, updatedAt });
      return;
    }
    case "get": {
      const { pk, sk } = operation.key;
      if (dots.includes(pk) || dots.includes(sk ?? "")) return;
      const answer = await items.get(pk, sk);
      const known = model.get(pk, sk);
      if (known === undefined) expect(answer.status).toBe(404);
      else expect([answer.status, answer.body]).toEqual([200, known]);
      return;
    }
    case "delete": {
      const { pk, sk } = operation.key;
      if (dots.includes(pk) || dots.includes(sk ?? "")) return;
      expect((await items.delete(pk, sk)).status).toBe(204);
      model.delete(pk, sk);
      return;
    }
    case "query": {
      const { pk, sortKeyCondition, scanForward } = operation;
      const expected = model.query(pk, sortKeyCondition, scanForward, operation.paging);
      const body = { partitionKey: pk, sortKeyCondition, scanForward, ...pagingOf(operation) };
      if (expected === undefined) expect((await items.query(body)).status).toBe(400);
      else expect(seen(await items.queryPages(body))).toEqual(expected);
      return;
    }
    case "scan":
      expect(seen(await items.scanPages(pagingOf(operation)))).toEqual(model.scan(operation.paging));
  }
}

function pagingOf({ paging: { filter: wanted, limit } }: Extract<Operation, { paging: object }>) {
  return { filterExpression: wanted.source, limit };
}

function seen(pages: readonly ReturnedPage[]): ModelPage[] {
  return pages.map(({ nextCursor, ...page }) => ({
    ...page,
    items: page.items as unknown as ModelPage["items"],
    isLast: nextCursor === null,
  }));
}

describe("items against a model", () => {
  const running = useTestEmulator();

  const runs = getPropertyRuns(30);
  it(
    "[ITEM-02] [ITEM-03] [ITEM-07] [ITEM-11] [ITEM-15] [ITEM-30] [ITEM-32] [ITEM-33] [GEN-03] [GEN-04] [DB-16] " +
      "does what a map in byte order does, whatever the keys and the sequence of operations",
    { timeout: 180_000 + runs * 1000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(operations, async (sequence) => {
          const items = await createEmptyDatabase(running);
          const model = new ItemsModel();
          for (const operation of sequence) await step(operation, items, model);
          const everything = { filter: { source: undefined, holds: () => true }, limit: 1000 };
          expect(seen(await items.scanPages({ limit: 1000 }))).toEqual(model.scan(everything));
          const database = `/api/v1/management/databases/${items.databaseId}`;
          const { usage } = (await items.client.get(database)).body as { usage: { itemCount: number } };
          expect(usage.itemCount).toBe(model.size);
          await items.client.delete(database);
        }),
        { numRuns: runs },
      );
    },
  );
});
