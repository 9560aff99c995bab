import { withComparisonKind, type ComparisonKind } from "./compare-kinds.js";
import type { ReferenceObject, SchemaObject } from "openapi3-ts/oas31";
import type { AnswerTo, GapId } from "../gaps/register.js";
import { getAllowedAnswers, getStrictAnswer, type Strictness } from "../gaps/strictness.js";
import { ref } from "./ref.js";

/** Builds the component schemas of one resource for the strict or the open document. */
export type SchemaGroup = (builder: SchemaBuilder) => Readonly<Record<string, SchemaObject>>;

/** Fields of an object schema, by name. The names of optional fields end with `?`. */
export type Properties = Readonly<Record<string, SchemaObject | ReferenceObject>>;

/** Builds the schemas that are different in the strict and in the open document. */
export class SchemaBuilder {
  readonly isStrict: boolean;
  /** Whether a request may have null for an optional field. */
  readonly acceptsNulls: boolean;

  constructor(readonly strictness: Strictness) {
    this.isStrict = strictness.kind === "strict";
    this.acceptsNulls = this.allowed("null-optional-fields").includes("as-if-absent");
  }

  /** Returns the answer of the profile; undefined in the open document. */
  answer<Id extends GapId>(id: Id): AnswerTo<Id> | undefined {
    return getStrictAnswer(this.strictness, id);
  }

  /** Returns the answers to a gap that the document allows. */
  allowed<Id extends GapId>(id: Id): readonly AnswerTo<Id>[] {
    return getAllowedAnswers(this.strictness, id);
  }

  /** The schema of an object in a response. Only the open document allows additional fields. */
  response(description: string, fields: Properties, more: SchemaObject = {}): SchemaObject {
    return {
      ...objectSchema(description, fields),
      ...(this.isStrict ? { additionalProperties: false } : {}),
      ...more,
    };
  }

  /**
   * The schema of an object in a request. Gaps decide whether unknown fields, and null for optional fields, are accepted.
   */
  request(description: string, fields: Properties, more: SchemaObject = {}): SchemaObject {
    const hasOptional = Object.keys(fields).some((name) => name.endsWith("?"));
    return {
      ...objectSchema(description, this.acceptsNulls ? makeOptionalFieldsNullable(fields) : fields),
      ...(this.answer("unknown-request-fields") === "reject" ? { additionalProperties: false } : {}),
      "x-gap": hasOptional ? ["unknown-request-fields", "null-optional-fields"] : "unknown-request-fields",
      ...more,
    };
  }

  /**
   * A timestamp (clause GEN-01): in the emulator's format in the strict document, in any format of ISO 8601 in UTC in the
   * open one. The pattern is an `x-pattern`, because generated clients would apply `pattern` to the date that they have
   * parsed.
   */
  timestamp(description?: string): SchemaObject {
    const pattern = this.isStrict
      ? "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"
      : isoInstantPattern;
    return text("time", description, { format: "date-time", "x-pattern": pattern });
  }
}

export function makeOptionalFieldsNullable(fields: Properties): Properties {
  return mapFields(fields, (name, schema) => [name, name.endsWith("?") ? nullable(schema) : schema]);
}

/** Makes all fields optional. */
export function makeOptional(fields: Properties): Properties {
  return mapFields(fields, (name, schema) => [`${name}?`, schema]);
}

function mapFields(
  fields: Properties,
  map: (name: string, schema: SchemaObject | ReferenceObject) => [string, SchemaObject | ReferenceObject],
): Properties {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => map(name, schema)));
}

function objectSchema(description: string, fields: Properties): SchemaObject {
  const required = Object.keys(fields).filter((name) => !name.endsWith("?"));
  return {
    type: "object",
    ...(description && { description }),
    properties: { ...mapFields(fields, (name, schema) => [name.replace("?", ""), schema]) },
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

/** An identifier (clause GEN-02): an opaque, non-empty string. */
export function identifier(description: string): SchemaObject {
  return text("opaque", description, { minLength: 1 });
}

/** A text in a response. */
export function text(kind: ComparisonKind, description?: string, more: SchemaObject = {}): SchemaObject {
  return withComparisonKind(kind, { type: "string", ...(description && { description }), ...more });
}

/** One of several texts in a response. */
export function choice(kind: ComparisonKind, values: readonly string[], description: string): SchemaObject {
  return text(kind, description, { enum: [...values] });
}

/** A text in a response that is always the same. */
export function constant(value: string): SchemaObject {
  return text("equal", `Always \`${value}\`.`, { const: value });
}

/** A yes or no in a response. */
export function flag(description: string, more: SchemaObject = {}): SchemaObject {
  return withComparisonKind("equal", { type: "boolean", description, ...more });
}

/** A count in a response: a non-negative integer. */
export function count(kind: ComparisonKind, description: string, more: SchemaObject = {}): SchemaObject {
  return withComparisonKind(kind, { type: "integer", minimum: 0, description, ...more });
}

/** A list in a response, whose entries have a schema of the document. */
export function array(
  kind: ComparisonKind,
  schema: string,
  description: string,
  more: SchemaObject = {},
): SchemaObject {
  return withComparisonKind(kind, { type: "array", items: ref(schema), description, ...more });
}

/** Any JSON object. */
export function freeObject(description: string, more: SchemaObject = {}): SchemaObject {
  return { type: "object", additionalProperties: true, description, ...more };
}

/** A schema of the document with a description of its own. */
export function describedRef(schema: string, description: string, more: object = {}): ReferenceObject {
  return { ...ref(schema), description, ...more };
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
export const notNull: SchemaObject = { not: { type: "null" } };
export const onlyNull: SchemaObject = { type: "null" };

/**
 * Schemas of response fields that depend on the value of another field. This is a condition next to the properties rather
 * than two schemas, so that generated clients without unions have one object.
 */
export function ifThenElse(
  field: string,
  value: string | boolean,
  then: Properties,
  otherwise: Properties,
): SchemaObject {
  const needed = Object.keys(then).filter((name) => then[name] === notNull);
  return {
    if: { type: "object", properties: { [field]: { enum: [value] } }, required: [field] },
    then: { type: "object", properties: then, required: needed },
    else: { type: "object", properties: otherwise },
  } as SchemaObject;
}

/** The cursor of the next page (clause GEN-03). */
export const nextCursor: SchemaObject = nullable(
  text("opaque", "Value to pass as `cursor` to get the next page; null if there are no more results."),
);
