import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json/json-value.js";
import { parseJson } from "../json/parse-json.js";
import { stringifyJson } from "../json/stringify-json.js";
import { createEntityPreparer, TooManyDefaultsError, type EntityPreparer } from "./entity-preparer.js";
import { findSchemaMistakes } from "./find-schema-mistakes.js";
import { SchemaReader } from "./schema-reader.js";
import { defaultProfile, type Profile } from "../../openapi/gaps/profile.js";

type UnknownFieldPolicy = Profile["entity-unknown-fields"];

function getRules(unknownFields: UnknownFieldPolicy = "keep"): Profile {
  return { ...defaultProfile, "entity-unknown-fields": unknownFields, "entity-null-fields": "refused" };
}
import { measureProcessorMs } from "../testing/measure-processor-ms.js";

function read(text: string): JsonObject {
  return parseJson(text, { maxDepth: 200 }) as JsonObject;
}

function compileBy(rules: Profile, schema: JsonObject): EntityPreparer {
  expect(findSchemaMistakes(schema, rules)).toEqual([]);
  return createEntityPreparer(new SchemaReader(rules["pattern-match"]).readFields(schema, "", 1), rules);
}

function compile(schema: unknown, unknownFields: UnknownFieldPolicy = "keep"): EntityPreparer {
  return compileBy(getRules(unknownFields), read(JSON.stringify(schema)));
}

/** Returns the stored text, or the mistakes. */
function prepare(
  schema: unknown,
  data: unknown,
  unknownFields?: UnknownFieldPolicy,
): string | readonly string[] {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  const prepared = compile(schema, unknownFields).prepare(read(text));
  return "mistakes" in prepared
    ? prepared.mistakes.map(({ pointer, detail }) => `${pointer} ${detail}`)
    : stringifyJson(prepared.data);
}

const accepts = (schema: unknown, data: unknown): boolean => typeof prepare(schema, data) === "string";

