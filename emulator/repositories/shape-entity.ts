import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberEntries,
  memberOf,
} from "../json/json-value.js";
import type { FieldDefinition, RepositorySchema } from "./repository-schema.js";

/** Which members of data are dropped: those that the schema does not name, and fields that are null. */
export interface Drops {
  readonly unknown: boolean;
  readonly nulls: boolean;
}

/**
 * Gives fields that are left out their default values, and drops members where the profile wants that, at every depth. Defaults come after the given members, in the order of the schema. All other members stay the very
 * values they are; an object that needs no change is returned as it is.
 */
export function shapeEntity(data: JsonObject, schema: RepositorySchema, drops: Drops): JsonObject {
  if (schema.size === 0) return data;
  const members = new Map<string, JsonValue>();
  const isLeftOut = (name: string) => {
    const value = memberOf(data, name);
    return value === undefined || (drops.nulls && value === null);
  };
  let changed = false;
  for (const [name, value] of memberEntries(data)) {
    const definition = schema.get(name);
    if (definition === undefined ? drops.unknown : drops.nulls && value === null) {
      changed = true;
      continue;
    }
    const shaped = definition === undefined ? value : shapeValue(value, definition, drops);
    changed ||= shaped !== value;
    members.set(name, shaped);
  }
  for (const [name, definition] of schema) {
    const { default: value } = definition;
    if (value === undefined || (drops.nulls && value === null) || !isLeftOut(name)) continue;
    changed = true;
    members.set(name, shapeValue(value, definition, drops));
  }
  return changed ? members : data;
}

function shapeValue(value: JsonValue, definition: FieldDefinition, drops: Drops): JsonValue {
  const { properties, items } = definition;
  if (properties !== undefined && isJsonObject(value)) return shapeEntity(value, properties, drops);
  if (items === undefined || !isJsonArray(value)) return value;
  const shaped = value.map((element) => shapeValue(element, items, drops));
  return shaped.some((element, index) => element !== value[index]) ? shaped : value;
}

/** Whether `shapeEntity` can change anything under this schema; if not, there is no need to call it. */
export function canShape(schema: RepositorySchema, drops: Drops): boolean {
  if (schema.size === 0) return false;
  const inField = ({ default: value, properties, items }: FieldDefinition): boolean =>
    value !== undefined ||
    (properties !== undefined && canShape(properties, drops)) ||
    (items !== undefined && inField(items));
  return drops.unknown || drops.nulls || [...schema.values()].some(inField);
}
