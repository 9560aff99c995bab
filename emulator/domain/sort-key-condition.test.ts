import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesSortKey, parseSortKeyCondition, SortKeyConditionError } from "./sort-key-condition.js";

describe("parseSortKeyCondition", () => {
  it.each([
    ["=:a:b", { kind: "eq", value: "a:b" }],
    ["<:a", { kind: "lt", value: "a" }],
    ["<=:=:", { kind: "lte", value: "=:" }],
    [">: a ", { kind: "gt", value: " a " }],
    [">=:", { kind: "gte", value: "" }],
    ["begins_with:", { kind: "beginsWith", prefix: "" }],
    ["begins_with:between:x", { kind: "beginsWith", prefix: "between:x" }],
    ["between:a:b", { kind: "between", low: "a", high: "b" }],
    [
      "between:2024-01-01T00:00:00Z:2024-02-01T00:00:00Z",
      { kind: "between", low: "2024-01-01T00:00:00Z", high: "2024-02-01T00:00:00Z" },
    ],
    ["between::", { kind: "between", low: "", high: "" }],
  ])("reads %j", (text, expected) => {
    expect(parseSortKeyCondition(text)).toEqual(expected);
  });

  it.each(["", "a", "=a", "= :a", "<>:a", "BETWEEN:a:b", "begins_with", " =:a"])("refuses %j", (text) => {
    expect(() => parseSortKeyCondition(text)).toThrow(SortKeyConditionError);
    expect(() => parseSortKeyCondition(text)).toThrow("begins_with:prefix");
  });

  it("says why a between cannot be split", () => {
    expect(() => parseSortKeyCondition("between:a")).toThrow("two bounds");
    expect(() => parseSortKeyCondition("between:a:b:c")).toThrow(/middle colon.*2 colons/u);
  });

  it("splits between bounds with equally many colons", () => {
    const parts = fc.array(fc.stringMatching(/^[^:]{0,4}$/u), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(parts, (some) => {
        const low = some.join(":");
        const high = some.map((part) => `${part}x`).join(":");
        expect(parseSortKeyCondition(`between:${low}:${high}`)).toEqual({ kind: "between", low, high });
      }),
    );
  });
});

describe("matchesSortKey", () => {
  it("follows the order of UTF-8 bytes for every operator", () => {
    const key = fc.string({ unit: fc.constantFrom("a", "b", "\uFFFF", "\u{10000}"), maxLength: 3 });
    const bytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
    fc.assert(
      fc.property(key, key, key, (sk, value, high) => {
        const matches = (text: string) => matchesSortKey(parseSortKeyCondition(text), sk);
        const order = bytes(sk, value);
        expect(matches(`=:${value}`)).toBe(order === 0);
        expect(matches(`<:${value}`)).toBe(order < 0);
        expect(matches(`<=:${value}`)).toBe(order <= 0);
        expect(matches(`>:${value}`)).toBe(order > 0);
        expect(matches(`>=:${value}`)).toBe(order >= 0);
        expect(matches(`begins_with:${value}`)).toBe(Buffer.from(sk).indexOf(value) === 0);
        expect(matches(`between:${value}:${high}`)).toBe(order >= 0 && bytes(sk, high) <= 0);
      }),
    );
  });
});