describe("createEntityPreparer", () => {
  it("takes any object without a schema", () => {
    expect(accepts({}, { a: null, b: [1, { c: "d" }] })).toBe(true);
    expect(accepts({ a: { type: "object", properties: {} } }, { a: { b: 1 } })).toBe(true);
  });

  it.each(["string", "number", "boolean", "array", "object"])("validates the type of a %s field", (type) => {
    const values = { string: "1", number: 1, boolean: true, array: [], object: {}, null: null };
    for (const [name, value] of Object.entries(values))
      expect(accepts({ a: { type } }, { a: value })).toBe(name === type);
  });

  it("requires exactly the required fields", () => {
    const schema = { a: { type: "string", required: true }, b: { type: "string" } };
    expect(accepts(schema, { a: "" })).toBe(true);
    expect(prepare(schema, { b: "" })).toEqual(["/data/a is required"]);
  });

  it("counts code points and includes the bounds", () => {
    const schema = { a: { type: "string", minLength: 2, maxLength: 3 } };
    expect([1, 2, 3, 4].map((length) => accepts(schema, { a: "😀".repeat(length) }))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it("includes the bounds of numbers and arrays", () => {
    const numbers = { a: { type: "number", min: -1.5, max: 2 } };
    expect([-1.6, -1.5, 0, 2, 2.1].map((a) => accepts(numbers, { a }))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
    const digits = "900719925474099";
    const exact = compileBy(
      getRules(),
      read(`{"a": {"type": "number", "min": ${digits}2.5, "max": ${digits}3}}`),
    );
    const refused = (a: string) => "mistakes" in exact.prepare(read(`{"a": ${digits}${a}}`));
    expect(["2", "2.5", "3", "3.1", "4"].map(refused)).toEqual([true, false, false, true, true]);
    const arrays = { a: { type: "array", minItems: 1, maxItems: 2 } };
    expect([0, 1, 2, 3].map((length) => accepts(arrays, { a: Array(length).fill(0) }))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it("validates elements and fields at every depth", () => {
    const schema = {
      lines: {
        type: "array",
        items: { type: "object", properties: { count: { type: "number", min: 1, required: true } } },
      },
    };
    expect(accepts(schema, { lines: [{ count: 1 }] })).toBe(true);
    expect(prepare(schema, { lines: [{ count: 0 }, {}, 7] })).toEqual([
      "/data/lines/0/count must be >= 1",
      "/data/lines/1/count is required",
      "/data/lines/2 must be an object, not the number 7",
    ]);
  });

  it("reports all violations at once, with pointers", () => {
    const schema = {
      a: { type: "string", maxLength: 1, pattern: "^x" },
      "b/c~d": { type: "number", required: true },
      e: { type: "boolean" },
    };
    expect(prepare(schema, { a: "yy", e: null })).toEqual([
      "/data/b~1c~0d is required",
      "/data/a must have at most 1 characters",
      "/data/a must match ^x",
      "/data/e must be true or false, not null",
    ]);
  });

  it("separates two patterns of one schema", () => {
    const schema = { a: { type: "string", pattern: "^a+$" }, b: { type: "string", pattern: "^b+$" } };
    expect(accepts(schema, { a: "aa", b: "bb" })).toBe(true);
    expect(accepts(schema, { a: "bb", b: "bb" })).toBe(false);
    expect(accepts(schema, { a: "aa", b: "aa" })).toBe(false);
  });

  it("distinguishes any two patterns", () => {
    const letter = fc.constantFrom("a", "b", "é", "😀", "/", "\\d");
    fc.assert(
      fc.property(letter, letter, letter, letter, (first, second, a, b) => {
        const schema = { a: { type: "string", pattern: first }, b: { type: "string", pattern: second } };
        const expected = new RegExp(first, "u").test(a) && new RegExp(second, "u").test(b);
        expect(accepts(schema, { a, b })).toBe(expected);
      }),
    );
  });

  it("does not anchor patterns", () =>
    expect(accepts({ a: { type: "string", pattern: "b" } }, { a: "abc" })).toBe(true));

  it.each(["(a+)+$", "^(([a-z])+.)+[A-Z]([a-z])+$"])("is done with %s on a long text at once", (pattern) => {
    const matching = measureProcessorMs(() =>
      expect(accepts({ a: { type: "string", pattern } }, { a: `${"a".repeat(100_000)}!` })).toBe(false),
    );
    expect(matching).toBeLessThan(2000);
  });

  it("limits the work of large patterns on long texts, in one string or many", () => {
    const schema = { a: { type: "array", items: { type: "string", pattern: "[ab]*a[ab]{900}[cd]" } } };
    const preparer = compile(schema);
    for (const texts of [["ab".repeat(200_000)], Array<string>(4000).fill("ab".repeat(50))]) {
      let prepared: unknown;
      expect(measureProcessorMs(() => (prepared = preparer.prepare({ a: texts })))).toBeLessThan(5000);
      expect(prepared).toMatchObject({
        mistakes: [{ pointer: "/data", detail: expect.stringMatching(/too long to match/) as string }],
      });
    }
    // the limit applies to each entity separately
    expect(preparer.prepare({ a: ["c"] })).toMatchObject({ mistakes: [{ pointer: "/data/a/0" }] });
  });

  it.each(["toString", "valueOf", "hasOwnProperty", "0", "a.b", "", "ü'\"\\", "$ref", "default"])(
    "does not mistake an inherited %s for a field of the data or the schema",
    (name) => {
      const schema = { [name]: { type: "string", required: true } };
      expect(accepts(schema, {})).toBe(false);
      expect(accepts(schema, { [name]: "x" })).toBe(true);
      expect(accepts(schema, { [name]: 1 })).toBe(false);
      expect(prepare({ other: { type: "string" } }, { [name]: 1 }, "reject")).toHaveLength(1);
    },
  );

  it("names at most a thousand violations", () => {
    const mistakes = prepare({ a: { type: "array", items: { type: "string" } } }, { a: Array(3000).fill(1) });
    expect(mistakes).toHaveLength(1001);
    expect(mistakes.at(-1)).toContain("more mistakes were found");
  });

  it("does no more work for mistakes that a response does not name", () => {
    const many = Array.from({ length: 490 }, (_, index) => [`f${index}`, { type: "string", required: true }]);
    const properties = Object.fromEntries(many) as unknown;
    const preparer = compile({ a: { type: "array", items: { type: "object", properties } } });
    let looks = 0;
    const entry = new Proxy({}, { getOwnPropertyDescriptor: () => void (looks += 1) });
    expect(preparer.prepare({ a: Array<JsonObject>(5000).fill(entry) })).toHaveProperty(
      "mistakes.length",
      1001,
    );
    expect(looks).toBeLessThan(1500);
  });

  it("takes whole patterns of the maximum length and size", () => {
    const rules: Profile = { ...getRules(), "pattern-match": "whole" };
    for (const pattern of ["a".repeat(1000), "(?:a?){900}(?:a?){900}(?:a?){199}"]) {
      const preparer = compileBy(rules, { a: { type: "string", pattern } });
      expect(preparer.prepare({ a: "a".repeat(1000) })).not.toHaveProperty("mistakes");
      expect(preparer.prepare({ a: "b" })).toHaveProperty("mistakes");
    }
  });

  describe("defaults", () => {
    it("fills in missing values at every depth, after the given ones", () => {
      const schema = {
        a: { type: "boolean", default: true },
        b: { type: "object", properties: { c: { type: "number", default: 1 } } },
        d: { type: "array", items: { type: "object", properties: { e: { type: "string", default: "x" } } } },
        f: { type: "object", properties: { g: { type: "number", default: 2 } }, default: {} },
      };
      expect(prepare(schema, { b: {}, d: [{}, { e: "y" }] })).toBe(
        '{"b":{"c":1},"d":[{"e":"x"},{"e":"y"}],"a":true,"f":{"g":2}}',
      );
      expect(prepare(schema, {})).toBe('{"a":true,"f":{"g":2}}');
    });

    it("keeps given values, including null", () => {
      const schema = { a: { type: "boolean", default: true } };
      expect(prepare(schema, { a: false })).toBe('{"a":false}');
      expect(prepare(schema, { a: null })).toHaveLength(1);
    });

    it("are limited to the size of an entity", () => {
      const named = (value: string) =>
        Object.fromEntries(
          Array.from({ length: 100 }, (_, at) => [`f${at}`, { type: "string", default: value }]),
        );
      const lists = compile({
        a: { type: "array", items: { type: "object", properties: named("0123456789") } },
      });
      const withElements = (count: number) => () =>
        lists.prepare({ a: Array<object>(count).fill({}) as never });
      expect(withElements(300)()).toHaveProperty("data");
      expect(withElements(400)).toThrow(TooManyDefaultsError);
      expect(
        measureProcessorMs(() => expect(withElements(100_000)).toThrow(TooManyDefaultsError)),
      ).toBeLessThan(1000);
    });

    it("are refused in a schema where they multiply", () => {
      let items: object = { type: "object" };
      for (let depth = 0; depth < 7; depth += 1)
        items = {
          type: "object",
          properties: { a: { type: "array", items, default: Array(10).fill({}) } },
        };
      expect(findSchemaMistakes(read(JSON.stringify({ a: items })), getRules())).toEqual([
        { pointer: "/schema", detail: "has nested defaults that make an entity too large" },
      ]);
    });

    it("satisfies `required`", () => {
      expect(accepts({ a: { type: "string", required: true, default: "x" } }, {})).toBe(true);
    });
  });

  describe("the text of data", () => {
    const text = '{"2":1.50,"1":12345678901234567890,"__proto__":{"x":-0},"n":{"z":1E5,"y":[1.0]},"t":"a"}';
    const schema = {
      n: { type: "object", properties: { z: { type: "number" } } },
      t: { type: "string" },
      u: { type: "number", default: 7 },
    };

    it("ignores defaults", () => {
      expect(prepare(schema, text)).toBe(`${text.slice(0, -1)},"u":7}`);
    });

    it("ignores dropping", () => {
      expect(prepare(schema, text, "drop")).toBe('{"n":{"z":1E5},"t":"a","u":7}');
    });

    it("returns the same object if nothing changes", () => {
      const data = read(text);
      const prepared = compile({ t: { type: "string" } }).prepare(data);
      expect("data" in prepared && prepared.data).toBe(data);
      expect("data" in prepared && prepared.data).toBe(data);
    });

    it("keeps the spelling of numbers in defaults", () => {
      const schemaText = read('{"a": {"type": "number", "default": 1.50}}');
      const prepared = compileBy(getRules(), schemaText).prepare({});
      expect("data" in prepared && stringifyJson(prepared.data)).toBe('{"a":1.50}');
    });
  });

  describe("unknown fields", () => {
    const schema = { a: { type: "object", properties: { b: { type: "string" } } } };
    const data = { a: { b: "x", c: 1 }, d: 2 };

    it("are kept", () => expect(prepare(schema, data, "keep")).toBe(JSON.stringify(data)));
    it("are dropped", () => expect(prepare(schema, data, "drop")).toBe('{"a":{"b":"x"}}'));
    it("are rejected", () => {
      expect(prepare(schema, data, "reject")).toEqual([
        "/data/a/c is not a known field",
        "/data/d is not a known field",
      ]);
    });
    it("are free in objects without field definitions", () => {
      for (const answer of ["keep", "drop", "reject"] as const) {
        expect(prepare({}, data, answer)).toBe(JSON.stringify(data));
        expect(prepare({ a: { type: "object" } }, { a: { z: 1 } }, answer)).toBe('{"a":{"z":1}}');
      }
    });
  });

  it("accepts valid data and refuses data that breaks exactly one rule", () => {
    const bounds = fc.tuple(fc.nat(5), fc.nat(5)).map(([low, more]) => ({ low, high: low + more }));
    fc.assert(
      fc.property(bounds, bounds, fc.nat(12), fc.nat(12), (length, size, characters, elements) => {
        const schema = {
          text: { type: "string", minLength: length.low, maxLength: length.high },
          list: { type: "array", items: { type: "number" }, minItems: size.low, maxItems: size.high },
        };
        const fits =
          characters >= length.low &&
          characters <= length.high &&
          elements >= size.low &&
          elements <= size.high;
        expect(accepts(schema, { text: "x".repeat(characters), list: Array(elements).fill(1) })).toBe(fits);
      }),
    );
  });
});
