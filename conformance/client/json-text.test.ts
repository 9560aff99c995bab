import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalizeNumber, JsonText, parseJson, stringifyJson } from "./json-text.js";

describe("normalizeNumber", () => {
  it("is the same for all spellings of a value and for no other value", () => {
    for (const [a, b, same] of [
      ["1.50", "15e-1", true],
      ["100", "1E2", true],
      ["-0", "0.000e7", true],
      ["9007199254740993", "9007199254740992", false],
      ["0.1", "0.10000000000000000001", false],
      ["-3", "3", false],
    ] as const)
      expect(normalizeNumber(a) === normalizeNumber(b), `${a} ${b}`).toBe(same);
  });

  it("agrees with doubles that represent a value exactly", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 0, max: 12 }), (digits, shift) => {
        const zeros = "0".repeat(shift);
        expect(normalizeNumber(`${digits}${zeros}`)).toBe(normalizeNumber(`${digits}e${shift}`));
        expect(normalizeNumber(`${digits}.${zeros || "0"}`)).toBe(normalizeNumber(String(digits)));
      }),
    );
  });
});

it("normalizes a number with a million zeros inside, which quadratic time would not allow", () => {
  const digits = `1${"0".repeat(1_000_000)}1`;
  expect(normalizeNumber(`${digits}.0`)).toBe(`${digits}e0`);
});

describe("parseJson", () => {
  it("reads what JSON.stringify writes, with any names and after any other input", () => {
    const texts = ['{"h":[],"\\\\":0}', '{"h":1,"\\"":2}', '{"h":1,"__proto__":{"\\n":2}}'];
    for (const text of texts) expect(JSON.stringify(parseJson(text))).toBe(text);
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(JSON.stringify(parseJson(text))).toBe(text);
      }),
    );
  });
});

describe("stringifyJson", () => {
  it("writes what JSON.stringify writes, and raw texts unchanged", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(stringifyJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    expect(stringifyJson({ a: undefined, b: [new JsonText("1.0"), null] })).toBe('{"b":[1.0,null]}');
  });
});
