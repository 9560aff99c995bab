import { gaps } from "../../openapi/gaps/register.js";
import type { itemGaps } from "../../openapi/gaps/items.js";
import { type Data, dataOf, ItemCalls, type Page } from "../checks/items/item-calls.js";
import { JsonText } from "../client/json-text.js";
import type { ItemKey } from "../models/items-model.js";
import { isSameInstant } from "./is-same-instant.js";
import { eitherWay, fitting, largestAccepted, oneOf, refusalStatus, seen } from "./makers.js";
import type { Hidden, ObserversOf } from "./observer.js";
import type { ObserverContext } from "./observer-context.js";
import { pagesCount } from "./page-counts.js";
import { routeAnswer } from "./route-answer.js";

const invalid = { intent: "invalid" } as const;

/** Puts items that have to be there. */
async function load(
  context: ObserverContext,
  pk: string,
  entries: readonly (readonly [string | null, Data])[],
) {
  const items = await context.items();
  for (const [sk, data] of entries) context.succeeded(await items.put({ pk, sk }, data), "putItem");
  return items;
}

/** Loads a partition of items with these sort keys. */
async function partition(context: ObserverContext, ...keys: readonly (string | null)[]) {
  const pk = context.resources.name();
  return {
    pk,
    items: await load(
      context,
      pk,
      keys.map((sk) => [sk, { sk: sk ?? "none" }] as const),
    ),
  };
}

/** The sort keys that a query selects, or that it is refused. */
async function selected(
  context: ObserverContext,
  items: ItemCalls,
  body: object,
): Promise<readonly (string | null)[] | "refused"> {
  const answer = await items.query(body, invalid);
  if (!context.accepted(answer)) return "refused";
  return (answer.body as Page).items.map(({ sk }) => sk);
}

/** Nine candidates in order, of which three match the filter. */
async function filtered(context: ObserverContext, limit: number): Promise<Page> {
  const pk = context.resources.name();
  const items = await load(
    context,
    pk,
    Array.from(
      { length: 9 },
      (_, index) => [String(index), { match: index % 3 === 2 ? "yes" : "no" }] as const,
    ),
  );
  const answer = await items.query({ partitionKey: pk, limit, filterExpression: { match: "yes" } });
  return context.succeeded(answer, "a query with a filter").body as Page;
}

async function stamps(context: ObserverContext, items: ItemCalls, key: ItemKey) {
  const { createdAt, updatedAt } = context.succeeded(await items.get(key), "getItem").body;
  return { createdAt: createdAt as string, updatedAt: updatedAt as string };
}

/** Whether a condition on an item is true, false, or refused as one that is not known. */
export async function conditional(
  context: ObserverContext,
  conditionExpression: string,
  values: object = {},
  data: Data = { n: 5, text: "abc" },
): Promise<"true" | "refused"> {
  const items = await context.items();
  const key = items.key();
  context.succeeded(await items.put(key, data), "putItem");
  const answer = await items.put(key, data, { conditionExpression, ...values }, invalid);
  return context.accepted(answer) ? "true" : "refused";
}

/** Where keys are plain, nothing tells how others would be ordered. */
const oddKeys: Hidden = {
  by: "key-characters",
  when: (answer) => answer === "plain",
  because: "keys of other characters are refused",
};

