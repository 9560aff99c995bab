import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { formatItemKey } from "../../models/item-key.js";
import { smallData } from "../../generators/item-data.js";
import { distinctKeysArbitrary, exampleKeys } from "../../generators/item-keys.js";
import { defineItemChecks } from "../../steps/items/item-client.js";
import { KeyRestrictions } from "../items/key-restrictions.js";
import { TransactGetReader } from "../items/transact-get-reader.js";

/** Names for a projection. The specification leaves open what `deep.a` means and whether a name may occur twice. */
const projectedNames = ["a", "b", "c", "absent", "other", "fullName", "status", "deep.a"] as const;

/** Checks of transact get (part 4.2). */
export const transactionReadChecks = defineItemChecks(
  {
    id: "transactions/get",
    title: "A transactional get returns an entry for every key, including the keys of missing items",
    clauses: ["TX-01"],
    run: async (items, context) => {
      const reader = await TransactGetReader.detect(items);
      const restrictions = await KeyRestrictions.detect(items);
      await context.property(
        {
          given: distinctKeysArbitrary(40),
          plans: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
          repeats: fc.boolean(),
        },
        async ({ given, plans, repeats }) => {
          const pk = items.partition();
          const keys = given.map(([suffix, sk], n) => ({
            key: { pk: pk + restrictions.adapt(suffix), sk: restrictions.adapt(sk) },
            data: plans[n % plans.length] !== true ? null : n % 3 === 0 ? {} : { n },
          }));
          await items.load(keys.flatMap(({ key, data }) => (data === null ? [] : [{ ...key, data }])));
          const sent = keys.map(({ key }) => key);
          // The response to a repeated key may be one entry, two entries or a rejection.
          const repeated = repeats ? sent.slice(0, 1) : [];
          const intent = repeats ? "may-be-refused" : "valid";
          const response = await items.transactGet([...sent, ...repeated], undefined, { intent });
          if (repeats && response.status !== 200) {
            context.assertRefused("TX-01", response, "a key is given twice");
            return;
          }
          context.assertStatus("TX-01", response, 200);
          const entries = reader.entries(response);
          for (const { key, data } of keys) {
            const own = entries.filter((entry) => formatItemKey(entry) === formatItemKey(key));
            const isOne = own.length === 1 || (own.length === 2 && repeated.includes(key));
            context.assert("TX-01", isOne, `an entry for ${formatItemKey(key)}`, entries);
            const expected = { ...key, item: data, itemExists: data !== null };
            for (const entry of own) context.assertEqual("TX-01", entry, expected, "the entry");
          }
          const requested = new Set(sent.map(formatItemKey));
          const others = entries.filter((entry) => !requested.has(formatItemKey(entry)));
          context.assertEqual("TX-01", others, [], "entries for keys that were not requested");
        },
        {
          share: 0.7,
          examples: [
            {
              given: exampleKeys,
              plans: [true, false, true, true, false, true, true, true, true, true, true, true],
              repeats: false,
            },
          ],
        },
      );
    },
  },
  {
    id: "transactions/large-get",
    title: "A transactional get of more than a megabyte returns every item",
    clauses: ["TX-01"],
    after: ["transactions/get"],
    run: async (items, context) => {
      const reader = await TransactGetReader.detect(items);
      const { keys, data } = await items.putMegabyte();
      const response = context.assertStatus("TX-01", await items.transactGet(keys), 200);
      const found = reader.entries(response).filter(({ item }) => isDeepStrictEqual(item, data));
      const [actual, expected] = [found, keys].map((listed) => listed.map(formatItemKey).toSorted());
      context.assertEqual("TX-01", actual, expected, "the items with their data");
    },
  },
  {
    id: "transactions/projection",
    title: "With a projectionExpression, a transactional get returns only the named attributes",
    clauses: ["TX-02"],
    run: async (items, context) => {
      const reader = await TransactGetReader.detect(items);
      await context.property(
        {
          data: smallData,
          projection: fc.array(fc.constantFrom(...projectedNames), { minLength: 1, maxLength: 4 }),
        },
        async ({ data, projection }) => {
          const key = items.key("s");
          const stored = {
            ...data,
            ab: 0,
            deep: { a: 1, z: [1] },
            other: "x",
            fullName: 1,
            status: 2,
          };
          await items.put(key, stored, {}, { setUp: true });
          const names: readonly string[] = [...projection, "deep"];
          const missing = items.key();
          const isUnusual = new Set(names).size < names.length || names.includes("deep.a");
          const entries = [key, missing].map((each) => ({ ...each, projection: names }));
          const intent = isUnusual ? "may-be-refused" : "valid";
          const response = await items.transactGet(entries, undefined, { intent });
          if (isUnusual && response.status !== 200)
            context.assertRefused("TX-02", response, "the projection has a duplicate name or a path");
          else {
            context.assertStatus("TX-02", response, 200);
            const shown = Object.entries(reader.dataOf(response, key) ?? {}).filter(([name, value]) => {
              // An attribute that the item does not have may be omitted or null.
              const isAbsent = names.includes(name) && !(name in stored);
              return !(isAbsent && (value === null || name === "deep.a"));
            });
            const named = Object.entries(stored).filter(([name]) => names.includes(name));
            const [actual, expected] = [shown, named].map((fields) => Object.fromEntries(fields));
            context.assertEqual("TX-02", actual, expected, `only the attributes ${names.join(", ")}`);
            const exist = [key, missing].map((each) => reader.entriesOf(response, each)[0]?.itemExists);
            context.assertEqual("TX-02", exist, [true, false], "itemExists with a projection");
            const missingItem = reader.entriesOf(response, missing)[0]?.item;
            context.assertEqual("TX-02", missingItem, null, "`item` for a missing key, with a projection");
          }
          const whole = items.key("s");
          await items.put(whole, stored, {}, { setUp: true });
          const mixed = await items.transactGet([
            { ...key, projection: ["absent"] },
            whole,
            { ...missing, projection: ["deep"] },
          ]);
          context.assertStatus("TX-02", mixed, 200);
          const all: object | undefined = reader.dataOf(mixed, whole);
          context.assertEqual("TX-02", all, stored, "all attributes of the entry without a projection");
          const itemExists = reader.entriesOf(mixed, key)[0]?.itemExists;
          context.assertEqual("TX-02", itemExists, true, "itemExists if no attribute remains");
        },
        {
          share: 0.5,
          examples: [
            { data: { a: 1, b: null, c: "x" }, projection: ["a", "b", "absent"] },
            { data: { a: 1, b: null, c: "x" }, projection: ["c", "fullName", "status"] },
          ],
        },
      );
    },
  },
);
