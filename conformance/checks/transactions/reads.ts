import fc from "fast-check";
import { defineChecks } from "../../check.js";
import type { CheckContext } from "../../context.js";
import { smallData } from "../../generators/item-data.js";
import { partitionSuffix, sortKey } from "../../generators/item-keys.js";
import { ItemCalls } from "../items/item-calls.js";

const distinctKeys = fc.uniqueArray(fc.tuple(partitionSuffix, sortKey), {
  minLength: 1,
  maxLength: 12,
  selector: ([suffix, sk]) => JSON.stringify([suffix, sk]),
});
const names = ["a", "b", "c", "absent"] as const;

/** Transact get (part 4.2). */
export const transactionReadChecks = defineChecks(
  {
    id: "transactions/get",
    title: "Transact get answers an entry for every key, in order, missing items included",
    clauses: ["TX-01"],
    needs: ["database"],
    run: async (context: CheckContext) => {
      const items = await ItemCalls.shared(context);
      await context.property(
        [distinctKeys, fc.array(fc.boolean(), { minLength: 12, maxLength: 12 })],
        async (given, plans) => {
          const pk = items.partition();
          const keys = given.map(([suffix, sk], n) => ({
            key: { pk: pk + suffix, sk },
            data: plans[n] === true ? { n } : null,
          }));
          await items.load(keys.flatMap(({ key, data }) => (data === null ? [] : [{ ...key, data }])));
          const answer = context.demandStatus(
            "TX-01",
            await items.transactGet(keys.map(({ key }) => key)),
            200,
          );
          const seen = answer.body.items.map(({ pk: at, sk, item, itemExists }: Record<string, unknown>) => ({
            pk: at,
            sk,
            item,
            itemExists,
          }));
          const expected = keys.map(({ key, data }) => ({ ...key, item: data, itemExists: data !== null }));
          context.demandEqual("TX-01", seen, expected, "an entry for every key, in order");
          await items.tidy();
        },
        {
          share: 0.7,
          examples: [
            [
              [
                ["b", null],
                ["", "a"],
                ["a", "10"],
                ["a", "9"],
                ["", null],
                ["A", "x"],
              ],
              [true, false, true, true, false, true, true, true, true, true, true, true],
            ],
          ],
        },
      );
    },
  },
  {
    id: "transactions/projection",
    title: "With a projectionExpression transact get answers the named attributes alone",
    clauses: ["TX-02"],
    needs: ["database"],
    run: async (context: CheckContext) => {
      const items = await ItemCalls.shared(context);
      await context.property(
        [smallData, fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 4 })],
        async (data, projection) => {
          const key = items.key("s");
          const nested = { ...data, deep: { a: 1, z: [1] }, pk: "not the key" };
          await items.put(key, nested, {}, { setUp: true });
          const wanted = [...projection, "deep"];
          const answer = await items.transactGet([
            { ...key, projection: wanted },
            key,
            { ...items.key(), projection: wanted },
          ]);
          context.demandStatus("TX-02", answer, 200);
          const [projected, whole, missing] = answer.body.items;
          const expected = Object.fromEntries(
            Object.entries(nested).filter(([name]) => wanted.includes(name)),
          );
          context.demandEqual("TX-02", projected.item, expected, `the attributes ${wanted.join(", ")} alone`);
          context.demandEqual("TX-02", projected.itemExists, true, "itemExists");
          context.demandEqual(
            "TX-02",
            whole.item,
            nested,
            "all attributes of the entry without a projection",
          );
          context.demandEqual("TX-02", missing.item, null, "item of a missing key with a projection");
          const none = await items.transactGet([{ ...key, projection: ["absent"] }]);
          context.demandEqual(
            "TX-02",
            none.body.items?.[0]?.itemExists,
            true,
            "itemExists where no attribute is left",
          );
          await items.tidy();
        },
        { share: 0.5, examples: [[{ a: 1, b: null, c: "x" }, ["a", "absent"]]] },
      );
    },
  },
);
