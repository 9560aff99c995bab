import { expect, it } from "vitest";
import { JsonNumber } from "./json-value.js";
import { countUtf8Bytes, stringifyJson } from "./stringify-json.js";

it("writes both forms of objects inside each other", () => {
  const value = { plain: [new Map([["2", new JsonNumber("1.0")]]), { "\n": null }], flag: true };
  expect(stringifyJson(value)).toBe(String.raw`{"plain":[{"2":1.0},{"\n":null}],"flag":true}`);
});

it("counts bytes, not characters", () => {
  expect(countUtf8Bytes("aé€😀")).toBe(1 + 2 + 3 + 4);
});
