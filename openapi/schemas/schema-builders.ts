import { compareAs, type CompareKind } from "./compare-kinds.js";
import type { ReferenceObject, SchemaObject } from "openapi3-ts/oas31";
import { getAllowedAnswers, type Strictness } from "../gaps/strictness.js";
import { ref } from "./ref.js";

/** Builds the component schemas of one resource for the strict or the open document. */
export type SchemaGroup = (strictness: Strictness) => Readonly<Record<string, SchemaObject>>;

/** Members of an object schema, by name. */
export type Properties = Readonly<Record<string, SchemaObject | ReferenceObject>>;

interface ObjectOptions {
  readonly description?: string;
  /** Members that need not be there; all others are required. */
  readonly optional?: readonly string[];
}

/** The schema of an object in an answer: closed in the strict document, open to more members in the open one. */
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
 * The schema of an object in a request. What becomes of members that the specification does not name is left to a gap,
 * and so is null for a member that may be left out.
 */
export function requestObjectSchema(
  strictness: Strictness,
  properties: Properties,
  options: ObjectOptions = {},
): SchemaObject {
  const rejects = strictness.kind === "strict" && strictness.profile["unknown-request-members"] === "reject";
  const { optional = [] } = options;
  return {
    ...objectSchema(makeOptionalNullable(strictness, properties, optional), options),
    ...(rejects ? { additionalProperties: false } : {}),
    "x-gap":
      optional.length > 0 ? ["unknown-request-members", "null-optional-members"] : "unknown-request-members",
  };
}

/** The members of an object in a request, where the optional ones may be null if the document says so. */
export function makeOptionalNullable(
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

/** Whether a request may hold null in place of an omitted field. */
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
 * A date and a time of day in UTC as ISO 8601 has them: of the calendar, the year or the week, with or without marks between
 * their parts, with any precision.
 */
const isoInstantPattern =
  "^\\d{4}-?((0[1-9]|1[0-2])-?(0[1-9]|[12]\\d|3[01])|00[1-9]|0[1-9]\\d|[12]\\d\\d|3[0-5]\\d|36[0-6]" +
  "|[Ww](0[1-9]|[1-4]\\d|5[0-3])-?[1-7])[Tt]([01]\\d|2[0-3])(:?[0-5]\\d(:?([0-5]\\d|60)([.,]\\d+)?)?)?" +
  "([Zz]|[+-]00(:?00)?)$";

/**
 * A timestamp (clause GEN-01): exactly the emulator's form in the strict document, any ISO 8601 UTC form in the open one. It is
 * an `x-pattern`, because generated clients would hold the date that they have read to a `pattern`.
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
  return compareAs("opaque", { type: "string", minLength: 1, description });
}

/** A count in a response: a whole number from 0. */
export function countSchema(kind: CompareKind, description?: string, more: SchemaObject = {}): SchemaObject {
  return compareAs(kind, { type: "integer", minimum: 0, ...(description && { description }), ...more });
}

/** A list in a response whose entries have a schema of the document. */
export function arraySchema(
  kind: CompareKind,
  schema: string,
  description?: string,
  more: SchemaObject = {},
): SchemaObject {
  return compareAs(kind, { type: "array", items: ref(schema), ...(description && { description }), ...more });
}

/** The schema with `null` as one more value, if it is none yet. */
export function nullable(schema: SchemaObject | ReferenceObject): SchemaObject {
  if ("$ref" in schema) {
    const { $ref, ...beside } = schema;
    return { ...beside, anyOf: [{ $ref }, { type: "null" }] };
  }
  const { type, enum: values, allOf, ...beside } = schema;
  // a single schema stands in `allOf` for the sake of its description
  if (allOf !== undefined)
    return { ...beside, anyOf: [...(allOf.length === 1 ? allOf : [{ allOf }]), { type: "null" }] };
  const types = [type ?? []].flat();
  // what has no type may be null already, and generators of clients know nothing of a choice of any value or null
  if (types.length === 0) return beside.anyOf === undefined ? { ...schema, "x-nullable": true } : schema;
  if (types.includes("null")) return schema;
  return {
    ...schema,
    type: [...types, "null"],
    ...(values === undefined ? {} : { enum: [...(values as readonly unknown[]), null] }),
  };
}

/** The schemas of a field that must not be null and of one that must. */
export const notNullSchema: SchemaObject = { not: { type: "null" } };
export const nullSchema: SchemaObject = { type: "null" };

/**
 * The schemas of fields of a response that depend on the value of another field. A condition beside the
 * properties, not two schemas, because generated clients without unions see one object.
 */
export function buildFieldCondition(
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
export const nextCursorSchema: SchemaObject = compareAs("opaque", {
  type: ["string", "null"],
  description: "Pass it as `cursor` to get the next page; null when there are no more results.",
});
