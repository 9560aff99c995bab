import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultProfile as rules } from "../../openapi/gaps/profile.js";
import { compareUtf8 } from "../json/utf8-order.js";
import {
  matchesSortKey,
  parseSortKeyCondition,
  SortKeyConditionError,
  type SortKeyConditionRules,
} from "./sort-key-condition.js";
import { sortKeyComparison } from "./sort-key-order.js";
import { sortKeyRange } from "./sort-key-range.js";

describe("parseSortKeyCondition", () => {
  it.each([
    ["=:a:b", { kind: "eq", value: "a:b" }],
    ["<:a", { kind: "lt", value: "a" }],
    ["<=:=:", { kind: "lte", value: "=:" }],
    [">: a ", { kind: "gt", value: " a " }],
    ["begins_with:between:x", { kind: "beginsWith", prefix: "between:x" }],
    ["between:a:b", { kind: "between", low: "a", high: "b" }],
    ["between:b:a", { kind: "between", low: "b", high: "a" }],
    [
      "between:2024-01-01T00:00:00Z:2024-02-01T00:00:00Z",
      { kind: "between", low: "2024-01-01T00:00:00Z", high: "2024-02-01T00:00:00Z" },
    ],
  ])("reads %j", (text, expected) => {
    expect(parseSortKeyCondition(text, rules)).toEqual(expected);
  });

  it.each(["", "a", "=a", "= :a", "<>:a", "BETWEEN:a:b", "begins_with", " =:a"])("refuses %j", (text) => {
    expect(() => parseSortKeyCondition(text, rules)).toThrow(SortKeyConditionError);
    expect(() => parseSortKeyCondition(text, rules)).toThrow("begins_with:prefix");
  });

  it.each([">=:", "=:", "begins_with:", "between::", "between::a", "between:a:"])(
    "takes an empty value for a mistake: %j",
    (text) => {
      expect(() => parseSortKeyCondition(text, rules)).toThrow("must not be empty");
      const lenient: SortKeyConditionRules = { ...rules, "empty-sort-key": "absent" };
      expect(parseSortKeyCondition(text, lenient)).toBeDefined();
    },
  );

  it("says why a between cannot be split", () => {
    expect(() => parseSortKeyCondition("between:a", rules)).toThrow("two bounds");
    expect(() => parseSortKeyCondition("between:a:b:c", rules)).toThrow(/middle colon.*2 colons/u);
  });

  it("refuses bounds that the middle colon leaves in the wrong order: another one was meant", () => {
    expect(() => parseSortKeyCondition("between:p:p:1:2", rules)).toThrow(/"p:p" as low.*"1:2" as high/u);
    const first: SortKeyConditionRules = { ...rules, "between-split": "first" };
    expect(parseSortKeyCondition("between:p:p:1:2", first)).toMatchObject({ low: "p", high: "p:1:2" });
  });

  it("splits between bounds with equally many colons", () => {
    const parts = fc.array(fc.stringMatching(/^[^:]{1,4}$/u), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(parts, (some) => {
        const low = some.join(":");
        const high = `${low}x`;
        expect(parseSortKeyCondition(`between:${low}:${high}`, rules)).toEqual({
          kind: "between",
          low,
          high,
        });
      }),
    );
  });
});

describe("matchesSortKey", () => {
  const key = fc.string({
    unit: fc.constantFrom("a", "b", "\uFFFF", "\u{10000}"),
    minLength: 1,
    maxLength: 3,
  });
  const orders = {
    "utf-8": (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b)),
    "utf-16": (a: string, b: string) =>
      Buffer.compare(Buffer.from(a, "utf16le").swap16(), Buffer.from(b, "utf16le").swap16()),
  };

  it.each(["utf-8", "utf-16"] as const)("follows the order of %s for every operator", (name) => {
    const inOrder = orders[name];
    const own = { ...rules, "sort-key-order": name };
    fc.assert(
      fc.property(key, key, key, (sk, value, high) => {
        const matches = (text: string) => {
          const condition = parseSortKeyCondition(text, own);
          return condition !== undefined && matchesSortKey(condition, sk, sortKeyComparison(name), "none");
        };
        const order = inOrder(sk, value);
        expect(matches(`=:${value}`)).toBe(order === 0);
        expect(matches(`<:${value}`)).toBe(order < 0);
        expect(matches(`<=:${value}`)).toBe(order <= 0);
        expect(matches(`>:${value}`)).toBe(order > 0);
        expect(matches(`>=:${value}`)).toBe(order >= 0);
        expect(matches(`begins_with:${value}`)).toBe(Buffer.from(sk).indexOf(value) === 0);
        expect(matches(`between:${value}:${high}`)).toBe(order >= 0 && inOrder(sk, high) <= 0);
      }),
    );
  });

  it("selects what lies in the range that the store is asked for", () => {
    const forms = fc.constantFrom("=:", "<:", "<=:", ">:", ">=:", "begins_with:", "between:a:", "?");
    const lenient: SortKeyConditionRules = {
      ...rules,
      "empty-sort-key": "absent",
      "unknown-sort-key-condition": "selects-nothing",
    };
    const keyOrNone = fc.oneof(fc.constant(""), key);
    fc.assert(
      fc.property(
        forms,
        keyOrNone,
        keyOrNone,
        fc.constantFrom("none", "below"),
        (form, value, sk, noSortKey) => {
          const condition = parseSortKeyCondition(form + value, lenient);
          if (condition === undefined) throw new Error("every form here is a condition");
          const { lower, upper } = sortKeyRange(condition, noSortKey);
          const isAbove = lower === undefined || compareUtf8(sk, lower.value) > (lower.inclusive ? -0.5 : 0);
          const isBelow = upper === undefined || compareUtf8(sk, upper.value) < (upper.inclusive ? 0.5 : 0);
          expect(matchesSortKey(condition, sk, compareUtf8, noSortKey)).toBe(isAbove && isBelow);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
