import { formatItemKey } from "../../models/item-key.js";
import fc from "fast-check";
import type { CheckContext } from "../../check/context.js";
import { smallData } from "../../generators/item-data.js";
import { distinctKeysArbitrary, exampleKeys } from "../../generators/item-keys.js";
import { defineItemChecks } from "../../steps/items/item-client.js";
import { KeyRestrictions } from "../items/key-restrictions.js";
import { TransactGetReader } from "../items/transact-get-reader.js";

/** Names for a projection. The specification leaves open what `deep.a` means and whether a name may occur twice. */
const names = ["a", "b", "c", "absent", "other", "deep.a"] as const;

/** Checks of transact get (part 4.2). */
export const transactionReadChecks = defineItemChecks(
  {
    id: "transactions/get",
    title: "A transactional get returns an entry for every key, including the keys of missing items",
    clauses: ["TX-01"],
    run: async (items, context: CheckContext) => {
      const transacted = await TransactGetReader.detect(items);
      const forms = await KeyRestrictions.detect(items);
      await context.property(
        [distinctKeysArbitrary(40), fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }), fc.boolean()],
        async (given, plans, repeats) => {
          const pk = items.partition();
          const keys = given.map(([suffix, sk], n) => ({
            key: { pk: pk + forms.adapt(suffix), sk: forms.adapt(sk) },
            data: plans[n % plans.length] !== true ? null : n % 3 === 0 ? {} : { n },
          }));
          await items.load(keys.flatMap(({ key, data }) => (data === null ? [] : [{ ...key, data }])));
          const sent = keys.map(({ key }) => key);
          // a key that is named twice may be answered once or twice, or refused
          const again = repeats ? sent.slice(0, 1) : [];
          const answer = await items.transactGet([...sent, ...again], undefined, {
            intent: repeats ? "invalid" : "valid",
          });
          if (repeats && answer.status !== 200) {
            context.assertRefused("TX-01", answer, "a key is given twice");
          } else {
            context.assertStatus("TX-01", answer, 200);
            const entries = transacted.entries(answer);
            for (const { key, data } of keys) {
              const own = entries.filter((entry) => formatItemKey(entry) === formatItemKey(key));
              const isOne = own.length === 1 || (own.length === 2 && again.includes(key));
              context.assert("TX-01", isOne, `an entry for ${formatItemKey(key)}`, entries);
              const wanted = { ...key, item: data, itemExists: data !== null };
              for (const entry of own) context.assertEqual("TX-01", entry, wanted, "the entry");
            }
            const wanted = new Set(sent.map(formatItemKey));
            const strangers = entries.filter((entry) => !wanted.has(formatItemKey(entry)));
            context.assertEqual("TX-01", strangers, [], "entries for keys that were not requested");
          }
        },
        {
          names: ["given", "plans", "repeats"],
          share: 0.7,
          examples: [
            [exampleKeys, [true, false, true, true, false, true, true, true, true, true, true, true], false],
          ],
        },
      );
    },
  },
  {
    id: "transactions/projection",
    title: "With a projectionExpression, a transactional get returns only the named attributes",
    clauses: ["TX-02"],
    run: async (items, context: CheckContext) => {
      const transacted = await TransactGetReader.detect(items);
      await context.property(
        [smallData, fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 })],
        async (data, projection) => {
          const key = items.key("s");
          // in a record an attribute of this name would stand beside the key itself
          const likeKey = transacted.form === "data" ? { pk: "no key attributes" } : {};
          const nested = { ...data, ab: 0, deep: { a: 1, z: [1] }, other: "x", ...likeKey };
          await items.put(key, nested, {}, { setUp: true });
          const wanted: readonly string[] = [...projection, "deep"];
          const missing = items.key();
          const isOdd = new Set(wanted).size < wanted.length || wanted.includes("deep.a");
          const projected = [key, missing].map((each) => ({ ...each, projection: wanted }));
          const intent = isOdd ? "invalid" : "valid";
          const answer = await items.transactGet(projected, undefined, { intent });
          if (isOdd && answer.status !== 200)
            context.assertRefused("TX-02", answer, "the projection has a duplicate name or a path");
          else {
            context.assertStatus("TX-02", answer, 200);
            const seen = Object.entries(transacted.dataOf(answer, key) ?? {});
            const settled = seen.filter(([name, value]) => {
              // an attribute that the item does not have may be left out or null
              const isAbsent = wanted.includes(name) && !(name in nested);
              return !(isAbsent && (value === null || name === "deep.a"));
            });
            const expected = Object.entries(nested).filter(([name]) => wanted.includes(name));
            const [left, given] = [settled, expected].map((entries) => Object.fromEntries(entries));
            context.assertEqual("TX-02", left, given, `only the attributes ${wanted.join(", ")}`);
            const exist = [key, missing].map((each) => transacted.entriesOf(answer, each)[0]?.itemExists);
            context.assertEqual("TX-02", exist, [true, false], "itemExists with a projection");
            const ofMissing = transacted.entriesOf(answer, missing)[0]?.item;
            context.assertEqual("TX-02", ofMissing, null, "item of a missing key with a projection");
          }
          const whole = items.key("s");
          await items.put(whole, nested, {}, { setUp: true });
          const both = await items.transactGet([
            { ...key, projection: ["absent"] },
            whole,
            { ...missing, projection: ["deep"] },
          ]);
          context.assertStatus("TX-02", both, 200);
          const all: object | undefined = transacted.dataOf(both, whole);
          context.assertEqual("TX-02", all, nested, "all attributes of the entry without a projection");
          const none = transacted.entriesOf(both, key)[0]?.itemExists;
          context.assertEqual("TX-02", none, true, "itemExists if no attribute remains");
        },
        {
          names: ["data", "projection"],
          share: 0.5,
          examples: [
            [{ a: 1, b: null, c: "x" }, ["a", "b", "absent"]],
            [{ a: 1, b: null, c: "x" }, ["c"]],
          ],
        },
      );
    },
  },
);
