import fc from "fast-check";
import { expect, it } from "vitest";
import { SmallestValues } from "./smallest-values.js";

it("SmallestValues returns the same values as sorting and slicing", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(500), { maxLength: 400 }), fc.integer({ min: 1, max: 60 }), (all, count) => {
      const first = new SmallestValues<number>(count, (a, b) => a - b);
      all.forEach((value) => first.add(value));
      expect(first.values()).toEqual([...all].sort((a, b) => a - b).slice(0, count));
    }),
  );
});
