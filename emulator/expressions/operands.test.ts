import { expect, it } from "vitest";
import { findMissingNamedValues, listAttributePaths } from "./operands.js";
import { parseCondition } from "./parse-condition.js";

it("listAttributePaths finds every path anywhere", () => {
  const text =
    "a = :v AND (:v < b.x OR NOT c[0] BETWEEN d AND :v) AND e IN (:v, f) AND begins_with(g, h) " +
    "AND contains(i, j) AND size(k) > :v AND attribute_exists(l.y) AND attribute_not_exists(m) AND a <> n";
  const names = listAttributePaths(parseCondition(text, "full")).map(([name]) => name);
  expect([...new Set(names)].sort().join("")).toBe("abcdefghijklmn");
});

const every = parseCondition(
  "a = :a AND NOT (b IN (:b, :c) OR :d < c) AND e BETWEEN :e AND :f AND begins_with(g, :g) AND contains(:h, h) AND i = :a",
  "full",
);

it("findMissingNamedValues names each missing value, once and in order", () => {
  expect(findMissingNamedValues(every, undefined)).toEqual([":a", ":b", ":c", ":d", ":e", ":f", ":g", ":h"]);
  const values = { ":a": 1, ":c": null, ":d": false, ":e": "", ":f": [], ":h": "x", b: 1 };
  expect(findMissingNamedValues(every, values)).toEqual([":b", ":g"]);
  expect(findMissingNamedValues(every, new Map([[":a", 1]]))).not.toContain(":a");
});

it("findMissingNamedValues ignores inherited values", () => {
  const condition = parseCondition("a = :__proto__ AND b = :toString", "full");
  expect(findMissingNamedValues(condition, {})).toEqual([":__proto__", ":toString"]);
  expect(findMissingNamedValues(condition, [1])).toHaveLength(2);
});

it("findMissingNamedValues reports nothing missing if nothing is named", () => {
  const condition = parseCondition("attribute_exists(a) OR size(b) = size(c)", "full");
  expect(findMissingNamedValues(condition, undefined)).toEqual([]);
});
