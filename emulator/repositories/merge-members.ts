import { type JsonObject, type JsonValue, memberEntries } from "../json/json-value.js";

/** The members of both objects; where both have one, that of the update, in its old place (gap `entity-put`). */
export function mergeMembers(before: JsonObject, update: JsonObject): JsonObject {
  return new Map<string, JsonValue>([...memberEntries(before), ...memberEntries(update)]);
}
