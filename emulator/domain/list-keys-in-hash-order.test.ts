import fc from "fast-check";
import { expect, it } from "vitest";
import { compareUtf8 } from "../json/utf8-order.js";
import { listKeysInHashOrder } from "./list-keys-in-hash-order.js";

// two keys with the same hash
const twins = ["p8357", "p8682"];
const keys = fc
  .uniqueArray(fc.oneof(fc.string({ minLength: 1, unit: "grapheme" }), fc.constantFrom(...twins)))
  .map((some) => some.sort(compareUtf8));

it("lists every key once, and those after a key, also after one that is gone", () => {
  fc.assert(
    fc.property(keys, fc.nat(), (some, at) => {
      const all = [...listKeysInHashOrder(some, "")];
      expect(all.toSorted(compareUtf8)).toEqual(some);
      const after = all[at % Math.max(all.length, 1)] ?? "x";
      const rest = all.slice(all.indexOf(after) + 1);
      expect([...listKeysInHashOrder(some, after)]).toEqual(rest);
      expect([
        ...listKeysInHashOrder(
          some.filter((key) => key !== after),
          after,
        ),
      ]).toEqual(rest);
    }),
  );
});
