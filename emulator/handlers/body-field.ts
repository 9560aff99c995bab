import { isJsonObject, type JsonValue, getField } from "../json/json-value.js";

/** A member of a request body that was read without loss; nothing where the body or the member is missing. */
export function getBodyField(json: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(json) ? getField(json, name) : undefined;
}
