import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { getPropertyRuns } from "../testing/property-runs.js";
import { isJsonEqual } from "./compare-json.js";
import { isLosslessWithJsonParse, parseJson } from "./parse-json.js";
import { JsonError } from "./json-error.js";
import { jsonTextArbitrary } from "../testing/json-text.arbitrary.js";
import { isJsonObject, JsonNumber, getFieldEntries, getField, type JsonValue } from "./json-value.js";
import { LosslessJsonReader } from "./lossless-reader.js";
import { toPlainValue } from "./to-plain.js";
import { stringifyJson } from "./stringify-json.js";

const options = { maxDepth: 100 };
const read = (text: string): JsonValue => parseJson(text, options);
const readSlowly = (text: string): JsonValue =>
  new LosslessJsonReader(text, options.maxDepth, Infinity, "exact").read();

function refusal(text: string, maxDepth = options.maxDepth): JsonError {
  try {
    parseJson(text, { maxDepth });
  } catch (error) {
    if (error instanceof JsonError) return error;
    throw error;
  }
  throw new Error(`not refused: ${text.slice(0, 100)}`);
}

describe("parseJson", () => {
  it("reproduces every text except for white space and the spelling of escapes", () => {
    fc.assert(
      fc.property(jsonTextArbitrary, ({ compact, loose }) => {
        expect(stringifyJson(read(loose))).toBe(compact);
        expect(stringifyJson(read(compact))).toBe(compact);
      }),
      { numRuns: getPropertyRuns(600) },
    );
  });

  it("uses JSON.parse only if the result equals that of the lossless reader", () => {
    const runs = getPropertyRuns(600);
    let plain = 0;
    fc.assert(
      fc.property(jsonTextArbitrary, ({ loose }) => {
        const slow = readSlowly(loose);
        expect(isJsonEqual(read(loose), slow)).toBe(true);
        const isPlain = isLosslessWithJsonParse(loose, options.maxDepth);
        // JSON.parse may be wrong if names contain escapes
        if (isPlain || !loose.includes("\\")) expect(toPlainValue(slow)).toEqual(JSON.parse(loose));
        if (!isPlain) return;
        plain += 1;
        expect(stringifyJson(slow)).toBe(JSON.stringify(JSON.parse(loose)));
      }),
      { numRuns: runs },
    );
    expect(plain).toBeGreaterThan(runs / 10);
  });

  it("refuses exactly what JSON.parse refuses", () => {
    const edits = fc.array(
      fc.tuple(
        fc.nat(),
        fc.constantFrom("", '"', "\\", "{", "}", "[", "]", ",", ":", "0", "-", ".", "e", "x", "\n", "\\u00"),
      ),
      { minLength: 1, maxLength: 3 },
    );
    fc.assert(
      fc.property(jsonTextArbitrary, edits, ({ loose }, changes) => {
        let text = loose;
        for (const [place, piece] of changes) {
          const at = place % (text.length + 1);
          text = text.slice(0, at) + piece + text.slice(at + 1);
        }
        const parsed = attempt(() => JSON.parse(text) as JsonValue);
        const outcome = attempt(() => read(text));
        if (outcome instanceof JsonError && outcome.kind !== "syntax") return;
        expect(outcome instanceof JsonError, text).toBe(parsed instanceof SyntaxError);
      }),
      { numRuns: getPropertyRuns(1000) },
    );
  });

  it("keeps the spelling of numbers", () => {
    const text = "[1.0,1E5,-0,12345678901234567890,0.1,1e-7,-1.50,9007199254740993,1e+21,1e-400,0e999]";
    expect(stringifyJson(read(text))).toBe(text);
  });

  it("turns numbers that a double represents exactly into plain ones", () => {
    for (const text of ["0", "-1", "123456789012345", "9007199254740992", "12.5", "-0.000001", "1e+21"]) {
      expect(read(text)).toBe(Number(text));
    }
    expect(read("1.0")).toEqual(new JsonNumber("1.0"));
  });

  it("keeps integer-like names in place, escaped ones too", () => {
    for (const text of ['{"b":1,"10":2,"9":{"1":0}}', String.raw`{"b":1,"\u0031":2}`, '{"b":1,"10" \n:2}']) {
      const value = read(text);
      if (!isJsonObject(value)) throw new Error("not an object");
      expect([...getFieldEntries(value)][0]?.[0]).toBe("b");
    }
  });

  it("distinguishes an escaped name from an earlier one, unlike JSON.parse of Node 24", () => {
    for (const text of ['{"h":[],"\\\\":0}', '{"h":1,"\\"":2}', '{"h":1,"\\n":2}'])
      expect(stringifyJson(read(text))).toBe(text);
  });

  it("treats __proto__ as an ordinary field in both directions", () => {
    for (const text of ['{"__proto__":{"x":1}}', '{"__proto__":{"x":1.0}}']) {
      const value = read(text);
      expect(stringifyJson(value)).toBe(text);
      if (!isJsonObject(value)) throw new Error("not an object");
      expect(isJsonObject(getField(value, "__proto__"))).toBe(true);
      expect(getField(value, "x")).toBeUndefined();
      expect(getField(value, "toString")).toBeUndefined();
    }
  });

  it("lets the last of duplicate fields win, in the place of the first", () => {
    expect(stringifyJson(read('{"a":1,"b":2,"a":3}'))).toBe('{"a":3,"b":2}');
    expect(stringifyJson(read('{"a":1,"b":2,"a":3.0}'))).toBe('{"a":3.0,"b":2}');
  });

  it.each(["1e400", "-1e309", "1".repeat(400), "1e9999999999999999", "0e1000000000000000"])(
    "refuses %s as out of range",
    (text) => {
      expect(refusal(`{"a": ${text}}`).kind).toBe("number-range");
    },
  );

  it.each([
    String.raw`["\ud800"]`,
    String.raw`["\uDC00"]`,
    String.raw`["\ud83dx"]`,
    String.raw`["\ud83d\u0041"]`,
    String.raw`["\udE00\ud83d"]`,
    String.raw`{"\ud83d": 1}`,
    '["\ud800"]',
    '["\udc00\ud800"]',
    '{"\ud83d": 1}',
  ])("refuses the lone surrogate in %j", (text) => {
    expect(refusal(text).kind).toBe("surrogate");
  });

  it("accepts surrogate pairs, escaped and not", () => {
    expect(read(String.raw`"\ud83d\ude00"`)).toBe("😀");
    expect(read('"😀"')).toBe("😀");
  });

  it.each([
    ["", 0],
    ["[1,]", 3],
    ['{"a" 1}', 5],
    ["01", 1],
    ["1.", 2],
    ["-", 1],
    ["1e+", 3],
    ["[1] x", 4],
    ['"a\nb"', 2],
    [String.raw`"\x"`, 1],
    [String.raw`"\u12g4"`, 1],
    ["tru", 0],
    ["{a: 1}", 1],
    ["\uFEFF1", 0],
    ['"abc', 4],
    ["[1 2]", 3],
  ])("says where %j is wrong", (text, position) => {
    expect(refusal(text)).toMatchObject({ kind: "syntax", position });
  });

  it("gives line and column", () => {
    const error = refusal('{\n  "a": nope\n}');
    expect(error).toMatchObject({ line: 2, column: 8, position: 9 });
    expect(error.message).toBe('expected a value but found "n" (line 2, column 8)');
  });

  it("limits the depth in both directions", () => {
    for (const core of ["", "1.0", '"1":2']) {
      const [open, close] = core.startsWith('"') ? ['{"a":', "}"] : ["[", "]"];
      const inner = core.startsWith('"') ? `{${core}}` : `[${core}]`;
      const text = open.repeat(999) + inner + close.repeat(999);
      expect(stringifyJson(parseJson(text, { maxDepth: 1000 }))).toBe(text);
      expect(refusal(text, 999)).toMatchObject({ kind: "depth", position: open.length * 999 });
    }
    expect(refusal("[".repeat(1_000_000)).kind).toBe("depth");
    expect(refusal('{"a":'.repeat(1_000_000)).kind).toBe("depth");
    expect(parseJson("[[],[[]],[]]", { maxDepth: 3 })).toEqual([[], [[]], []]);
  });
});

describe("isLosslessWithJsonParse", () => {
  it.each([
    ['{"at":"2030-01-01T00:00:00.000Z","n":"1.0","price":12.5}', true],
    ['["123", "1e5"]', true],
    [String.raw`{"a":"\u00e9\n\u003c\"\u0031"}`, true],
    [String.raw`{"a\n":0}`, false],
    [String.raw`{"\"" :0}`, false],
    ['{"1a":0,"":1}', true],
    ['{"1":0}', false],
    ["[1.0]", false],
    ["[-0]", false],
    ["[1234567890123456789]", false],
    [String.raw`{"\u0031":0}`, false],
  ])("%j: %s", (text, expected) => {
    expect(isLosslessWithJsonParse(text, 10)).toBe(expected);
  });
});

function attempt<Value>(run: () => Value): Value | SyntaxError | JsonError {
  try {
    return run();
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof JsonError) return error;
    throw error;
  }
}
