import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { getPropertyRuns } from "../testing/property-runs.js";
import { emulatorDefinedLimits } from "../../openapi/clauses/limits.js";
import type { JsonValue } from "../json/json-value.js";
import { parseJson } from "../json/parse-json.js";
import { defaultProfile, type Profile } from "../../openapi/gaps/profile.js";
import { checkRepositorySchema, type SchemaCheckResult } from "./check-repository-schema.js";

const defaults: Profile = {
  ...defaultProfile,
  "entity-unknown-fields": "keep",
  "entity-null-fields": "refused",
  "pattern-match": "anywhere",
};

function check(given: unknown, options: Partial<Profile> = {}): SchemaCheckResult {
  return checkRepositorySchema(parseJson(JSON.stringify(given), { maxDepth: 1000 }), {
    ...defaults,
    ...options,
  });
}

function mistakes(given: unknown, options: Partial<Profile> = {}): readonly string[] {
  const checked = check(given, options);
  return "mistakes" in checked ? checked.mistakes.map(({ pointer, detail }) => `${pointer} ${detail}`) : [];
}

describe("checkRepositorySchema", () => {
  it("accepts every keyword of the specification", () => {
    const given = {
      title: {
        type: "string",
        required: true,
        minLength: 1,
        maxLength: 9,
        pattern: "^[A-Z]",
        default: "Tea",
      },
      price: { type: "number", min: 0, max: 10.5 },
      inStock: { type: "boolean", default: false },
      tags: { type: "array", items: { type: "string" }, minItems: 0, maxItems: 3 },
      maker: { type: "object", properties: { name: { type: "string" } } },
    };
    const checked = check(given);
    if ("mistakes" in checked) throw new Error(JSON.stringify(checked));
    expect([...checked.schema.keys()]).toEqual(Object.keys(given));
    expect(checked.schema.get("title")).toEqual(given.title);
    expect(checked.schema.get("price")).toEqual({ ...given.price, required: false });
    expect(checked.schema.get("maker")?.properties?.get("name")).toEqual({ type: "string", required: false });
  });

  it("accepts a schema without fields", () => expect(mistakes({})).toEqual([]));

  it.each<[string, unknown, string, RegExp]>([
    ["a schema that is no object", ["name"], "/schema", /must be an object .*not an array/],
    ["a definition that is no object", { a: "string" }, "/schema/a", /\{"type": "string"\}, not "string"/],
    [
      "a definition without type",
      { a: {} },
      "/schema/a/type",
      /is required and must be one of string, number/,
    ],
    ["an unknown type", { a: { type: "integer" } }, "/schema/a/type", /not "integer"; .*type number/],
    [
      "an unknown key",
      { a: { type: "string", format: "date" } },
      "/schema/a/format",
      /keys of a field of type string are/,
    ],
    [
      "a key that every object inherits",
      { a: { type: "string", constructor: 1 } },
      "/schema/a/constructor",
      /keys of a field of type string are/,
    ],
    [
      "a misspelled key",
      { a: { type: "string", min_length: 1 } },
      "/schema/a/min_length",
      /did you mean minLength\?/,
    ],
    [
      "a key of JSON Schema",
      { a: { type: "number", minimum: 1 } },
      "/schema/a/minimum",
      /did you mean min\?/,
    ],
    [
      "required that is no boolean",
      { a: { type: "string", required: "yes" } },
      "/schema/a/required",
      /true or false, not "yes"/,
    ],
    [
      "a length that is no number",
      { a: { type: "string", minLength: "1" } },
      "/schema/a/minLength",
      /whole number/,
    ],
    [
      "a negative length",
      { a: { type: "string", maxLength: -1 } },
      "/schema/a/maxLength",
      /not the number -1/,
    ],
    ["half an element", { a: { type: "array", maxItems: 1.5 } }, "/schema/a/maxItems", /not the number 1.5/],
    [
      "a bound that is no number",
      { a: { type: "number", max: null } },
      "/schema/a/max",
      /a number, not null/,
    ],
    [
      "minLength above maxLength",
      { a: { type: "string", minLength: 2, maxLength: 1 } },
      "/schema/a/minLength",
      /2 is greater than maxLength 1/,
    ],
    ["min above max", { a: { type: "number", min: 2, max: 1 } }, "/schema/a/min", /no value is valid/],
    [
      "minItems above maxItems",
      { a: { type: "array", minItems: 2, maxItems: 1 } },
      "/schema/a/minItems",
      /greater than maxItems/,
    ],
    [
      "minLength of a number",
      { a: { type: "number", minLength: 1 } },
      "/schema/a/minLength",
      /type string; this field has type number/,
    ],
    [
      "items of a string",
      { a: { type: "string", items: { type: "string" } } },
      "/schema/a/items",
      /type array/,
    ],
    [
      "properties of an array",
      { a: { type: "array", properties: {} } },
      "/schema/a/properties",
      /type object/,
    ],
    [
      "a pattern that is no string",
      { a: { type: "string", pattern: 1 } },
      "/schema/a/pattern",
      /must be a string/,
    ],
    ["a broken pattern", { a: { type: "string", pattern: "(" } }, "/schema/a/pattern", /missing closing/],
    [
      "a pattern beyond the engine",
      { a: { type: "string", pattern: "(?=a)" } },
      "/schema/a/pattern",
      /look-ahead/,
    ],
    [
      "a mistake in items",
      { a: { type: "array", items: { type: "x" } } },
      "/schema/a/items/type",
      /must be one of/,
    ],
    [
      "a mistake in properties",
      { a: { type: "object", properties: { "b/c": {} } } },
      "/schema/a/properties/b~1c/type",
      /required/,
    ],
    [
      "a default of another type",
      { a: { type: "number", default: "1" } },
      "/schema/a/default",
      /a number, not a string/,
    ],
    ["a null default", { a: { type: "string", default: null } }, "/schema/a/default", /not null/],
    [
      "a default out of bounds",
      { a: { type: "string", maxLength: 1, default: "ab" } },
      "/schema/a/default",
      /at most 1/,
    ],
    [
      "a nested default that does not fit",
      {
        a: {
          type: "object",
          properties: { b: { type: "array", items: { type: "number" }, default: [1, "2"] } },
        },
      },
      "/schema/a/properties/b/default/1",
      /must be a number/,
    ],
    [
      "a default without a required member",
      { a: { type: "object", properties: { b: { type: "string", required: true } }, default: {} } },
      "/schema/a/default/b",
      /is required/,
    ],
  ])("refuses %s", (_, given, pointer, detail) => {
    const found = mistakes(given);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`^${pointer} `));
    expect(found[0]).toMatch(detail);
  });

  it.each(["__proto__", "constructor", "prototype"])(
    "refuses a field of the name %s at any depth",
    (name) => {
      const definition = JSON.parse(
        `{"a": {"type": "object", "properties": {"${name}": {"type": "string"}}}}`,
      ) as unknown;
      expect(mistakes(definition)).toEqual([
        `/schema/a/properties/${name} ${name} cannot be the name of a field`,
      ]);
      const top = parseJson(`{"${name}": {"type": "string"}}`, { maxDepth: 9 });
      expect("mistakes" in checkRepositorySchema(top, defaults)).toBe(true);
    },
  );

  it("reports all mistakes at once", () => {
    const found = mistakes({
      a: { type: "string", min: 1, pattern: "[", size: 2 },
      b: { type: "array", items: { type: "number", min: 3, max: 2 } },
      c: 7,
    });
    expect(found.map((one) => one.split(" ")[0])).toEqual([
      "/schema/a/min",
      "/schema/a/pattern",
      "/schema/a/size",
      "/schema/b/items/min",
      "/schema/c",
    ]);
  });

  it("validates defaults by the profile's answer about unknown fields", () => {
    const given = { a: { type: "object", properties: { b: { type: "string" } }, default: { c: 1 } } };
    expect(mistakes(given, { "entity-unknown-fields": "reject" })).toHaveLength(1);
    expect(mistakes(given, { "entity-unknown-fields": "drop" })).toEqual([]);
  });

  it("completes nested defaults before it validates them", () => {
    const b = { type: "string", required: true, default: "x" };
    expect(mistakes({ a: { type: "object", properties: { b }, default: {} } })).toEqual([]);
  });

  it("accepts integers in any spelling", () => {
    const given = parseJson('{"a": {"type": "string", "minLength": 1.0, "maxLength": 1E1}}', { maxDepth: 9 });
    const checked = checkRepositorySchema(given, defaults);
    expect("schema" in checked && checked.schema.get("a")).toMatchObject({ minLength: 1, maxLength: 10 });
  });

  it("limits nesting", () => {
    const nested = (levels: number): JsonValue =>
      levels === 1 ? { a: { type: "string" } } : { a: { type: "object", properties: nested(levels - 1) } };
    expect(mistakes(nested(emulatorDefinedLimits.repositorySchemaDepth))).toEqual([]);
    expect(mistakes(nested(emulatorDefinedLimits.repositorySchemaDepth + 1))).toEqual([
      expect.stringMatching(/nested too deeply/),
    ]);
    expect(mistakes(nested(400))).toHaveLength(1);
  });

  it("limits the number of definitions and the size of all patterns", () => {
    const many = (count: number, definition: object) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, definition]));
    expect(mistakes(many(1000, { type: "string", default: "x" }))).toEqual([]);
    expect(mistakes(many(1001, { type: "string" }))).toEqual([
      expect.stringMatching(/^\/schema\/f1000 .*maximum of 1000/),
    ]);
    expect(mistakes(many(1000, { type: "string", pattern: "(?:a?){900}" }))).toEqual([
      expect.stringMatching(/too large in total/),
    ]);
    // each compiled to 5403 instructions, and refused
    const refused = mistakes(many(1000, { type: "string", pattern: "(a){1000}(a){800}b" }));
    expect(refused).toHaveLength(4);
    for (const mistake of refused) expect(mistake).toMatch(/too many repetitions/);
    // each takes as long to read as thousands of instructions
    expect(mistakes(many(5, { type: "string", pattern: `[${"\\p{L}".repeat(198)}]` }))).toEqual([]);
    expect(mistakes(many(6, { type: "string", pattern: `[${"\\p{L}".repeat(198)}]` }))).toEqual([
      expect.stringMatching(/too large in total/),
    ]);
    expect(mistakes(many(1000, { type: "string", pattern: `${"a".repeat(999)}(` }))).toHaveLength(21);
  });

  it("names at most a thousand mistakes", () => {
    const keys = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, 1]));
    const found = mistakes({ a: { type: "string", ...keys } });
    expect(found).toHaveLength(1001);
    expect(found.at(-1)).toContain("more mistakes were found");
  });

  it("never fails, for any input", () => {
    const key = fc.constantFrom(
      "type",
      "items",
      "properties",
      "default",
      "min",
      "pattern",
      "required",
      "toString",
      "a",
    );
    const anyJson = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom<unknown>("string", "object", "array", "number", null, 1, -1, true, "(", ""),
        fc.array(tie("value"), { maxLength: 2 }),
        fc.dictionary(key, tie("value"), { maxKeys: 4 }),
      ),
    })).value;
    fc.assert(
      fc.property(anyJson, (given) => {
        const checked = check(given);
        if ("mistakes" in checked)
          for (const { pointer, detail } of checked.mistakes) {
            expect(pointer).toMatch(/^\/schema/);
            expect(detail).not.toMatch(/undefined|\[object/);
          }
      }),
      { numRuns: getPropertyRuns(300) },
    );
  });
});