export const itemObservers = {
  "put-item-route": seen(["database"], async (context) => {
    const { pk } = (await context.items()).key();
    const path = { databaseId: await context.database(), pk };
    return routeAnswer(context, "put-item-route", "putItem", { path, body: { pk, data: {} } });
  }),
  "condition-failed-status": refusalStatus(["database"], async (context) => {
    const { pk, items } = await partition(context, null);
    const conditionExpression = "attribute_not_exists(pk)";
    return items.put({ pk, sk: null }, {}, { conditionExpression }, invalid);
  }),
  "item-too-large-status": refusalStatus(["database"], async (context) => {
    const items = await context.items();
    const data = (length: number) => ({ v: "x".repeat(length) });
    context.succeeded(await items.put(items.key(), data(390_000)), "putItem");
    return items.put(items.key(), data(420_000), {}, invalid);
  }),
  "delete-missing-item": seen(["database"], async (context) => {
    const items = await context.items();
    const { status } = await items.remove(items.key(), invalid);
    return status >= 500 ? context.undecided(`the deployment failed with ${status}`) : status;
  }),
  "number-precision": seen(["database"], async (context) => {
    const items = await context.items();
    const key = items.key();
    context.succeeded(
      await items.put(key, new JsonText('{"whole":9007199254740993,"long":0.12345678901234567891}')),
      "putItem",
    );
    const { text } = context.succeeded(await items.get(key), "getItem");
    const kept = (name: string) => new RegExp(`"${name}"\\s*:\\s*([0-9.eE+-]+)`).exec(text)?.[1];
    return fitting(
      context,
      {
        exact: ["9007199254740993", "0.12345678901234567891"],
        double: ["9007199254740992", String(Number("0.12345678901234567891"))],
      },
      [kept("whole"), kept("long")],
    );
  }),
  "number-range": eitherWay(["database"], { accepted: "doubles", refused: "decimals" }, async (context) => {
    const items = await context.items();
    context.succeeded(await items.put(items.key(), { n: 1.5 }), "putItem");
    return [
      await items.put(items.key(), { n: 1e200 }, {}, invalid),
      await items.put(items.key(), { n: 1e-200 }, {}, invalid),
    ];
  }),
  "nul-characters": eitherWay(["database"], { accepted: "accepted", refused: "refused" }, async (context) => {
    const items = await context.items();
    const key = items.key();
    context.succeeded(await items.put(key, { t: "ab" }), "putItem");
    return [
      await items.put(items.key(), { t: "a\0b" }, {}, invalid),
      await items.put(key, { "a\0b": 1 }, {}, invalid),
    ];
  }),
  "key-characters": eitherWay(["database"], { accepted: "any", refused: "plain" }, async (context) => {
    const items = await context.items();
    const { pk } = items.key();
    context.succeeded(await items.put({ pk, sk: "plain" }, {}), "putItem");
    return [
      await items.put({ pk: `${pk}/%2F`, sk: null }, {}, {}, invalid),
      await items.put({ pk, sk: "a \u00e9\u{1f600}" }, {}, {}, invalid),
      await items.put({ pk, sk: "k".repeat(300) }, {}, {}, invalid),
    ];
  }),
  "empty-sort-key": seen(["database"], async (context) => {
    const { pk, items } = await partition(context, null, "a");
    // a Put may have its keys in the path
    const bySortKey = context.accepted(
      await items.batchWrite([{ operation: "Put", pk, sk: "", data: {} }], invalid),
    );
    const byCondition = await selected(context, items, { partitionKey: pk, sortKeyCondition: "" });
    const keys = await selected(context, items, { partitionKey: pk });
    return fitting(
      context,
      { refused: [false, "refused", [null, "a"]], absent: [true, [null, "a"], [null, "a"]] },
      [bySortKey, byCondition, keys],
    );
  }),
  "item-updated-at": seen(["database"], async (context) => {
    const items = await context.items();
    const key = items.key();
    const putAgain = async (data: Data) => {
      await context.pauseForStamps();
      context.succeeded(await items.put(key, data), "putItem");
      return (await stamps(context, items, key)).updatedAt;
    };
    const [first, same, other] = [
      await putAgain({ a: 1 }),
      await putAgain({ a: 1 }),
      await putAgain({ a: 2 }),
    ];
    if (JSON.stringify(dataOf(await items.get(key))) !== '{"a":2}')
      context.undecided("a get does not answer what was put last");
    return fitting(
      context,
      { "each-put": [true, true], "when-data-changes": [false, true], never: [false, false] },
      [!isSameInstant(same, first), !isSameInstant(other, same)],
    );
  }),
  "created-at-on-replace": oneOf(["database"], { kept: true, reset: false }, async (context) => {
    const { pk, items } = await partition(context, null);
    const key = { pk, sk: null };
    const { createdAt } = await stamps(context, items, key);
    await context.pauseForStamps();
    context.succeeded(await items.put(key, { other: 1 }), "putItem");
    return isSameInstant(createdAt, (await stamps(context, items, key)).createdAt);
  }),
  "sort-key-order": seen(
    ["database"],
    async (context) => {
      const [low, high] = ["\ue000", "\u{1f600}"];
      // languages would order these otherwise: numbers by their value, letters whatever their case is
      const plain = ["10", "9", "B", "a"];
      const { pk, items } = await partition(context, low, "a", "9", high, "B", "10");
      const forward = await selected(context, items, { partitionKey: pk });
      const backward = await selected(context, items, { partitionKey: pk, scanForward: false });
      const [byBytes, byUnits] = [
        [...plain, low, high],
        [...plain, high, low],
      ];
      const answers = {
        "utf-8": [byBytes, byBytes.toReversed()],
        "utf-16": [byUnits, byUnits.toReversed()],
      };
      return fitting(context, answers, [forward, backward]);
    },
    { hidden: [oddKeys] },
  ),
  "scan-order": seen(["create-databases"], async (context) => {
    const { databaseId } = await context.resources.newDatabase();
    const items = new ItemCalls(context.check, databaseId);
    // neither put in the order of keys nor against it
    const partitions = [5, 2, 7, 0, 4, 1, 6, 3].map((n) => `${items.partition()}-${n}`);
    for (const pk of partitions) context.succeeded(await items.put({ pk, sk: null }, {}), "putItem");
    const scanned: string[] = [];
    let cursor: string | null | undefined;
    for (let page = 0; page < 50 && cursor !== null; page++) {
      const request = { limit: 4, ...(cursor === undefined ? {} : { cursor }) };
      const { items: found, nextCursor } = context.succeeded(await items.scan(request), "scanItems")
        .body as Page;
      scanned.push(...found.map(({ pk }) => pk));
      cursor = nextCursor;
    }
    const ascending = partitions.toSorted();
    if (JSON.stringify(scanned.toSorted()) !== JSON.stringify(ascending))
      context.undecided("a scan does not show each item once");
    return JSON.stringify(scanned) === JSON.stringify(ascending) ? "by-key" : "scattered";
  }),
  "no-sort-key-in-range": oneOf(
    ["database"],
    {
      none: [["a"], ["a", "b"]],
      below: [
        [null, "a"],
        [null, "a", "b"],
      ],
    },
    async (context) => {
      const { pk, items } = await partition(context, null, "a", "b");
      return [
        await selected(context, items, { partitionKey: pk, sortKeyCondition: "<:b" }),
        await selected(context, items, { partitionKey: pk, sortKeyCondition: "<=:b" }),
      ];
    },
  ),
  "between-split": seen(["database"], async (context) => {
    // each way to split these bounds selects another item; the first and the last way apply to the second text as well
    const { pk, items } = await partition(context, "a", "a:b:a", "a:c", "c:b", "b:z:z");
    const between = (bounds: string) =>
      selected(context, items, { partitionKey: pk, sortKeyCondition: `between:${bounds}` });
    if ((await between("a:b")) === "refused") context.undecided("no between is taken at all");
    return fitting(
      context,
      {
        // from a:b to b:c, from a to b:b:c, from a:b:b to c; an uneven number of colons has a middle alone
        middle: ["a:b:a", "a:c"],
        first: ["a", "a:b:a", "a:c"],
        last: ["a:c", "b:z:z"],
        refused: "refused",
      },
      await between("a:b:b:c"),
    );
  }),
  "between-reversed": oneOf(["database"], { nothing: [], refused: "refused" }, async (context) => {
    const { pk, items } = await partition(context, "a", "b", "c");
    const between = (bounds: string) =>
      selected(context, items, { partitionKey: pk, sortKeyCondition: `between:${bounds}` });
    if ((await between("a:c")) === "refused") context.undecided("no between is taken at all");
    return between("c:a");
  }),
  "unknown-sort-key-condition": oneOf(
    ["database"],
    {
      refused: ["refused", "refused"],
      ignored: [
        ["a", "b"],
        ["a", "b"],
      ],
      "selects-nothing": [[], []],
    },
    async (context) => {
      const { pk, items } = await partition(context, "a", "b");
      return [
        await selected(context, items, { partitionKey: pk, sortKeyCondition: "ends_with:a" }),
        await selected(context, items, { partitionKey: pk, sortKeyCondition: "a" }),
      ];
    },
  ),
  "page-count": seen(["database"], async (context) => {
    const { pk, items } = await partition(context, "a", "b", "c", "d", "e");
    const queried = await pagesCount(
      context,
      async (cursor) => {
        const answer = await items.query({ partitionKey: pk, limit: 2, cursor });
        const page = context.succeeded(answer, "queryItems").body as Page;
        return { size: page.items.length, count: page.count, next: page.nextCursor };
      },
      5,
    );
    // others may have items here: all that there are cannot be told, but that they are more than the page has
    const first = context.succeeded(await items.scan({ limit: 2 }), "scanItems").body as Page;
    if (first.nextCursor === null) context.undecided("a scan has one page");
    const { length } = first.items;
    const scanned = first.count === length ? "page" : first.count >= 5 ? "all-pages" : "something else";
    return queried === scanned
      ? queried
      : context.other(
          `${queried} in a query, and ${first.count} of ${length} in a scan`,
          "one answer to both",
        );
  }),
  "scanned-count": seen(["database"], async (context) => {
    const { scannedCount, items } = await filtered(context, 20);
    if (items.length !== 3) context.undecided(`the filter found ${items.length} of 3 items`);
    return fitting(context, { examined: 9, returned: 3, "left-out": 6 }, scannedCount);
  }),
  "limit-counts": seen(["database"], async (context) => {
    const { items } = await filtered(context, 3);
    return fitting(context, { examined: 1, returned: 3 }, items.length);
  }),
  "condition-grammar": seen(["database"], async (context) => {
    if ((await conditional(context, "attribute_exists(pk)")) === "refused")
      context.undecided("a condition that is documented and true is refused");
    const forms = [
      await conditional(context, "attribute_exists(pk) AND attribute_exists(n)"),
      await conditional(context, "NOT attribute_exists(missing)"),
      await conditional(context, "(attribute_not_exists(missing))"),
    ];
    return fitting(
      context,
      { full: ["true", "true", "true"], documented: ["refused", "refused", "refused"] },
      forms,
    );
  }),
  "condition-values": seen(["database"], async (context) => {
    const named: string[] = [];
    for (const name of gaps["condition-values"].choices)
      if ((await conditional(context, "n >= :least", { [name]: { ":least": 5 } })) === "true")
        named.push(name);
    const [only] = named;
    return only !== undefined && named.length === 1
      ? (only as "filterValues")
      : context.other(
          named.length === 0 ? "none of the known members" : named,
          "one member that holds the values",
        );
  }),
  "missing-attribute-unequal": oneOf(
    ["database"],
    { no: "refused", yes: "true" },
    async (context) => {
      const member = context.neededAnswerTo("condition-values");
      const unequal = (attribute: string, value: number) =>
        conditional(context, `${attribute} <> :value`, { [member]: { ":value": value } });
      if ((await unequal("n", 6)) === "refused")
        context.undecided("a condition with <> that is true is refused");
      if ((await unequal("n", 5)) === "true")
        context.undecided("a condition with <> that is false does not hold a Put back");
      return unequal("missing", 5);
    },
    { after: ["condition-values"] },
  ),
  "missing-attribute-null": seen(["database"], async (context) => {
    const pk = context.resources.name();
    const items = await load(context, pk, [
      ["a", { v: null }],
      ["b", { other: 1 }],
      ["c", { v: 2 }],
    ]);
    const ask = (filterExpression: object) =>
      selected(context, items, { partitionKey: pk, filterExpression });
    if (JSON.stringify(await ask({ v: 2 })) !== '["c"]')
      context.undecided("a filter by equality finds something else");
    return fitting(context, { no: ["a"], yes: ["a", "b"] }, await ask({ v: null }));
  }),
  "unused-values": oneOf(
    ["database"],
    { ignored: "true", refused: "refused" },
    async (context) => {
      const member = context.neededAnswerTo("condition-values");
      const values = { ":least": 5 };
      if ((await conditional(context, "n >= :least", { [member]: values })) === "refused")
        context.undecided("a condition with a named value that is true is refused");
      return conditional(context, "n >= :least", { [member]: { ...values, ":unused": 1 } });
    },
    { after: ["condition-values"] },
  ),
  "item-filter-grammar": seen(["database"], async (context) => {
    const pk = context.resources.name();
    const items = await load(context, pk, [
      ["a", { n: 1 }],
      ["b", { n: 2 }],
    ]);
    const ask = (filterExpression: object) =>
      selected(context, items, { partitionKey: pk, filterExpression });
    if (JSON.stringify(await ask({ n: 2 })) !== '["b"]')
      context.undecided("a filter by equality finds something else");
    const seenOf = [await ask({ n: { $gt: 1 } }), await ask({ $or: [{ n: 2 }, { n: 3 }] })];
    const text = JSON.stringify(seenOf);
    if (text === '[["b"],["b"]]') return "operators";
    // as a value that nothing has, or as one that may not be
    if (['["refused","refused"]', '[[],"refused"]', "[[],[]]"].includes(text)) return "equality";
    return context.other(seenOf, "the item b twice, or operators that are not known");
  }),
  "expression-length-max": seen(["database"], async (context) => {
    const { minimum, maximum } = gaps["expression-length-max"].range;
    const items = await context.items();
    const key = items.key();
    const expression = "attribute_exists(pk)";
    context.succeeded(await items.put(key, {}), "putItem");
    return largestAccepted(context, { from: minimum, to: maximum + 1 }, async (length) => {
      const conditionExpression = expression.padEnd(length);
      return context.accepted(await items.put(key, {}, { conditionExpression }, invalid));
    });
  }),
} as const satisfies ObserversOf<typeof itemGaps>;
