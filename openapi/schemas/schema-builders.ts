import type { ReferenceObject, SchemaObject } from "openapi3-ts/oas31";
import type { Face } from "../face.js";

/** Builds the component schemas of one resource for a face of the contract. */
export type SchemaGroup = (face: Face) => Readonly<Record<string, SchemaObject>>;

/** Members of an object schema, by name. */
export type Properties = Readonly<Record<string, SchemaObject | ReferenceObject>>;

interface ObjectOptions {
  readonly description?: string;
  /** Members that need not be there; all others are required. */
  readonly optional?: readonly string[];
}

/** The schema of an object in an answer: closed in the strict face, open to more members in the open one. */
export function answerObject(face: Face, properties: Properties, options: ObjectOptions = {}): SchemaObject {
  return {
    ...objectSchema(properties, options),
    ...(face.kind === "strict" ? { additionalProperties: false } : {}),
  };
}

/** The schema of an object in a request: members that the specification does not name are left to a gap. */
export function requestObject(face: Face, properties: Properties, options: ObjectOptions = {}): SchemaObject {
  const rejects = face.kind === "strict" && face.profile["unknown-request-members"] === "reject";
  return {
    ...objectSchema(properties, options),
    ...(rejects ? { additionalProperties: false } : {}),
    "x-gap": "unknown-request-members",
  };
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

/** A timestamp (clause GEN-01): exactly the emulator's form in the strict face, any ISO 8601 UTC form in the open one. */
export function timestamp(face: Face, description?: string): SchemaObject {
  return {
    type: "string",
    format: "date-time",
    ...(description === undefined ? {} : { description }),
    ...(face.kind === "strict"
      ? { pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$" }
      : { pattern: "([Zz]|[+-]00:?00)$" }),
  };
}

/** An identifier (clause GEN-02): an opaque, non-empty string. */
export function identifier(description: string): SchemaObject {
  return { type: "string", minLength: 1, description };
}

/** The schema with `null` as one more value. */
export function orNull(schema: SchemaObject): SchemaObject {
  return { ...schema, type: [schema.type as "string", "null"] };
}

/** The cursor of the next page (clause GEN-03). */
export const nextCursor: SchemaObject = {
  type: ["string", "null"],
  description: "Pass it as `cursor` to get the next page; null when there are no more results.",
};
