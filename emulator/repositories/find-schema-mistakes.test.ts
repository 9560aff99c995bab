import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { getPropertyRuns } from "../testing/property-runs.js";
import { emulatorDefinedLimits } from "../../openapi/clauses/limits.js";
import type { JsonObject, JsonValue } from "../json/json-value.js";
import { parseJson } from "../json/parse-json.js";
import { defaultProfile, type Profile } from "../../openapi/gaps/profile.js";
import { findSchemaMistakes } from "./find-schema-mistakes.js";
import { SchemaReader } from "./schema-reader.js";

const defaults: Profile = {
  ...defaultProfile,
  "entity-unknown-fields": "keep",
  "entity-null-fields": "refused",
  "pattern-match": "anywhere",
};

function read(given: unknown): JsonObject {
  return parseJson(JSON.stringify(given), { maxDepth: 1000 }) as JsonObject;
}

function mistakes(given: unknown, options: Partial<Profile> = {}): readonly string[] {
  const found = findSchemaMistakes(read(given), { ...defaults, ...options });
  return found.map(({ pointer, detail }) => `${pointer} ${detail}`);
}

describe("findSchemaMistakes", () => {
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
    expect(mistakes(given)).toEqual([]);
    const schema = new SchemaReader("anywhere").readFields(read(given), "", 1);
    expect([...schema.keys()]).toEqual(Object.keys(given));
    expect(schema.get("title")).toEqual(given.title);
    expect(schema.get("price")).toEqual({ ...given.price, required: false });
    expect(schema.get("maker")?.properties?.get("name")).toEqual({ type: "string", required: false });
  });

  it("accepts a schema without fields", () => expect(mistakes({})).toEqual([]));

  it.each<[string, unknown, string, RegExp]>([
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
    ["a broken pattern", { a: { type: "string", pattern: "(" } }, "/schema/a/pattern", /missing closing/],
    [
      "a pattern beyond the engine",
      { a: { type: "string", pattern: "(?=a)" } },
      "/schema/a/pattern",
      /look-ahead/,
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
      const top = parseJson(`{"${name}": {"type": "string"}}`, { maxDepth: 9 }) as JsonObject;
      expect(findSchemaMistakes(top, defaults)).toHaveLength(1);
    },
  );

  it("reports all mistakes at once", () => {
    const found = mistakes({
      a: { type: "string", min: 1, pattern: "[" },
      b: { type: "array", items: { type: "number", min: 3, max: 2 } },
    });
    expect(found.map((one) => one.split(" ")[0])).toEqual([
      "/schema/a/min",
      "/schema/a/pattern",
      "/schema/b/items/min",
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
    expect(findSchemaMistakes(given as JsonObject, defaults)).toEqual([]);
    const schema = new SchemaReader("anywhere").readFields(given as JsonObject, "", 1);
    expect(schema.get("a")).toMatchObject({ minLength: 1, maxLength: 10 });
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
    // each pattern is compiled to 5403 instructions, then refused
    const refused = mistakes(many(1000, { type: "string", pattern: "(a){1000}(a){800}b" }));
    expect(refused).toHaveLength(4);
    for (const mistake of refused) expect(mistake).toMatch(/too many repetitions/);
    // reading each pattern takes as long as thousands of instructions
    expect(mistakes(many(5, { type: "string", pattern: `[${"\\p{L}".repeat(198)}]` }))).toEqual([]);
    expect(mistakes(many(6, { type: "string", pattern: `[${"\\p{L}".repeat(198)}]` }))).toEqual([
      expect.stringMatching(/too large in total/),
    ]);
    expect(mistakes(many(1000, { type: "string", pattern: `${"a".repeat(999)}(` }))).toHaveLength(21);
  });

  it("names at most a thousand mistakes", () => {
    const fields = Object.fromEntries(
      Array.from({ length: 600 }, (_, index) => [`f${index}`, { type: "boolean", min: 1, minLength: 1 }]),
    );
    const found = mistakes(fields);
    expect(found).toHaveLength(1001);
    expect(found.at(-1)).toContain("more mistakes were found");
  });

  it("never fails, for any schema that matches the contract", () => {
    const { definition } = fc.letrec<{ definition: object }>((tie) => ({
      definition: fc.record(
        {
          type: fc.constantFrom("string", "number", "boolean", "array", "object"),
          required: fc.boolean(),
          default: fc.jsonValue({ maxDepth: 2 }),
          minLength: fc.nat(3),
          maxLength: fc.nat(3),
          pattern: fc.constantFrom("a", "(", "^x*$"),
          min: fc.double({ noNaN: true, noDefaultInfinity: true }),
          items: fc.oneof({ maxDepth: 3 }, fc.constant({ type: "string" }), tie("definition")),
          properties: fc.dictionary(
            fc.constantFrom("a", "toString", "constructor"),
            fc.oneof({ maxDepth: 3 }, fc.constant({ type: "number" }), tie("definition")),
            { maxKeys: 2 },
          ),
        },
        { requiredKeys: ["type"] },
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom("a", "b"), definition), (given) => {
        for (const mistake of mistakes(given)) {
          expect(mistake).toMatch(/^\/schema/);
          expect(mistake).not.toMatch(/undefined|\[object/);
        }
      }),
      { numRuns: getPropertyRuns(300) },
    );
  });
});
