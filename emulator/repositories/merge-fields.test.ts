import { expect, it } from "vitest";
import type { JsonObject } from "../json/json-value.js";
import { parseJson } from "../json/parse-json.js";
import { stringifyJson } from "../json/stringify-json.js";
import { mergeFields } from "./merge-fields.js";

const read = (text: string): JsonObject => parseJson(text, { maxDepth: 10 }) as JsonObject;

it("keeps fields that the update omits, and replaces whole those it has", () => {
  const merged = mergeFields(read('{"2":1.0,"a":{"x":1},"__proto__":1}'), read('{"a":{"y":2},"1":1E2}'));
  expect(stringifyJson(merged)).toBe('{"2":1.0,"a":{"y":2},"__proto__":1,"1":1E2}');
});
