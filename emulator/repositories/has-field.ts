import type { Path } from "../expressions/expression.js";
import { isSystemField } from "./entity-order.js";
import type { FieldDefinition, RepositorySchema } from "./repository-schema.js";

/**
 * Whether a path names a field that a schema has, or one that the service sets. A schema, or `properties`, without
 * fields leaves its object free, and an array without `items` its elements: there any path leads on.
 *
 * @param emptyKnowsAll whether that goes for the schema as a whole
 */
export function hasFieldAtPath(schema: RepositorySchema, path: Path, emptyKnowsAll = true): boolean {
  const [first, ...rest] = path;
  if (isSystemField(first)) return rest.length === 0;
  if (schema.size === 0) return emptyKnowsAll;
  let field = schema.get(first);
  for (const segment of rest) {
    if (field === undefined || isFreeForm(field)) break;
    field = typeof segment === "number" ? field.items : field.properties?.get(segment);
  }
  return field !== undefined;
}

/** Whether a definition says nothing about the contents. */
function isFreeForm({ type, items, properties }: FieldDefinition): boolean {
  if (type === "array") return items === undefined;
  return type === "object" && (properties === undefined || properties.size === 0);
}
