import type { itemGaps } from "../../openapi/gaps/items.js";
import type { ApiResponse } from "../client/client.js";
import {
  type Data,
  type FoundItem,
  getItemData,
  ItemClient,
  type ItemPage,
  listConditionValueFields,
} from "../steps/items/item-client.js";
import { readAllPages } from "../client/read-all-pages.js";
import { JsonText } from "../client/json-text.js";
import { toPlainDigits } from "../models/sql-types.js";
import {
  createAcceptanceObserver,
  isSameInstant,
  createRefusalStatusObserver,
  findRouteAnswer,
  readStableValue,
  createObserver,
  createChoiceObserver,
} from "./create-observers.js";
import { readUntil } from "../steps/read-until.js";
import type { GapObservers } from "./observer.js";
import type { ObserverContext } from "./observer-context.js";

const mayBeRefused = { intent: "may-be-refused" } as const;

/** Puts items; all Puts must succeed for the observation to continue. */
async function load(
  context: ObserverContext,
  pk: string,
  entries: readonly (readonly [string | null, Data])[],
) {
  const items = await context.items();
  for (const [sk, data] of entries) await context.requireSuccess(items.put({ pk, sk }, data));
  return items;
}

async function createPartition(context: ObserverContext, ...keys: readonly (string | null)[]) {
  const pk = context.resources.createName();
  return {
    pk,
    items: await load(
      context,
      pk,
      keys.map((sk) => [sk, { sk: sk ?? "none" }] as const),
    ),
  };
}

/** Returns the sort keys that a query selects, or `refused`. */
async function querySortKeys(
  context: ObserverContext,
  items: ItemClient,
  body: object,
): Promise<readonly (string | null)[] | "refused"> {
  const response = await items.query(body, mayBeRefused);
  if (!context.isAccepted(response)) return "refused";
  return (response.body as ItemPage).items.map(({ sk }) => sk);
}

/** Tries a condition with a Put on an existing item; a false condition is `refused`, like an unknown one. */
async function tryCondition(
  context: ObserverContext,
  conditionExpression: string,
  values: object = {},
): Promise<"true" | "refused"> {
  const items = await context.items();
  const key = items.key();
  const data = { n: 5, text: "abc" };
  await context.requireSuccess(items.put(key, data));
  const response = await items.put(key, data, { conditionExpression, ...values }, mayBeRefused);
  return context.isAccepted(response) ? "true" : "refused";
}

/** Sends a transaction with Puts of 380,000 bytes each. */
async function sendLargePuts(context: ObserverContext, count: number): Promise<ApiResponse> {
  const items = await context.items();
  const data = { v: "x".repeat(380_000) };
  const puts = Array.from({ length: count }, () => ({ action: "Put", ...items.key(), data }) as const);
  return items.transactWrite(puts, undefined, mayBeRefused);
}

