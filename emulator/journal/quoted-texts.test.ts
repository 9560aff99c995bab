import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { costRatio } from "../testing/cost-ratio.js";
import { endOfValue, quotedTexts, startOfValue, unquoted } from "./quoted-texts.js";
import { Redactor } from "./redact.js";

describe("the value of a member", () => {
  it("ends where it was written to end, whatever it is and whatever follows", () => {
    const space = fc.string({ unit: fc.constantFrom(" ", "\n", "\t", "\r"), maxLength: 3 });
    const rest = fc.constantFrom("}", ',"b":1}', " ]", "");
    fc.assert(
      fc.property(fc.jsonValue(), space, rest, (value, gap, following) => {
        const written = JSON.stringify(value);
        const text = `{"name"${gap}:${gap}${written}${following}`;
        const start = startOfValue(text, '{"name"'.length);
        expect(text.slice(start, endOfValue(text, start))).toBe(written);
      }),
    );
  });

  it("ends with the text where nothing ends it, and is nothing where there is none", () => {
    for (const value of ['"abc', '"abc\\', '"abc\\"', "[1,[2]", '{"a":"', "12"])
      expect(endOfValue(value, 0)).toBe(value.length);
    expect(endOfValue("}", 0)).toBe(0);
    expect(startOfValue('"a" "b"', 3)).toBe(-1);
  });
});

describe("the strings of a text", () => {
  it("are all of those that were written", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" })), (texts) => {
        expect(quotedTexts(JSON.stringify(texts)).map(unquoted)).toEqual(texts);
      }),
    );
  });

  it("are looked through about as fast as they are read, though every character is escaped", () => {
    const body = JSON.stringify({ token: "\\".repeat(30_000), text: '"'.repeat(30_000) });
    expect(
      costRatio(
        () => JSON.parse(body) as unknown,
        () => new Redactor().body(body, false),
      ),
    ).toBeLessThan(30);
  });
});
