import { expect, it } from "vitest";
import { measureCostRatio } from "../testing/measure-cost-ratio.js";
import { parseDecimal } from "./compare-numbers.js";

it("ignores zeros at either end", () => {
  expect(parseDecimal("-00120.0500")).toEqual({ sign: -1, digits: "12005", exponent: 3 });
  expect(parseDecimal("0.00")).toEqual({ sign: 0, digits: "", exponent: 0 });
});

it("takes time linear in the digits, including zeros inside a number", () => {
  const read = (zeros: number) => () => parseDecimal(`1${"0".repeat(zeros)}1`);
  expect(measureCostRatio(read(10_000), read(80_000))).toBeLessThan(30);
});
