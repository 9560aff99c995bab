import fc from "fast-check";
import { expect, it } from "vitest";
import { costRatio } from "../testing/cost-ratio.js";
import { includesText, placesOf } from "./places-of.js";

const text = (minimum: number, maximum: number) =>
  fc
    .array(fc.constantFrom("a", "b"), { minLength: minimum, maxLength: maximum })
    .map((parts) => parts.join(""));

it("finds what `includes` finds", () => {
  fc.assert(
    fc.property(text(0, 90), fc.integer({ min: 1, max: 6 }), text(0, 100), (unit, times, before) => {
      const part = unit.repeat(times);
      for (const whole of [before + part, before + part.slice(1), `${before}${part.slice(0, -1)}${unit}`])
        expect(includesText(whole, part)).toBe(whole.includes(part));
    }),
  );
});

it("finds the places that `replaceAll` replaces", () => {
  fc.assert(
    fc.property(text(1, 90), text(0, 30), fc.integer({ min: 1, max: 4 }), (part, between, times) => {
      const whole = (part + between).repeat(times) + part.slice(1);
      let replaced = "";
      let from = 0;
      for (const place of placesOf(whole, part)) {
        replaced += `${whole.slice(from, place)}!`;
        from = place + part.length;
      }
      expect(replaced + whole.slice(from)).toBe(whole.replaceAll(part, "!"));
    }),
  );
});

it("takes time that grows with the texts, not with their product", () => {
  const look = (length: number) => {
    const whole = "ab".repeat(length);
    const part = `${"ab".repeat(length / 4)}aa${"ab".repeat(length / 4)}`;
    return () => includesText(whole, part);
  };
  expect(costRatio(look(8000), look(64_000))).toBeLessThan(30);
});
