import type { FieldDefinition, RepositorySchema, UnknownFields } from "./repository-schema.js";

/** A JSON Schema as an object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The JSON Schema of the data of entities. A schema without fields allows every object. */
export function toJsonSchema(schema: RepositorySchema, unknownFields: UnknownFields): JsonSchema {
  if (schema.size === 0) return { type: "object" };
  const fields = [...schema];
  const required = fields.filter(([, definition]) => definition.required).map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(
      fields.map(([name, definition]) => [name, fieldSchema(definition, unknownFields)]),
    ),
    ...(required.length > 0 ? { required } : {}),
    ...(unknownFields === "reject" ? { additionalProperties: false } : {}),
  };
}

function fieldSchema(definition: FieldDefinition, unknownFields: UnknownFields): JsonSchema {
  const { type, minLength, maxLength, pattern, min, max, items, minItems, maxItems, properties } = definition;
  if (properties !== undefined) return toJsonSchema(properties, unknownFields);
  const keywords = {
    minLength,
    maxLength,
    pattern,
    minimum: min,
    maximum: max,
    items: items === undefined ? undefined : fieldSchema(items, unknownFields),
    minItems,
    maxItems,
  };
  const present = Object.entries(keywords).filter(([, value]) => value !== undefined);
  return { type, ...Object.fromEntries(present) };
}
