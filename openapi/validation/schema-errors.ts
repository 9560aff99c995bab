import type { ErrorObject } from "ajv";
import { appendPointer } from "./json-pointer.js";
import { findNearest } from "../text/find-nearest.js";
import type { Violation } from "./violation.js";
import { formatCount } from "../text/format-count.js";

/** Describes an error of Ajv in words; returns nothing for errors that repeat other errors. */
export function describeSchemaError(error: ErrorObject, place: "body" | "query"): Violation[] {
  const params = error.params as Record<string, unknown>;
  const at = (detail: string, member?: string): Violation[] => [
    {
      in: place,
      pointer: member === undefined ? error.instancePath : appendPointer(error.instancePath, member),
      detail,
      keyword: error.keyword,
    },
  ];
  switch (error.keyword) {
    case "required":
      return at("is required", String(params.missingProperty));
    case "additionalProperties":
    case "unevaluatedProperties":
      return at("is not a known field", String(params.additionalProperty ?? params.unevaluatedProperty));
    case "type":
      // the error of the other branch says what is expected
      if (params.type === "null" && /\/anyOf\/\d+\/type$/.test(error.schemaPath)) return [];
      return at(`must be ${describeTypes(params.type)}, not ${describeValueType(error.data)}`);
    case "enum":
      return at(describeAllowed(params.allowedValues as readonly unknown[], error.data));
    case "const":
      return at(`must be ${JSON.stringify(params.allowedValue)}`);
    case "minLength":
      return at(
        params.limit === 1
          ? "must not be empty"
          : `must have at least ${String(params.limit)} ${getUnit(params)}`,
      );
    case "maxLength":
      return at(`must have at most ${String(params.limit)} ${getUnit(params)}`);
    case "minItems":
      return at(`must have at least ${formatCount(Number(params.limit), "entry")}`);
    case "maxItems":
      return at(`must have at most ${String(params.limit)} entries`);
    case "minProperties":
      return at(`must have at least ${formatCount(Number(params.limit), "field")}`);
    case "pattern":
      return at(`must match ${String(params.pattern)}`);
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
      return at(`must be ${String(params.comparison)} ${String(params.limit)}`);
    case "anyOf":
    case "oneOf":
    case "if":
    case "x-pattern":
      // the errors of the branches say what is expected
      return [];
    default:
      return at(error.message ?? "is not valid");
  }
}

/** Returns the unit of a length. */
function getUnit({ unit }: Readonly<Record<string, unknown>>): string {
  return typeof unit === "string" ? unit : "characters";
}

/** Maximum number of allowed values that are listed next to a suggestion. */
const maxListedValues = 12;

function describeAllowed(values: readonly unknown[], given: unknown): string {
  const names = values.filter((value) => typeof value === "string");
  const near = typeof given === "string" && values.length > 1 ? findNearest(given, names) : undefined;
  const hint = near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
  // a long list would hide the hint
  if (hint !== "" && values.length > maxListedValues) return `must be one of ${values.length} values${hint}`;
  const texts = values.map((value) => JSON.stringify(value));
  return `must be ${texts.length === 1 ? texts.join() : `one of ${texts.join(", ")}`}${hint}`;
}

function describeTypes(type: unknown): string {
  const names = (Array.isArray(type) ? type : String(type).split(",")) as string[];
  return names.map(describeType).join(" or ");
}

/** Describes a type of JSON Schema in words. */
export function describeType(name: string): string {
  return typeWords[name] ?? name;
}

const typeWords: Readonly<Record<string, string>> = {
  string: "a string",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  array: "an array",
};

/** Describes the type of a value in words. */
export function describeValueType(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "number") return `the number ${value}`;
  if (typeof value === "boolean") return String(value);
  return typeof value === "string" ? "a string" : "an object";
}
