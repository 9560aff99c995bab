import { type JsonObject, type JsonValue, getFieldEntries } from "../json/json-value.js";

/** The members of both objects; where both have one, that of the update, in its old place (gap `entity-put`). */
export function mergeFields(before: JsonObject, update: JsonObject): JsonObject {
  return new Map<string, JsonValue>([...getFieldEntries(before), ...getFieldEntries(update)]);
}
