import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findDifferences, markDifference } from "./differences.js";

const json = fc.json({ maxDepth: 4 });

describe("differences of two values", () => {
  it("are empty for two spellings of one value", () => {
    fc.assert(
      fc.property(json, (text) => {
        const value = JSON.parse(text) as unknown;
        expect(findDifferences(text, JSON.stringify(value, null, 3))).toEqual([]);
      }),
    );
    expect(findDifferences('{"a":1.50,"b":[100]}', '{"b":[1e2],"a":15e-1}')).toEqual([]);
  });

  it("name the one changed place, in lists of any length", () => {
    const places = fc.array(fc.tuple(fc.nat(1000), fc.string()), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(places, fc.nat(), (pairs, chosen) => {
        const rows = pairs.map(([id, text], n) => ({ n, id, text }));
        const at = chosen % rows.length;
        const changed = rows.map((row, n) => (n === at ? { ...row, id: row.id + 1 } : row));
        expect(findDifferences(JSON.stringify(rows), JSON.stringify(changed))).toEqual([
          { path: `[${at}].id`, expected: `${rows[at]?.id}`, actual: `${(rows[at]?.id ?? 0) + 1}` },
        ]);
      }),
    );
  });

  it("report only the missing value", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: 60 }), fc.nat(), (list, chosen) => {
        const at = chosen % list.length;
        const rest = list.filter((_, n) => n !== at);
        expect(findDifferences(JSON.stringify(list), JSON.stringify(rest))).toEqual([
          { path: `[${at}]`, expected: `${list[at]}` },
        ]);
        expect(findDifferences(JSON.stringify(rest), JSON.stringify(list))).toEqual([
          { path: `[${at}]`, actual: `${list[at]}` },
        ]);
      }),
    );
    expect(findDifferences('{"a":1,"it\'s":2}', '{"a":1}')).toEqual([{ path: `["it's"]`, expected: "2" }]);
  });

  it("keep every digit, and mention lost precision only if that is the whole difference", () => {
    expect(findDifferences("12345678901234567890.1", "12345678901234567890.2")).toEqual([
      { path: "", expected: "12345678901234567890.1", actual: "12345678901234567890.2" },
    ]);
    expect(findDifferences("[9007199254740993,1]", "[9007199254740992,2]")).toEqual([
      { path: "[1]", expected: "1", actual: "2" },
    ]);
  });

  it("are not confused by names from Object.prototype", () => {
    expect(findDifferences('{"__proto__":1,"constructor":2}', "{}")).toHaveLength(2);
  });
});

describe("marking a difference", () => {
  it("leaves the texts unchanged except for the marks", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 20 });
    fc.assert(
      fc.property(text, text, text, text, (before, one, other, after) => {
        const { expected, actual } = markDifference(before + one + after, before + other + after);
        expect(expected.before + expected.differs + expected.after).toBe(before + one + after);
        expect(actual.before + actual.differs + actual.after).toBe(before + other + after);
        expect([expected.before, expected.after]).toEqual([actual.before, actual.after]);
      }),
    );
  });

  it("shows the surroundings of the difference in a long text", () => {
    const long = (digit: string) => `"${"x".repeat(5000)}${digit}${"y".repeat(5000)}"`;
    const { expected, actual } = markDifference(long("7"), long("8"));
    expect([expected.differs, actual.differs]).toEqual(["7", "8"]);
    expect(expected.before.length + expected.after.length).toBeLessThan(80);
  });
});
