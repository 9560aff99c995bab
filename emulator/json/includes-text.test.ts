import fc from "fast-check";
import { expect, it } from "vitest";
import { measureCostRatio } from "../testing/measure-cost-ratio.js";
import { includesText } from "./includes-text.js";

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

it("takes time linear in the texts, not in their product", () => {
  const look = (length: number) => {
    const whole = "ab".repeat(length);
    const part = `${"ab".repeat(length / 4)}aa${"ab".repeat(length / 4)}`;
    return () => includesText(whole, part);
  };
  expect(measureCostRatio(look(8000), look(64_000))).toBeLessThan(30);
});
