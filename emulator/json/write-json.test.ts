import { expect, it } from "vitest";
import { JsonNumber } from "./json-value.js";
import { utf8Length, writeJson } from "./write-json.js";

it("writes both forms of objects inside each other", () => {
  const value = { plain: [new Map([["2", new JsonNumber("1.0")]]), { "\n": null }], flag: true };
  expect(writeJson(value)).toBe(String.raw`{"plain":[{"2":1.0},{"\n":null}],"flag":true}`);
});

it("counts bytes, not characters", () => {
  expect(utf8Length("aé€😀")).toBe(1 + 2 + 3 + 4);
});
