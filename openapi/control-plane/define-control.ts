import type { SchemaObject } from "openapi3-ts/oas31";
import { defaultProfile } from "../gaps/profile.js";
import type { Strictness } from "../gaps/strictness.js";
import { defineOperationGroup } from "../operations/operation.js";
import { ref } from "../schemas/ref.js";
import { type Properties, SchemaBuilder } from "../schemas/schema-builders.js";

/** Control-plane operations need no credential, because only this machine can reach them. No clause applies to them. */
export const defineOperations = defineOperationGroup({
  tag: "Control plane",
  problems: ["not-local"],
});

/** The control plane has a single document. It rejects unknown fields and null for optional fields. */
export const controlStrictness: Strictness = {
  kind: "strict",
  profile: { ...defaultProfile, "unknown-request-fields": "reject", "null-optional-fields": "reject" },
};

const builder = new SchemaBuilder(controlStrictness);

/** The schema of an object. Fields whose name ends with `?` are optional. */
export function object(
  fields: Properties,
  { description = "", ...more }: Pick<SchemaObject, "description" | "minProperties"> = {},
): SchemaObject {
  return builder.response(description, fields, more);
}

export function array(schema: string, description?: string): SchemaObject {
  return { type: "array", items: ref(schema), ...(description === undefined ? {} : { description }) };
}

export const timestamp = builder.timestamp();
