import fc from "fast-check";
import { expect, it } from "vitest";
import { compareUtf8 } from "../json/utf8-order.js";
import { getPrefixUpperBound } from "./prefix-upper-bound.js";

it.each([
  ["a", "b"],
  ["a\u{10FFFF}\u{10FFFF}", "b"],
  ["x\uD7FF", "x\uE000"],
  ["\uFFFF", "\u{10000}"],
  ["😀", "😁"],
  ["", undefined],
  ["\u{10FFFF}", undefined],
])("ends %j at %j", (prefix, expected) => {
  expect(getPrefixUpperBound(prefix)).toBe(expected);
});

it("accepts a prefix of any length", () => {
  const long = "x".repeat(1_000_000);
  expect(getPrefixUpperBound(`${long}a`)).toBe(`${long}b`);
  expect(getPrefixUpperBound(`${long}\u{10FFFF}`)).toBe(`${"x".repeat(999_999)}y`);
  expect(getPrefixUpperBound("\u{10FFFF}".repeat(500_000))).toBeUndefined();
});

it("turns every prefix into a range of exactly the strings with it", () => {
  const unit = fc.constantFrom("a", "b", "\0", "\uD7FF", "\uE000", "\uFFFF", "\u{10000}", "\u{10FFFF}");
  const text = fc.oneof(fc.string({ unit, maxLength: 4 }), fc.string({ unit: "binary", maxLength: 4 }));
  const cases = fc
    .tuple(text, text, text, fc.boolean())
    .map(([prefix, other, rest, inside]) => ({ prefix, key: inside ? prefix + rest : other }));
  fc.assert(
    fc.property(cases, ({ prefix, key }) => {
      const end = getPrefixUpperBound(prefix);
      const inRange = compareUtf8(key, prefix) >= 0 && (end === undefined || compareUtf8(key, end) < 0);
      expect(inRange).toBe(key.startsWith(prefix));
    }),
    { numRuns: 2000 },
  );
});
