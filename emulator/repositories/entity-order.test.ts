import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isJsonEqual } from "../json/compare-json.js";
import { jsonTextArbitrary } from "../testing/json-text.arbitrary.js";
import type { JsonValue } from "../json/json-value.js";
import { parseJson } from "../json/parse-json.js";
import {
  compareEntityPositions,
  compareJson,
  compareSortValues,
  type EntityPosition,
} from "./entity-order.js";

const read = (text: string): JsonValue => parseJson(text, { maxDepth: 100 });
const small = fc.jsonValue({ maxDepth: 2 }).map((value) => read(JSON.stringify(value)));
const anyValue = fc.oneof(
  small,
  jsonTextArbitrary.map(({ compact }) => read(compact)),
  fc
    .constantFrom('{"a":1,"b":2}', '{"b":2.0,"a":1e0}', "1.0", "1", "[1]", "[1.0,2]", "-0", "0", "[]", "{}")
    .map(read),
);

const positions = fc
  .array(fc.option(anyValue, { nil: undefined }), { maxLength: 8 })
  .map((values) => values.map((value, sequence): EntityPosition => ({ value, sequence })));

describe("compareJson", () => {
  it("orders the types, and each type naturally", () => {
    const ordered = [
      "null",
      "false",
      "true",
      "-2",
      "9",
      "10",
      "9007199254740992",
      "9007199254740993",
      '""',
      '"Z"',
      '"a"',
      '"aa"',
      '"\uffff"',
      '"😀"',
      "[]",
      "[1]",
      "[1,0]",
      "[2]",
      "{}",
      '{"a":1}',
      '{"b":0,"a":1}',
      '{"a":2}',
      '{"b":0}',
    ];
    const shuffled = [...ordered].reverse().map(read);
    expect(shuffled.sort(compareJson)).toEqual(ordered.map(read));
  });

  it("is antisymmetric, and 0 exactly for equal values", () => {
    fc.assert(
      fc.property(anyValue, anyValue, (a, b) => {
        expect(Math.sign(compareJson(a, b))).toBe(0 - Math.sign(compareJson(b, a)));
        expect(compareJson(a, b) === 0).toBe(isJsonEqual(a, b));
      }),
      { numRuns: 1000 },
    );
  });

  it("is transitive", () => {
    fc.assert(
      fc.property(anyValue, anyValue, anyValue, (...values) => {
        const [a, b, c] = values.sort(compareJson);
        expect(compareJson(a, b)).toBeLessThanOrEqual(0);
        expect(compareJson(b, c)).toBeLessThanOrEqual(0);
        expect(compareJson(a, c)).toBeLessThanOrEqual(0);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("compareSortValues", () => {
  it("puts missing values first, before null", () => {
    expect(compareSortValues(undefined, null)).toBeLessThan(0);
    expect(compareSortValues(null, undefined)).toBeGreaterThan(0);
    expect(compareSortValues(undefined, undefined)).toBe(0);
  });
});

describe("compareEntityPositions", () => {
  it("gives one order for any order of arrival; descending is the exact reverse", () => {
    fc.assert(
      fc.property(positions, (given) => {
        const sorted = (all: readonly EntityPosition[], descending: boolean) =>
          [...all].sort((a, b) => compareEntityPositions(a, b, descending)).map((one) => one.sequence);
        const ascending = sorted(given, false);
        expect(sorted([...given].reverse(), false)).toEqual(ascending);
        expect(sorted(given, true)).toEqual([...ascending].reverse());
      }),
    );
  });

  it("lets a cursor continue after any position without loss or repetition", () => {
    fc.assert(
      fc.property(positions, fc.boolean(), (all, descending) => {
        const sorted = [...all].sort((a, b) => compareEntityPositions(a, b, descending));
        sorted.forEach((cursor, index) => {
          const after = sorted.filter((one) => compareEntityPositions(one, cursor, descending) > 0);
          expect(after).toEqual(sorted.slice(index + 1));
        });
      }),
    );
  });
});

it("reads the fields of an object once, however often it is compared", () => {
  let looks = 0;
  class CountedMap extends Map<string, JsonValue> {
    override [Symbol.iterator]() {
      looks += 1;
      return super[Symbol.iterator]();
    }
  }
  const objects = [3, 1, 2].map((last) => new CountedMap(Object.entries({ b: 1, a: last })));
  for (let time = 0; time < 100; time += 1) objects.sort(compareJson);
  expect(objects.map((object) => object.get("a"))).toEqual([1, 2, 3]);
  expect(looks).toBe(3);
});
