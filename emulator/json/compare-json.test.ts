import fc from "fast-check";
it("counts the fields of an object once, however many others it is compared with", () => {
  let counts = 0;
  const value = new Proxy<Record<string, JsonValue>>(
    { a: 1, b: 2 },
    { ownKeys: (it) => ((counts += 1), Reflect.ownKeys(it)) },
  );
  for (let times = 0; times < 100; times += 1) expect(isJsonEqual({ a: 1 }, value)).toBe(false);
  expect(counts).toBe(1);
});

import { describe, expect, it } from "vitest";
import { compareScalars, isJsonEqual } from "./compare-json.js";
import { compareNumbers } from "./compare-numbers.js";
import { measureCostRatio } from "../testing/measure-cost-ratio.js";
import { jsonTextArbitrary } from "../testing/json-text.arbitrary.js";
import { JsonNumber, type JsonValue } from "./json-value.js";
import { parseJson } from "./parse-json.js";

const read = (text: string): JsonValue => parseJson(text, { maxDepth: 50 });

describe("compareNumbers", () => {
  it("agrees with exact integer arithmetic", () => {
    const digits = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
    const power = fc.integer({ min: -40, max: 40 });
    // the value of `m e p`, multiplied by 10^40 to make it an integer
    const exact = (mantissa: bigint, exponent: number) => mantissa * 10n ** BigInt(exponent + 40);
    fc.assert(
      fc.property(digits, power, digits, power, fc.boolean(), (a, p, b, q, near) => {
        const right = near ? a * 10n : b;
        const rightPower = near && p > -40 ? p - 1 : q;
        const difference = exact(a, p) - exact(right, rightPower);
        const order = compareNumbers(new JsonNumber(`${a}e${p}`), new JsonNumber(`${right}E${rightPower}`));
        expect(Math.sign(order)).toBe(difference < 0n ? -1 : difference > 0n ? 1 : 0);
      }),
    );
  });

  it("agrees with doubles where both are exact", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), (a, b) => {
        const exact = compareNumbers(new JsonNumber(String(a)), b);
        expect(Math.sign(exact)).toBe(Math.sign(compareNumbers(a, b)));
      }),
    );
  });

  it("handles far exponents and long zeros at once", () => {
    expect(
      compareNumbers(new JsonNumber("1e-999999999999999"), new JsonNumber("1e-999999999999998")),
    ).toBeLessThan(0);
    expect(compareNumbers(new JsonNumber(`0.${"0".repeat(100_000)}1`), 0)).toBeGreaterThan(0);
    expect(compareNumbers(new JsonNumber("-0.0e5"), 0)).toBe(0);
  });
});

describe("isJsonEqual", () => {
  it("counts the fields of an object once, however many others it is compared with", () => {
    let counts = 0;
    const value = new Proxy<Record<string, JsonValue>>(
      { a: 1, b: 2 },
      { ownKeys: (object) => ((counts += 1), Reflect.ownKeys(object)) },
    );
    for (let times = 0; times < 100; times += 1) expect(isJsonEqual({ a: 1 }, value)).toBe(false);
    expect(counts).toBe(1);
  });

  it.each([
    ["1", "1.0", true],
    ["1", "1e0", true],
    ["-0", "0", true],
    ["100", "1E+2", true],
    ["9007199254740993", "9007199254740992", false],
    ['{"a":1,"b":[2]}', '{"b":[2.0],"a":1}', true],
    ['{"a":1}', '{"b":1}', false],
    ['{"a":1}', '{"a":1,"b":1}', false],
    ['{"toString":1}', '{"x":1}', false],
    ["[1,2]", "[2,1]", false],
    ["[1]", "[1,2]", false],
    ["[]", "{}", false],
    ['{"text":"1.0"}', "1.0", false],
    ['"1"', "1", false],
    ["null", "false", false],
    ["null", "null", true],
  ])("%s and %s: %s", (a, b, expected) => {
    expect(isJsonEqual(read(a), read(b))).toBe(expected);
    expect(isJsonEqual(read(b), read(a))).toBe(expected);
  });

  it("treats spellings of a value as equal, and different values as unequal", () => {
    fc.assert(
      fc.property(jsonTextArbitrary, ({ compact, loose }) => {
        expect(isJsonEqual(read(compact), read(loose))).toBe(true);
        expect(isJsonEqual(read(`[${compact}]`), read(`[${loose},0]`))).toBe(false);
      }),
    );
  });
});

describe("compareScalars", () => {
  it("orders only numbers and strings, and never across types", () => {
    expect(compareScalars(read("9007199254740993"), read("9007199254740992"))).toBeGreaterThan(0);
    expect(compareScalars("10", "9")).toBeLessThan(0);
    for (const [a, b] of [
      ["1", '"1"'],
      ["true", "false"],
      ["null", "null"],
      ["[1]", "[1]"],
      ["{}", "{}"],
    ] as const) {
      expect(compareScalars(read(a), read(b))).toBeUndefined();
    }
  });
});

it("parses a long number once, however often it is compared", () => {
  const compare = (digits: number) => () => {
    const number = new JsonNumber("7".repeat(digits));
    for (let time = 0; time < 3000; time += 1) isJsonEqual(number, time);
  };
  expect(measureCostRatio(compare(30), compare(10_000))).toBeLessThan(20);
});
