import type { OpenAPIObject, SchemaObject } from "openapi3-ts/oas31";
import type { LiveState } from "./live-state.js";
import type { Random } from "./random.js";
import {
  conditions,
  definitions,
  filters,
  freeData,
  queries,
  repositorySchemas,
  sortKeyConditions,
} from "./texts.js";

type Members = Record<string, unknown>;

/** What values are made from. */
export interface Making {
  readonly random: Random;
  readonly live: LiveState;
  readonly document: OpenAPIObject;
}

/** Texts for members that are not known from answers. */
const words = [
  "a",
  "reader",
  "Teapot",
  "status",
  "total",
  "price",
  "createdAt",
  "ä/ö",
  "x".repeat(101),
] as const;

/** Members whose values have a grammar of their own. */
const written: Readonly<Record<string, (making: Making) => unknown>> = {
  sortKeyCondition: ({ random }) => random.pick(sortKeyConditions),
  filterExpression: ({ random }) => random.pick(filters),
  data: ({ random }) => random.pick(freeData),
  schema: ({ random }) => random.pick(repositorySchemas),
  advance: ({ random }) => random.pick(["PT1S", "PT1M", "PT30M", "PT2H", "P1D", "P20D"]),
  now: ({ random }) =>
    random.pick(["2030-01-01T00:00:00Z", "2030-06-01T12:00:00+02:00", "2031-01-31T23:59:59.999Z"]),
  expiresAt: ({ random }) => random.pick(["2030-01-02T00:00:00Z", "2040-01-01T00:00:00Z", null]),
  path: ({ random }) => random.pick(["/api/**", "/health", "/api/v1/databases/*/items/**"]),
  billingEmail: ({ random }) => random.pick(["bills@demo.test", "a@b"]),
  slug: ({ random }) => random.pick(["tea", "tea-2", "demo-pro"]),
  idleSeconds: ({ random }) => random.pick([600, 604800, null]),
  // the machine's time would not come back with a seed
  mode: () => "manual",
};

/** Members that belong together. */
const pairs: readonly (readonly [string, string, readonly (readonly [string, unknown])[]])[] = [
  ["conditionExpression", "filterValues", conditions],
  ["filter", "filterValues", conditions],
  ["sql", "parameters", queries],
];

/** Makes a value that fits a schema, mostly, and makes sense in the world as it is. */
export function makeValue(
  schema: SchemaObject | { readonly $ref: string },
  making: Making,
  name = "",
): unknown {
  const { random, live } = making;
  const { type, properties, items, ...rest } = resolve(schema, making.document);
  const writes = written[name];
  if (writes !== undefined && !random.once(20)) return writes(making);
  const choices = rest.anyOf ?? rest.oneOf;
  if (choices !== undefined) return makeValue(random.pick(choices), making, name);
  if (rest.enum !== undefined) return random.pick(rest.enum);
  const kind = Array.isArray(type) ? random.pick([...type.filter((one) => one !== "null"), ...type]) : type;
  switch (kind) {
    case "string":
      return (
        live.pick(name, random) ??
        (rest.minLength === undefined ? random.pick([...words, ""]) : random.pick(words))
      );
    case "integer":
    case "number": {
      const least = rest.minimum ?? 0;
      return Math.min(rest.maximum ?? 1e9, least + random.below(random.pick([2, 20, 1000])));
    }
    case "boolean":
      return random.once(2);
    case "null":
      return null;
    case "array": {
      const length = Math.max(rest.minItems ?? 0, random.size(Math.min(rest.maxItems ?? 8, 30)));
      return Array.from({ length }, () => makeValue(items ?? {}, making, name));
    }
    default:
      return properties === undefined
        ? random.pick(freeData)
        : makeObject(properties, rest.required ?? [], making);
  }
}

function makeObject(
  properties: NonNullable<SchemaObject["properties"]>,
  required: readonly string[],
  making: Making,
): Members {
  const { random } = making;
  const object: Members = {};
  for (const [member, schema] of Object.entries(properties))
    // without data most entries of batches are refused
    if (required.includes(member) || random.once(member === "data" ? 1 : 3))
      object[member] = makeValue(schema, making, member);
  for (const [text, values, known] of pairs) {
    if (!(text in object) || random.once(20)) continue;
    const [written, given] = random.pick(known);
    if (values in properties) {
      object[text] = written;
      if (given === null) Reflect.deleteProperty(object, values);
      else object[values] = given;
    } else object[text] = random.pick(definitions);
  }
  return object;
}

function resolve(schema: SchemaObject | { readonly $ref: string }, document: OpenAPIObject): SchemaObject {
  if (!("$ref" in schema)) return schema;
  const name = schema.$ref.split("/").at(-1) ?? "";
  return resolve(document.components?.schemas?.[name] ?? {}, document);
}