export const itemObservers = {
  "put-item-route": createObserver(["database"], async (context) => {
    const { pk } = (await context.items()).key();
    const path = { databaseId: await context.database(), pk };
    return findRouteAnswer(context, "put-item-route", "putItem", { path, body: { pk, data: {} } });
  }),
  "condition-failed-status": createRefusalStatusObserver(["database"], async (context) => {
    const { pk, items } = await createPartition(context, null);
    const conditionExpression = "attribute_not_exists(pk)";
    return items.put({ pk, sk: null }, {}, { conditionExpression }, mayBeRefused);
  }),
  "too-large-status": createRefusalStatusObserver(["database"], async (context) => {
    const items = await context.items();
    const data = (length: number) => ({ v: "x".repeat(length) });
    await context.requireSuccess(items.put(items.key(), data(390_000)));
    await context.requireSuccess(sendLargePuts(context, 10), "a transaction of 3.8 MB");
    return [await items.put(items.key(), data(420_000), {}, mayBeRefused), await sendLargePuts(context, 12)];
  }),
  "delete-missing-item-status": createObserver(["database"], async (context) => {
    const { pk, items } = await createPartition(context, null);
    await context.requireSuccess(items.remove({ pk, sk: null }));
    const { status } = await items.remove(items.key(), mayBeRefused);
    return status >= 500 ? context.undecided(`the deployment returned an error: ${status}`) : status;
  }),
  "number-precision": createChoiceObserver(
    ["database"],
    {
      exact: ["9007199254740993", "0.12345678901234567891"],
      double: ["9007199254740992", String(Number("0.12345678901234567891"))],
    },
    async (context) => {
      const items = await context.items();
      const key = items.key();
      await context.requireSuccess(
        items.put(key, new JsonText('{"whole":9007199254740993,"long":0.12345678901234567891}')),
      );
      const { text } = await context.requireSuccess(items.get(key));
      // The same number may be written in another way, such as 9.007199254740992E15.
      return ["whole", "long"].map((name) =>
        toPlainDigits(new RegExp(`"${name}"\\s*:\\s*([0-9.eE+-]+)`).exec(text)?.[1] ?? ""),
      );
    },
  ),
  "key-characters": createAcceptanceObserver(["database"], ["any", "plain"], async (context) => {
    const items = await context.items();
    const { pk } = items.key();
    await context.requireSuccess(items.put({ pk, sk: "plain" }, {}));
    return [
      await items.put({ pk: `${pk}/%2F`, sk: null }, {}, {}, mayBeRefused),
      await items.put({ pk, sk: "a \u00e9\u{1f600}" }, {}, {}, mayBeRefused),
      await items.put({ pk, sk: "k".repeat(300) }, {}, {}, mayBeRefused),
    ];
  }),
  "item-updated-at": createChoiceObserver(
    ["database"],
    { "each-put": [true, true], "when-data-changes": [false, true], never: [false, false] },
    async (context) => {
      const items = await context.items();
      const key = items.key();
      const putAgain = async (data: Data) => {
        await context.waitForLaterTimestamps();
        await context.requireSuccess(items.put(key, data));
        return (await context.requireSuccess(items.get(key))).body.updatedAt as unknown;
      };
      const [first, same, other] = [
        await putAgain({ a: 1 }),
        await putAgain({ a: 1 }),
        await putAgain({ a: 2 }),
      ];
      if (JSON.stringify(getItemData(await items.get(key))) !== '{"a":2}')
        context.undecided("a Get does not return the data of the last Put");
      return [!isSameInstant(same, first), !isSameInstant(other, same)];
    },
  ),
  "scan-order": createObserver(["create-databases"], async (context) => {
    const { databaseId } = await context.resources.createDatabase();
    const items = new ItemClient(context.check, databaseId);
    // Neither in ascending nor in descending order. All keys have the same prefix, because later generated names sort higher.
    const name = items.partition();
    const partitions = [5, 2, 7, 0, 4, 1, 6, 3].map((n) => `${name}-${n}`);
    for (const pk of partitions) await context.requireSuccess(items.put({ pk, sk: null }, {}));
    const ask = (cursor: string | undefined) => context.requireSuccess(items.scan({ limit: 4, cursor }));
    const scan = async () => (await readAllPages<FoundItem>("items", ask, () => [])).map(({ pk }) => pk);
    const ascending = partitions.toSorted();
    const isWhole = (scanned: readonly string[]) => scanned.toSorted().join() === ascending.join();
    if (!isWhole(await readUntil(context.check, scan, isWhole)))
      context.undecided("a scan does not return every item exactly once");
    const scanned = (await readStableValue(context, scan)).join();
    if (
      [partitions, partitions.toReversed(), ascending.toReversed()].some((order) => order.join() === scanned)
    )
      context.other(scanned, "items in key order, or in an order that depends on neither keys nor Puts");
    return scanned === ascending.join() ? "by-key" : "scattered";
  }),
  "between-split": createChoiceObserver(
    ["database"],
    {
      // Bounds a:b and b:c, a and b:b:c, or a:b:b and c. A deployment that splits in the middle refuses an even number of colons.
      middle: ["a:b:a", "a:c"],
      first: ["a", "a:b:a", "a:c"],
      last: ["a:c", "b:z:z"],
      refused: "refused",
    },
    async (context) => {
      // Each way to split these bounds selects different items.
      const { pk, items } = await createPartition(context, "a", "a:b:a", "a:c", "c:b", "b:z:z");
      const between = (bounds: string) =>
        querySortKeys(context, items, { partitionKey: pk, sortKeyCondition: `between:${bounds}` });
      if ((await between("a:b")) === "refused")
        context.undecided("every condition that uses `between` is refused");
      return between("a:b:b:c");
    },
  ),
  "limit-with-filter": createChoiceObserver(["database"], { examined: 1, returned: 3 }, async (context) => {
    const pk = context.resources.createName();
    // Three of nine items match the filter.
    const entries = Array.from(
      { length: 9 },
      (_, n) => [`${n}`, { match: n % 3 === 2 ? "yes" : "no" }] as const,
    );
    const items = await load(context, pk, entries);
    const response = await items.query({ partitionKey: pk, limit: 3, filterExpression: { match: "yes" } });
    return ((await context.requireSuccess(response)).body as ItemPage).items.length;
  }),
  "condition-grammar": createChoiceObserver(
    ["database"],
    { full: ["true", "true", "true"], documented: ["refused", "refused", "refused"] },
    async (context) => {
      if ((await tryCondition(context, "attribute_exists(pk)")) === "refused")
        context.undecided("a documented condition is refused even though it is true");
      const forms = [
        await tryCondition(context, "attribute_exists(pk) AND attribute_exists(n)"),
        await tryCondition(context, "NOT attribute_exists(missing)"),
        await tryCondition(context, "(attribute_not_exists(missing))"),
      ];
      return forms;
    },
  ),
  "condition-values": createObserver(["database"], async (context) => {
    const named: string[] = [];
    for (const name of listConditionValueFields(context.check))
      if ((await tryCondition(context, "n >= :least", { [name]: { ":least": 5 } })) === "true")
        named.push(name);
    const [only] = named;
    return only !== undefined && named.length === 1
      ? only
      : context.other(
          named.length === 0 ? "no known field for values" : named,
          "exactly one accepted field; if you know its name, set `condition-values` under `profile` in the target file",
        );
  }),
  "missing-attribute": createChoiceObserver(
    { needs: ["database"], after: ["condition-values"] },
    { unequal: ["true", ["a"]], "as-null": ["true", ["a", "b"]], "no-match": ["refused", ["a"]] },
    async (context) => {
      const member = context.neededAnswerTo("condition-values");
      const unequal = (attribute: string, value: number) =>
        tryCondition(context, `${attribute} <> :value`, { [member]: { ":value": value } });
      if ((await unequal("n", 6)) === "refused")
        context.undecided("a condition that uses <> is refused even though it is true");
      if ((await unequal("n", 5)) === "true")
        context.undecided("a Put succeeds even though its condition, which uses <>, is false");
      const pk = context.resources.createName();
      const items = await load(context, pk, [
        ["a", { v: null }],
        ["b", { other: 1 }],
        ["c", { v: 2 }],
      ]);
      const ask = (filterExpression: object) =>
        querySortKeys(context, items, { partitionKey: pk, filterExpression });
      if (JSON.stringify(await ask({ v: 2 })) !== '["c"]')
        context.undecided("an equality filter does not find the expected items");
      return [await unequal("missing", 5), await ask({ v: null })];
    },
  ),
  "item-filter-grammar": createObserver(["database"], async (context) => {
    const pk = context.resources.createName();
    const items = await load(context, pk, [
      ["a", { n: 1 }],
      ["b", { n: 2 }],
    ]);
    const ask = (filterExpression: object) =>
      querySortKeys(context, items, { partitionKey: pk, filterExpression });
    if (JSON.stringify(await ask({ n: 2 })) !== '["b"]')
      context.undecided("an equality filter does not find the expected items");
    const observed = [await ask({ n: { $gt: 1 } }), await ask({ $or: [{ n: 2 }, { n: 3 }] })];
    const text = JSON.stringify(observed);
    if (text === '[["b"],["b"]]') return "operators";
    // Operators are ordinary values without a match, or invalid values.
    if (['["refused","refused"]', '[[],"refused"]', "[[],[]]"].includes(text)) return "equality";
    return context.other(observed, "both filters find item b, or neither finds an item");
  }),
} as const satisfies GapObservers<typeof itemGaps>;
