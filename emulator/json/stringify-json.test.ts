import { expect, it } from "vitest";
import { measureCostRatio } from "../testing/measure-cost-ratio.js";
import { JsonNumber } from "./json-value.js";
import { stringifyJson } from "./stringify-json.js";

it("writes plain and lossless objects inside each other", () => {
  const value = { plain: [new Map([["2", new JsonNumber("1.0")]]), { "\n": null }], flag: true };
  expect(stringifyJson(value)).toBe(String.raw`{"plain":[{"2":1.0},{"\n":null}],"flag":true}`);
});

it("writes a long array in an object of the lossless reader as fast as in any other", () => {
  const array = Array<number>(100_000).fill(1);
  const object = new Map([["a", array]]);
  expect(
    measureCostRatio(
      () => JSON.stringify({ a: array }),
      () => stringifyJson(object),
    ),
  ).toBeLessThan(2);
});
