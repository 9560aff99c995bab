import { expect, it } from "vitest";
import { attributeNames } from "./attribute-names.js";
import { parseCondition } from "./parse-condition.js";

it("attributeNames finds the first name of every path anywhere", () => {
  const text =
    "a = :v AND (:v < b.x OR NOT c[0] BETWEEN d AND :v) AND e IN (:v, f) AND begins_with(g, h) " +
    "AND contains(i, j) AND size(k) > :v AND attribute_exists(l.y) AND attribute_not_exists(m) AND a <> n";
  const names = attributeNames(parseCondition(text, "full"));
  expect([...names].sort().join("")).toBe("abcdefghijklmn");
});
