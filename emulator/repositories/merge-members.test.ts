import { expect, it } from "vitest";
import type { JsonObject } from "../json/json-value.js";
import { readJson } from "../json/read-json.js";
import { writeJson } from "../json/write-json.js";
import { mergeMembers } from "./merge-members.js";

const read = (text: string): JsonObject => readJson(text, { maxDepth: 10 }) as JsonObject;

it("keeps fields that the update omits, and replaces whole those it has", () => {
  const merged = mergeMembers(read('{"2":1.0,"a":{"x":1},"__proto__":1}'), read('{"a":{"y":2},"1":1E2}'));
  expect(writeJson(merged)).toBe('{"2":1.0,"a":{"y":2},"__proto__":1,"1":1E2}');
});
