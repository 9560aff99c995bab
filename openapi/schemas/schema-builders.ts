import { withComparisonKind, type ComparisonKind } from "./compare-kinds.js";
import type { ReferenceObject, SchemaObject } from "openapi3-ts/oas31";
import { getAllowedAnswers, type Strictness } from "../gaps/strictness.js";
import { ref } from "./ref.js";

/** Builds the component schemas of one resource for the strict or the open document. */
export type SchemaGroup = (strictness: Strictness) => Readonly<Record<string, SchemaObject>>;

/** Fields of an object schema, by name. */
export type Properties = Readonly<Record<string, SchemaObject | ReferenceObject>>;

interface ObjectOptions {
  readonly description?: string;
  /** Optional fields; all others are required. */
  readonly optional?: readonly string[];
}

/** The schema of an object in a response. Only the open document allows additional fields. */
export function responseObjectSchema(
  strictness: Strictness,
  properties: Properties,
  options: ObjectOptions = {},
): SchemaObject {
  return {
    ...objectSchema(properties, options),
    ...(strictness.kind === "strict" ? { additionalProperties: false } : {}),
  };
}

/**
 * The schema of an object in a request. Gaps decide whether unknown fields, and null for optional fields, are accepted.
 */
export function requestObjectSchema(
  strictness: Strictness,
  properties: Properties,
  options: ObjectOptions = {},
): SchemaObject {
  const rejects = strictness.kind === "strict" && strictness.profile["unknown-request-members"] === "reject";
  const { optional = [] } = options;
  return {
    ...objectSchema(makeOptionalPropertiesNullable(strictness, properties, optional), options),
    ...(rejects ? { additionalProperties: false } : {}),
    "x-gap":
      optional.length > 0 ? ["unknown-request-members", "null-optional-members"] : "unknown-request-members",
  };
}

/** The fields of an object in a request. Optional ones are nullable if the document allows it. */
export function makeOptionalPropertiesNullable(
  strictness: Strictness,
  properties: Properties,
  optional: readonly string[],
): Properties {
  if (!acceptsNulls(strictness)) return properties;
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      optional.includes(name) ? nullable(schema) : schema,
    ]),
  );
}

/** Whether a request may have null for an optional field. */
export function acceptsNulls(strictness: Strictness): boolean {
  return getAllowedAnswers(strictness, "null-optional-members").includes("as-if-absent");
}

function objectSchema(properties: Properties, { description, optional = [] }: ObjectOptions): SchemaObject {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return {
    type: "object",
    ...(description === undefined ? {} : { description }),
    properties: { ...properties },
    ...(required.length > 0 ? { required } : {}),
  };
}

/**
 * A date and time in UTC in any format of ISO 8601: calendar, ordinal or week dates, with or without separators, with any
 * precision.
 */
const isoInstantPattern =
  "^\\d{4}-?((0[1-9]|1[0-2])-?(0[1-9]|[12]\\d|3[01])|00[1-9]|0[1-9]\\d|[12]\\d\\d|3[0-5]\\d|36[0-6]" +
  "|[Ww](0[1-9]|[1-4]\\d|5[0-3])-?[1-7])[Tt]([01]\\d|2[0-3])(:?[0-5]\\d(:?([0-5]\\d|60)([.,]\\d+)?)?)?" +
  "([Zz]|[+-]00(:?00)?)$";

/**
 * A timestamp (clause GEN-01): the emulator's format in the strict document, any ISO 8601 UTC format in the open one. The
 * pattern is an `x-pattern`, because generated clients would apply `pattern` to the date that they have parsed.
 */
export function timestampSchema(strictness: Strictness, description?: string): SchemaObject {
  return {
    type: "string",
    format: "date-time",
    "x-compare": "time",
    ...(description === undefined ? {} : { description }),
    ...(strictness.kind === "strict"
      ? { "x-pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$" }
      : { "x-pattern": isoInstantPattern }),
  };
}

/** An identifier (clause GEN-02): an opaque, non-empty string. */
export function identifierSchema(description: string): SchemaObject {
  return withComparisonKind("opaque", { type: "string", minLength: 1, description });
}

/** A count in a response: a non-negative integer. */
export function countSchema(
  kind: ComparisonKind,
  description?: string,
  more: SchemaObject = {},
): SchemaObject {
  return withComparisonKind(kind, {
    type: "integer",
    minimum: 0,
    ...(description && { description }),
    ...more,
  });
}

/** A list in a response, whose entries have a schema of the document. */
export function arraySchema(
  kind: ComparisonKind,
  schema: string,
  description?: string,
  more: SchemaObject = {},
): SchemaObject {
  return withComparisonKind(kind, {
    type: "array",
    items: ref(schema),
    ...(description && { description }),
    ...more,
  });
}

/** Adds `null` to the values of a schema, unless it is already nullable. */
export function nullable(schema: SchemaObject | ReferenceObject): SchemaObject {
  if ("$ref" in schema) {
    const { $ref, ...beside } = schema;
    return { ...beside, anyOf: [{ $ref }, { type: "null" }] };
  }
  const { type, enum: values, allOf, ...beside } = schema;
  // a single schema is wrapped in `allOf` to have a description
  if (allOf !== undefined)
    return { ...beside, anyOf: [...(allOf.length === 1 ? allOf : [{ allOf }]), { type: "null" }] };
  const types = [type ?? []].flat();
  // a schema without a type allows null already, and client generators do not support a union of any value and null
  if (types.length === 0) return beside.anyOf === undefined ? { ...schema, "x-nullable": true } : schema;
  if (types.includes("null")) return schema;
  return {
    ...schema,
    type: [...types, "null"],
    ...(values === undefined ? {} : { enum: [...(values as readonly unknown[]), null] }),
  };
}

/** The schemas of a field that must not be null, and of one that must be null. */
export const notNullSchema: SchemaObject = { not: { type: "null" } };
export const nullSchema: SchemaObject = { type: "null" };

/**
 * Schemas of response fields that depend on the value of another field. This is a condition next to the properties rather
 * than two schemas, so that generated clients without unions have one object.
 */
export function buildIfThenElseSchema(
  member: string,
  value: string | boolean,
  { then, otherwise }: { readonly then: Properties; readonly otherwise: Properties },
): SchemaObject {
  const needed = Object.keys(then).filter((name) => then[name] === notNullSchema);
  return {
    if: { type: "object", properties: { [member]: { enum: [value] } }, required: [member] },
    then: { type: "object", properties: then, required: needed },
    else: { type: "object", properties: otherwise },
  } as SchemaObject;
}

/** The cursor of the next page (clause GEN-03). */
export const nextCursorSchema: SchemaObject = withComparisonKind("opaque", {
  type: ["string", "null"],
  description: "Value to pass as `cursor` to get the next page; null if there are no more results.",
});
