import fc from "fast-check";
import type { ClauseId } from "../../../openapi/clauses/register.js";
import { defineChecks } from "../../check.js";
import type { CheckContext } from "../../context.js";
import { keyText, neighbours, orderedKeys, partitionSuffix, sortKey } from "../../generators/item-keys.js";
import { ItemsModel } from "../../models/items-model.js";
import {
  compareUtf8,
  conditionText,
  type SortKeyCondition,
  type SortKeyForm,
  sortKeyForms,
} from "../../models/sort-key.js";
import { ItemCalls } from "./item-calls.js";

const formClauses: Readonly<Record<SortKeyForm, ClauseId>> = {
  "=": "ITEM-18",
  "<": "ITEM-19",
  "<=": "ITEM-20",
  ">": "ITEM-21",
  ">=": "ITEM-22",
  begins_with: "ITEM-23",
  between: "ITEM-24",
};

/** The known sort keys, in an order that is nobody's. */
const timesOfDay = [
  "2024-01-01T00:00:00Z",
  "2024-01-15T12:30:00Z",
  "2024-02-01T00:00:00Z",
  "2024-02-01T00:00:01Z",
];

/** Query: one partition, sort-key conditions, order (part 4.2 rules 3, 4 and 6). */
export const queryChecks = defineChecks(
  {
    id: "items/query-partition",
    title: "Query returns the items of one partition, all of them without a condition",
    clauses: ["ITEM-16", "ITEM-17"],
    needs: ["database"],
    run: async (context: CheckContext) => {
      const items = await ItemCalls.shared(context);
      await context.property(
        [
          fc.uniqueArray(partitionSuffix, { minLength: 1, maxLength: 4 }),
          fc.uniqueArray(sortKey, { minLength: 1, maxLength: 4 }),
        ],
        async (suffixes, sks) => {
          const pk = items.partition();
          const all = suffixes.flatMap((suffix) =>
            sks.map((sk) => ({ pk: pk + suffix, sk, data: { suffix } })),
          );
          await items.load(all);
          for (const suffix of suffixes) {
            const found = await items.list("queryItems", { partitionKey: pk + suffix });
            const strangers = found.filter((item) => item.pk !== pk + suffix);
            context.demandEqual("ITEM-16", strangers, [], `items of partition ${pk + suffix} alone; others`);
            const missing = sks.filter((sk) => !found.some((item) => item.sk === sk));
            context.demandEqual(
              "ITEM-17",
              missing,
              [],
              `all sort keys of partition ${pk + suffix}; left out`,
            );
            const wrong = found.filter(({ data }) => data.suffix !== suffix);
            context.demandEqual("ITEM-16", wrong, [], "the data of the partition; other");
          }
          const nowhere = await items.list("queryItems", { partitionKey: `${pk}-not` });
          context.demandEqual("ITEM-16", nowhere, [], "items of a partition that has none");
          await items.tidy();
        },
        {
          share: 0.7,
          examples: [
            [
              ["", "a", "A", "a "],
              [null, "s"],
            ],
          ],
        },
      );
    },
  },
  {
    id: "items/sort-key-conditions",
    title: "Each form of sortKeyCondition selects the sort keys it says, to the bound",
    clauses: ["ITEM-18", "ITEM-19", "ITEM-20", "ITEM-21", "ITEM-22", "ITEM-23", "ITEM-24"],
    needs: ["database"],
    run: async (context: CheckContext) => {
      const items = await ItemCalls.shared(context);
      await context.property(
        [orderedKeys(3, 10), fc.nat(), fc.nat(), keyText],
        async (keys, first, second, other) => {
          const { pk, model } = await loadPartition(items, keys);
          for (const condition of conditionsAround(keys, first, second, other))
            await demandSelection(items, model, pk, condition);
          await items.tidy();
        },
        {
          share: 0.6,
          examples: [
            [["10", "9", "1", "a", "A", "\ue000", "\u{1f600}", "\ud7ff", "9\u{1f600}"], 0, 1, "x"],
            [timesOfDay, 0, 2, "2024-01"],
            [["a:1", "a:2", "b:1", "b", "a", "a%", "a_", "a*"], 0, 2, "a%"],
          ],
        },
      );
    },
  },
  {
    id: "items/malformed-conditions",
    title: "A sortKeyCondition of another form is refused",
    clauses: ["ITEM-25"],
    needs: ["database"],
    run: async (context: CheckContext) => {
      const items = await ItemCalls.shared(context);
      const { pk } = await loadPartition(items, ["a", "b", "c"]);
      const given = [
        "a",
        "=a",
        "= a",
        "<>:a",
        "!=:a",
        "~:a",
        "contains:a",
        "ends_with:a",
        "begins_with",
        "begins_witha",
        "begins:a",
        "between",
        "between:a",
        "like:a%",
        ":a",
        "sk = a",
        "attribute_exists(sk)",
        " ",
      ];
      const broken = fc.tuple(
        fc
          .stringMatching(/^[a-z!~<>=]{1,9}$/u)
          .filter((word) => !(sortKeyForms as readonly string[]).includes(word)),
        keyText,
      );
      const refuse = async (sortKeyCondition: unknown) => {
        const answer = await items.query({ partitionKey: pk, sortKeyCondition }, { intent: "invalid" });
        context.demandRefused("ITEM-25", answer, `the sortKeyCondition ${JSON.stringify(sortKeyCondition)}`);
      };
      for (const text of [...given, 5, ["=:a"], { "=": "a" }]) await refuse(text);
      await context.property([broken], ([word, value]) => refuse(`${word}:${value}`));
      await items.tidy();
    },
  },
  {
    id: "items/order",
    title: "Query returns sort keys in the order of UTF-8 bytes, ascending or descending",
    clauses: ["ITEM-26", "ITEM-27"],
    needs: ["database"],
    run: async (context: CheckContext) => {
      const items = await ItemCalls.shared(context);
      await context.property(
        [orderedKeys(2, 30), fc.integer({ min: 1, max: 20 })],
        async (keys, limit) => {
          const { pk } = await loadPartition(items, keys);
          for (const [scanForward, clause] of [
            [undefined, "ITEM-26"],
            [true, "ITEM-26"],
            [false, "ITEM-27"],
          ] as const) {
            const found = await items.list("queryItems", { partitionKey: pk, scanForward, limit });
            // where an item without sort key stands is open
            const seen = found.flatMap(({ sk }) => (sk === null ? [] : [sk]));
            const expected = seen.toSorted((a, b) => compareUtf8(a, b) * (scanForward === false ? -1 : 1));
            const order = scanForward === false ? "descending" : "ascending";
            context.demandEqual(clause, seen, expected, `sort keys in ${order} order of their UTF-8 bytes`);
          }
          await items.tidy();
        },
        {
          share: 0.7,
          examples: [
            [
              [
                "3",
                "12",
                "1",
                "11",
                "20",
                "2",
                "10",
                "9",
                "100",
                "21",
                "19",
                "4",
                "\u{1f600}",
                "\uffff",
                "\u00e9",
                "z",
                "Z",
                "a",
              ],
              20,
            ],
            [["3", "12", "1", "11", "20", "2", "10", "9", "100", "21", "19", "4"], 5],
          ],
        },
      );
    },
  },
  {
    id: "items/query-without-partition",
    title: "A query without partitionKey is refused",
    clauses: ["ITEM-34"],
    needs: ["database"],
    run: async (context: CheckContext) => {
      const items = await ItemCalls.shared(context);
      for (const body of [
        {},
        { limit: 5 },
        { sortKeyCondition: "=:a" },
        { partitionKey: null },
        { partitionKey: 5 },
        { pk: items.partition() },
      ]) {
        const answer = await items.query(body, { intent: "invalid" });
        context.demandRefused("ITEM-34", answer, `a query of ${JSON.stringify(body)}`);
      }
    },
  },
);

