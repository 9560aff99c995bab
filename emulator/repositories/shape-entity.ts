import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberEntries,
  memberOf,
} from "../json/json-value.js";
import type { FieldDefinition, RepositorySchema } from "./repository-schema.js";

/**
 * Gives fields that are left out their default values, and drops unknown fields where the profile wants that, at
 * every depth. Defaults come after the given members, in the order of the schema. All other members stay the very
 * values they are; an object that needs no change is returned as it is.
 */
export function shapeEntity(data: JsonObject, schema: RepositorySchema, dropUnknown: boolean): JsonObject {
  if (schema.size === 0) return data;
  const members = new Map<string, JsonValue>();
  let changed = false;
  for (const [name, value] of memberEntries(data)) {
    const definition = schema.get(name);
    if (definition === undefined && dropUnknown) {
      changed = true;
      continue;
    }
    const shaped = definition === undefined ? value : shapeValue(value, definition, dropUnknown);
    changed ||= shaped !== value;
    members.set(name, shaped);
  }
  for (const [name, definition] of schema) {
    if (definition.default === undefined || memberOf(data, name) !== undefined) continue;
    changed = true;
    members.set(name, shapeValue(definition.default, definition, dropUnknown));
  }
  return changed ? members : data;
}

function shapeValue(value: JsonValue, definition: FieldDefinition, dropUnknown: boolean): JsonValue {
  const { properties, items } = definition;
  if (properties !== undefined && isJsonObject(value)) return shapeEntity(value, properties, dropUnknown);
  if (items === undefined || !isJsonArray(value)) return value;
  const shaped = value.map((element) => shapeValue(element, items, dropUnknown));
  return shaped.some((element, index) => element !== value[index]) ? shaped : value;
}

/** Whether `shapeEntity` can change anything under this schema; if not, there is no need to call it. */
export function canShape(schema: RepositorySchema, dropUnknown: boolean): boolean {
  if (schema.size === 0) return false;
  const inField = ({ default: value, properties, items }: FieldDefinition): boolean =>
    value !== undefined ||
    (properties !== undefined && canShape(properties, dropUnknown)) ||
    (items !== undefined && inField(items));
  return dropUnknown || [...schema.values()].some(inField);
}
