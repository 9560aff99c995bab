import { isJsonArray, isJsonObject, JsonNumber, getFieldEntries, type JsonValue } from "./json-value.js";

/** Whether a value is one that `JSON.parse` can return: without a Map or `JsonNumber` at any depth. */
export function isPlainValue(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (value instanceof JsonNumber || value instanceof Map) return false;
  return isJsonArray(value) ? value.every(isPlainValue) : Object.values(value).every(isPlainValue);
}

/**
 * {@link toPlainValue} for a value that `parseJson` returned. It does not search plain objects, because they come from
 * `JSON.parse`; the lossless reader returns Maps.
 */
export function toPlainParsedValue(value: JsonValue): unknown {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
    ? value
    : toPlainValue(value);
}

/**
 * Converts a value to the form that `JSON.parse` returns, for schema validation: numbers are the nearest doubles, objects
 * are plain, and `__proto__` is an own field. Returns a plain value unchanged.
 */
export function toPlainValue(value: JsonValue): unknown {
  return isPlainValue(value) ? value : copyAsPlain(value);
}

function copyAsPlain(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return value.value;
  if (isJsonArray(value)) return value.map(copyAsPlain);
  if (!isJsonObject(value)) return value;
  // Unlike an assignment, this also creates a field `__proto__`.
  return Object.fromEntries(
    Array.from(getFieldEntries(value), ([name, member]) => [name, copyAsPlain(member)] as const),
  );
}
