import type * as AjvModule from "ajv/dist/2020.js";
import type { ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import type { SchemaObject } from "openapi3-ts/oas31";
import { lazyRequire } from "../../openapi/packaged/lazy-require.js";
import { describeSchemaError } from "../../openapi/validation/schema-errors.js";
import { nearest } from "../domain/nearest.js";
import { isJsonArray, isJsonObject, JsonNumber, type JsonValue, memberEntries } from "../json/json-value.js";
import { parseTimestamp } from "../time/parse-timestamp.js";
import type { SeedMistake } from "./seed-error.js";
import { seedSchema } from "./seed-schema.js";

/** What is the user's own, whatever it is called: data, schemas, rows and settings of databases. */
const freeForm = /\/(?:data|schema|rows\/\d+)$|^\/databases\/\d+\/settings$/;

/** A seed as plain values; what is free-form in it stays as it was written, every digit in its order. */
export function seedValue(json: JsonValue, pointer = ""): unknown {
  if (json instanceof JsonNumber) return json.value;
  if (isJsonArray(json)) return json.map((element, index) => seedValue(element, `${pointer}/${index}`));
  if (!isJsonObject(json) || freeForm.test(pointer)) return json;
  const members = [...memberEntries(json)];
  return Object.fromEntries(members.map(([name, value]) => [name, seedValue(value, `${pointer}/${name}`)]));
}

let compiled: ValidateFunction | undefined;

/** What its schema finds wrong with a seed, and times that are none. @param seed as `seedValue` makes it */
export function checkSeed(seed: unknown): SeedMistake[] {
  compiled ??= compileSchema();
  if (compiled(seed)) return wrongTimes(seed, "");
  return (compiled.errors ?? []).filter(isMeant).flatMap(describe);
}

function compileSchema(): ValidateFunction {
  const { Ajv2020 } = lazyRequire("ajv/dist/2020.js") as typeof AjvModule;
  return new Ajv2020({ allErrors: true, verbose: true, strict: false }).compile(seedSchema());
}

/** Of what may be a name or the whole, the other form says nothing about the one that is there. */
function isMeant({ keyword, schemaPath, data }: ErrorObject): boolean {
  const isObject = typeof data === "object" && data !== null && !Array.isArray(data);
  if (keyword === "type" && schemaPath.endsWith("/anyOf/0/type")) return !isObject;
  if (keyword === "type" && schemaPath.endsWith("/anyOf/1/type")) return false;
  return true;
}

function describe(error: ErrorObject): SeedMistake[] {
  const said = describeSchemaError(error, "body").map(({ pointer, detail }) => ({ pointer, detail }));
  if (error.keyword === "additionalProperties")
    return said.map((one) => ({ ...one, detail: unknown(error) }));
  if (error.keyword === "type" && error.schemaPath.endsWith("/anyOf/0/type"))
    return said.map((one) => ({ ...one, detail: one.detail.replace("a string", "a string or an object") }));
  if (error.keyword === "pattern" && typeof error.data === "string")
    return said.map((one) => ({
      ...one,
      detail: `${one.detail}, which ${JSON.stringify(error.data)} does not`,
    }));
  return said;
}

function unknown({ params, parentSchema }: ErrorObject): string {
  const known = Object.keys((parentSchema as SchemaObject).properties ?? {}).filter(
    (name) => name !== "$schema",
  );
  const near = nearest(String((params as { additionalProperty?: unknown }).additionalProperty), known);
  return near === undefined
    ? `is not known here; the fields are ${known.join(", ")}`
    : `is not known here; did you mean ${near}?`;
}

const times = new Set([
  "createdAt",
  "updatedAt",
  "joinedAt",
  "invitedAt",
  "expiresAt",
  "readyAt",
  "now",
  "startedAt",
  "trialStart",
  "trialEnd",
]);
function wrongTimes(value: unknown, pointer: string): SeedMistake[] {
  if (typeof value !== "object" || value === null || freeForm.test(pointer)) return [];
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const inside = `${pointer}/${name}`;
    if (times.has(name) && typeof member === "string" && parseTimestamp(member) === undefined)
      return [{ pointer: inside, detail: "must be ISO 8601 with a time zone, as in 2030-06-01T00:00:00Z" }];
    return wrongTimes(member, inside);
  });
}
