import type * as AjvModule from "ajv/dist/2020.js";
import type { ErrorObject } from "ajv/dist/2020.js";
import type { SchemaObject } from "openapi3-ts/oas31";
import { lazyRequire } from "../packaged/lazy-require.js";
import { findNearest } from "../text/find-nearest.js";
import { isObject } from "../text/is-object.js";
import { memoize } from "../text/memoize.js";
import { describeSchemaError } from "./schema-errors.js";
import type { Violation } from "./violation.js";

/** Returns a validator that finds every mistake. Ajv is loaded on first use, because it takes long to load. */
const compile = memoize((schema: string) => {
  const { Ajv2020 } = lazyRequire("ajv/dist/2020.js") as typeof AjvModule;
  return new Ajv2020({ allErrors: true, verbose: true, strict: false }).compile(JSON.parse(schema) as object);
});

/** Maximum number of unknown fields with suggestions, which take longer than everything else. Messages list fewer mistakes. */
const maxSuggestions = 100;

/** Finds every mistake in a file that a person has written, and suggests known fields for unknown ones. */
export function findFileMistakes(value: unknown, schema: SchemaObject): Violation[] {
  const validate = compile(JSON.stringify(schema));
  validate(value);
  let unknownFields = 0;
  return (validate.errors ?? [])
    .flatMap(mergeTypeErrors)
    .flatMap((error) =>
      describeSchemaError(error, "body").map((violation) =>
        error.keyword === "additionalProperties" && (unknownFields += 1) <= maxSuggestions
          ? { ...violation, detail: `${violation.detail}; ${suggestFields(error)}` }
          : violation,
      ),
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

function suggestFields({ params, parentSchema }: ErrorObject): string {
  const { properties = {} } = parentSchema as SchemaObject;
  const known = Object.keys(properties).filter((name) => name !== "$schema");
  const near = findNearest(String((params as { additionalProperty?: unknown }).additionalProperty), known);
  return near === undefined ? `the fields are ${known.join(", ")}` : `did you mean ${near}?`;
}
