import { isJsonObject, type JsonValue, getField } from "../json/json-value.js";

/** Returns a field of a request body; undefined if the body or the field is missing. */
export function getBodyField(json: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(json) ? getField(json, name) : undefined;
}
