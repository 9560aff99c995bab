import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Problem } from "./problem.js";
import { parseSortKeyCondition } from "./sort-key-condition.js";

const between = (low: string, high: string) => ({
  lower: { value: low, inclusive: true },
  upper: { value: high, inclusive: true },
});

describe("parseSortKeyCondition", () => {
  it.each([
    ["=:a:b", between("a:b", "a:b")],
    ["<:a", { lower: { value: "", inclusive: false }, upper: { value: "a", inclusive: false } }],
    ["<=:=:", { lower: { value: "", inclusive: false }, upper: { value: "=:", inclusive: true } }],
    [">: a ", { lower: { value: " a ", inclusive: false } }],
    [
      "begins_with:between:x",
      { lower: { value: "between:x", inclusive: true }, upper: { value: "between:y", inclusive: false } },
    ],
    ["between:a:b", between("a", "b")],
    ["between:b:a", between("b", "a")],
    [
      "between:2024-01-01T00:00:00Z:2024-02-01T00:00:00Z",
      between("2024-01-01T00:00:00Z", "2024-02-01T00:00:00Z"),
    ],
  ])("reads %j", (text, expected) => {
    expect(parseSortKeyCondition(text, "middle")).toEqual(expected);
  });

  it.each(["", "a", "=a", "= :a", "<>:a", "BETWEEN:a:b", "begins_with", " =:a"])("refuses %j", (text) => {
    expect(() => parseSortKeyCondition(text, "middle")).toThrow(Problem);
    expect(() => parseSortKeyCondition(text, "middle")).toThrow("begins_with:prefix");
  });

  it.each([">=:", "=:", "begins_with:", "between::", "between::a", "between:a:"])(
    "rejects an empty value: %j",
    (text) => {
      expect(() => parseSortKeyCondition(text, "middle")).toThrow("must not be empty");
    },
  );

  it("says why a between cannot be split", () => {
    expect(() => parseSortKeyCondition("between:a", "middle")).toThrow("two bounds");
    expect(() => parseSortKeyCondition("between:a:b:c", "middle")).toThrow(
      /middle colon.*must be odd, but there are 2/u,
    );
  });

  it("rejects bounds in the wrong order at the middle colon", () => {
    expect(() => parseSortKeyCondition("between:p:p:1:2", "middle")).toThrow(
      /lower bound "p:p".*upper bound "1:2"/u,
    );
    expect(parseSortKeyCondition("between:p:p:1:2", "first")).toEqual(between("p", "p:1:2"));
  });

  it("splits between bounds with equally many colons", () => {
    const parts = fc.array(fc.stringMatching(/^[^:]{1,4}$/u), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(parts, (some) => {
        const low = some.join(":");
        const high = `${low}x`;
        expect(parseSortKeyCondition(`between:${low}:${high}`, "middle")).toEqual(between(low, high));
      }),
    );
  });
});

describe("the range of a condition", () => {
  const key = fc.string({
    unit: fc.constantFrom("a", "b", "\uFFFF", "\u{10000}"),
    minLength: 1,
    maxLength: 3,
  });
  const inOrder = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

  it("follows the order of UTF-8 bytes for every operator", () => {
    fc.assert(
      fc.property(key, key, key, (sk, value, high) => {
        const has = (text: string, of = sk) => {
          const { lower, upper } = parseSortKeyCondition(text, "middle");
          const isAbove = lower === undefined || inOrder(of, lower.value) > (lower.inclusive ? -0.5 : 0);
          return isAbove && (upper === undefined || inOrder(of, upper.value) < (upper.inclusive ? 0.5 : 0));
        };
        const order = inOrder(sk, value);
        expect(has(`=:${value}`)).toBe(order === 0);
        expect(has(`<:${value}`)).toBe(order < 0);
        expect(has(`<=:${value}`)).toBe(order <= 0);
        expect(has(`>:${value}`)).toBe(order > 0);
        expect(has(`>=:${value}`)).toBe(order >= 0);
        expect(has(`begins_with:${value}`)).toBe(Buffer.from(sk).indexOf(value) === 0);
        expect(has(`between:${value}:${high}`)).toBe(order >= 0 && inOrder(sk, high) <= 0);
        // no range contains an item without a sort key
        for (const form of ["=:", "<:", "<=:", ">:", ">=:", "begins_with:"])
          expect(has(form + value, "")).toBe(false);
      }),
    );
  });
});

it("rejects a text that is longer than any key", () => {
  const longest = "x".repeat(1024 * 1024 - 2);
  expect(parseSortKeyCondition(`=:${longest}`, "middle")).toEqual(between(longest, longest));
  expect(() => parseSortKeyCondition(`=:${longest}x`, "middle")).toThrow("at most 1048576 characters");
});
