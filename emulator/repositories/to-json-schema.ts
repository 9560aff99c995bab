import type { FieldDefinition, RepositorySchema, UnknownFields } from "./repository-schema.js";

/** A JSON Schema as an object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What the schema has to let through. */
export interface Leniency {
  readonly unknownFields: UnknownFields;
  /** Whether a field that is not required may be null. */
  readonly takesNulls: boolean;
}

/** The JSON Schema of the data of entities. A schema without fields allows every object. */
export function toJsonSchema(schema: RepositorySchema, leniency: Leniency): JsonSchema {
  if (schema.size === 0) return { type: "object" };
  const fields = [...schema];
  const required = fields.filter(([, definition]) => definition.required).map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(
      fields.map(([name, definition]) => {
        const field = fieldSchema(definition, leniency);
        const takesNull = leniency.takesNulls && !definition.required;
        return [name, takesNull ? { ...field, type: [field.type, "null"] } : field];
      }),
    ),
    ...(required.length > 0 ? { required } : {}),
    ...(leniency.unknownFields === "reject" ? { additionalProperties: false } : {}),
  };
}

function fieldSchema(definition: FieldDefinition, leniency: Leniency): JsonSchema {
  const { type, minLength, maxLength, pattern, min, max, items, minItems, maxItems, properties } = definition;
  if (properties !== undefined) return toJsonSchema(properties, leniency);
  const keywords = {
    minLength,
    maxLength,
    pattern,
    minimum: min,
    maximum: max,
    items: items === undefined ? undefined : fieldSchema(items, leniency),
    minItems,
    maxItems,
  };
  const present = Object.entries(keywords).filter(([, value]) => value !== undefined);
  return { type, ...Object.fromEntries(present) };
}
