import { isObject } from "../../openapi/text/is-object.js";
import type * as AjvModule from "ajv/dist/2020.js";
import type { ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import type { SchemaObject } from "openapi3-ts/oas31";
import { lazyRequire } from "../../openapi/packaged/lazy-require.js";
import { findPrecompiled, hashSchema } from "../../openapi/validation/schema-compiler.js";
import { describeSchemaError } from "../../openapi/validation/schema-errors.js";
import { findNearest } from "../../openapi/text/find-nearest.js";
import {
  isJsonArray,
  isJsonObject,
  JsonNumber,
  type JsonValue,
  getFieldEntries,
} from "../json/json-value.js";
import type { SeedMistakes } from "./seed-error.js";
import { buildSeedSchema } from "./build-seed-schema.js";
import { freeFormPointer, readElement, type SeedRoot } from "./seed-element.js";

let compiled: ValidateFunction | undefined;

/** Validates a seed by its schema, and converts it to elements. @throws SeedError with every mistake in its structure */
export function validateSeed(json: JsonValue, mistakes: SeedMistakes): SeedRoot {
  const seed = toPlainValue(json, "");
  const schema = buildSeedSchema();
  // Ajv, which finds every mistake, takes long to load; a valid seed does not need it.
  if (findPrecompiled(hashSchema(schema))?.(seed) !== true) addMistakes(seed, schema, mistakes);
  mistakes.throwIfAny();
  return readElement(seed, mistakes) as SeedRoot;
}

function addMistakes(seed: unknown, schema: SchemaObject, mistakes: SeedMistakes): void {
  if (compiled === undefined) {
    const { Ajv2020 } = lazyRequire("ajv/dist/2020.js") as typeof AjvModule;
    compiled = new Ajv2020({ allErrors: true, verbose: true, strict: false }).compile(schema);
  }
  if (compiled(seed)) return;
  for (const error of (compiled.errors ?? []).flatMap(mergeTypeErrors))
    for (const { pointer, detail } of describeSchemaError(error, "body"))
      mistakes.add(pointer, addHint(error, detail));
}

/** Free-form values keep all digits and the order of fields. */
function toPlainValue(json: JsonValue, pointer: string): unknown {
  if (json instanceof JsonNumber) return json.value;
  if (isJsonArray(json)) return json.map((element, index) => toPlainValue(element, `${pointer}/${index}`));
  if (!isJsonObject(json) || freeFormPointer.test(pointer)) return json;
  const members = [...getFieldEntries(json)];
  return Object.fromEntries(
    members.map(([name, value]) => [name, toPlainValue(value, `${pointer}/${name}`)]),
  );
}

/** If a value has none of the types of an `anyOf`, replaces the errors about each type with a single error. */
function mergeTypeErrors(error: ErrorObject): readonly ErrorObject[] {
  const { keyword, schemaPath, schema, data } = error;
  if (/\/anyOf\/\d+\/type$/.test(schemaPath)) return [];
  if (keyword !== "anyOf") return [error];
  const types = (schema as SchemaObject[]).map(({ type }) => type);
  const hasType = typeof data === "string" || (isObject(data) && types.includes("object"));
  return hasType ? [] : [{ ...error, keyword: "type", params: { type: types } }];
}

/** Adds a hint for the author of the seed to an error. */
function addHint({ keyword, data, params, parentSchema }: ErrorObject, detail: string): string {
  if (keyword === "pattern" && typeof data === "string") return `${detail}, but is ${JSON.stringify(data)}`;
  if (keyword !== "additionalProperties") return detail;
  const { properties = {} } = parentSchema as SchemaObject;
  const known = Object.keys(properties).filter((name) => name !== "$schema");
  const near = findNearest(String((params as { additionalProperty?: unknown }).additionalProperty), known);
  return near === undefined
    ? `is not a known field; the fields are ${known.join(", ")}`
    : `is not a known field; did you mean ${near}?`;
}
