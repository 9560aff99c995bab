import type { Path } from "../expressions/expression.js";
import { isSystemField } from "./entity-order.js";
import type { FieldDefinition, RepositorySchema } from "./schema-reader.js";

/**
 * Whether a path refers to a field of a schema, or to a field that the service sets. Objects without defined fields and
 * arrays without `items` allow any path.
 *
 * @param allowsAnyIfEmpty whether a schema without fields also allows any path
 */
export function hasFieldAtPath(schema: RepositorySchema, path: Path, allowsAnyIfEmpty = true): boolean {
  const [first, ...segments] = path;
  if (isSystemField(first)) return segments.length === 0;
  if (schema.size === 0) return allowsAnyIfEmpty;
  let field = schema.get(first);
  for (const segment of segments) {
    if (field === undefined || isFreeForm(field)) break;
    field = typeof segment === "number" ? field.items : field.properties?.get(segment);
  }
  return field !== undefined;
}

/** Whether a definition allows any contents. */
function isFreeForm({ type, items, properties }: FieldDefinition): boolean {
  if (type === "array") return items === undefined;
  return type === "object" && (properties === undefined || properties.size === 0);
}
