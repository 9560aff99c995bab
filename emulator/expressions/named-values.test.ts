import { expect, it } from "vitest";
import { checkNamedValues } from "./named-values.js";
import { parseCondition } from "./parse-condition.js";

const every = parseCondition(
  "a = :a AND NOT (b IN (:b, :c) OR :d < c) AND e BETWEEN :e AND :f AND begins_with(g, :g) AND contains(:h, h) AND i = :a",
  "full",
);

it("names each missing value, once and in order", () => {
  expect(checkNamedValues(every, undefined)).toEqual([":a", ":b", ":c", ":d", ":e", ":f", ":g", ":h"]);
  const values = { ":a": 1, ":c": null, ":d": false, ":e": "", ":f": [], ":h": "x", b: 1 };
  expect(checkNamedValues(every, values)).toEqual([":b", ":g"]);
  expect(checkNamedValues(every, new Map([[":a", 1]]))).not.toContain(":a");
});

it("ignores inherited values", () => {
  const condition = parseCondition("a = :__proto__ AND b = :toString", "full");
  expect(checkNamedValues(condition, {})).toEqual([":__proto__", ":toString"]);
  expect(checkNamedValues(condition, [1])).toHaveLength(2);
});

it("reports nothing missing if nothing is named", () => {
  const condition = parseCondition("attribute_exists(a) OR size(b) = size(c)", "full");
  expect(checkNamedValues(condition, undefined)).toEqual([]);
});
