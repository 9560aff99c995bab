import type { SchemaObject } from "openapi3-ts/oas31";
import { defaultProfile } from "../gaps/profile.js";
import type { Strictness } from "../gaps/strictness.js";
import { defineOperationGroup } from "../operations/operation.js";
import { ref } from "../schemas/ref.js";
import { type Properties, responseObjectSchema, timestampSchema } from "../schemas/schema-builders.js";

/** Control-plane operations need no credential, because only this machine can reach them. No clause applies to them. */
export const defineControlOperations = defineOperationGroup({
  tag: "Control plane",
  problems: ["not-local"],
});

/** The control plane has a single document. It rejects unknown fields and null for optional fields. */
export const controlStrictness: Strictness = {
  kind: "strict",
  profile: { ...defaultProfile, "unknown-request-members": "reject", "null-optional-members": "reject" },
};

/** The schema of an object. Fields whose name ends with `?` are optional. */
export function objectSchema(
  fields: Properties,
  more: Pick<SchemaObject, "description" | "minProperties"> = {},
): SchemaObject {
  const named = Object.entries(fields).map(([name, schema]) => [name.replace("?", ""), schema] as const);
  const mayLack = Object.keys(fields).flatMap((name) => (name.endsWith("?") ? [name.slice(0, -1)] : []));
  return {
    ...responseObjectSchema(controlStrictness, Object.fromEntries(named), { optional: mayLack }),
    ...more,
  };
}

/** Makes all fields optional. */
export function makeOptional(fields: Properties): Properties {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [`${name}?`, schema]));
}

export function arraySchema(schema: string, description?: string): SchemaObject {
  return { type: "array", items: ref(schema), ...(description === undefined ? {} : { description }) };
}

export const controlTimestampSchema = timestampSchema(controlStrictness);