/** A partition with these sort keys and an item without one, and the model of it. */
async function loadPartition(
  items: ItemCalls,
  keys: readonly string[],
): Promise<{ readonly pk: string; readonly model: ItemsModel }> {
  const pk = items.partition();
  const model = new ItemsModel();
  for (const [n, sk] of [...keys, null].entries()) model.put({ pk, sk }, { n });
  await items.load(model.all);
  return { pk, model };
}

/** Conditions at, just below and just above two of the keys, and one somewhere else. */
function conditionsAround(
  keys: readonly string[],
  first: number,
  second: number,
  other: string,
): readonly SortKeyCondition[] {
  const one = keys[first % keys.length] ?? "";
  const two = keys[second % keys.length] ?? "";
  const around = neighbours(one);
  const values = [one, around.above, other, ...(around.below === undefined ? [] : [around.below])];
  const [low = "", high = ""] = [one, two].sort(compareUtf8);
  const ranges = [
    { low, high },
    { low: low, high: low },
    { low: neighbours(low).above, high },
    { low, high: neighbours(high).below ?? high },
    { low: high, high: low },
  ];
  const comparing = sortKeyForms.filter((form) => form !== "between" && form !== "begins_with");
  const prefixes = [one, Array.from(one)[0] ?? one, other, `${one}x`];
  return [
    ...values.flatMap((value) => comparing.map((form) => ({ form, value }))),
    ...prefixes.map((value) => ({ form: "begins_with" as const, value })),
    ...ranges
      // only bounds with equally many colons say for certain where the one ends and the other begins
      .filter((range) => range.low.split(":").length === range.high.split(":").length)
      .map((range) => ({ form: "between" as const, value: range.low, high: range.high })),
  ];
}

async function demandSelection(
  items: ItemCalls,
  model: ItemsModel,
  pk: string,
  condition: SortKeyCondition,
): Promise<void> {
  const context: CheckContext = items.context;
  const sortKeyCondition = conditionText(condition);
  const clause = formClauses[condition.form];
  const found: (string | null)[] = [];
  let cursor: string | null | undefined;
  do {
    const answer = await items.query({ partitionKey: pk, sortKeyCondition, cursor });
    context.demandStatus(clause, answer, 200);
    for (const { sk } of answer.body.items) found.push(sk);
    cursor = answer.body.nextCursor;
  } while (cursor !== null && found.length < 100);
  const expected = model.query(pk, condition, true).map(({ sk }) => sk);
  const sorted = found.toSorted((a, b) => compareUtf8(a ?? "", b ?? ""));
  context.demandEqual(clause, sorted, expected, `the sort keys that ${sortKeyCondition} selects`);
}
