import { isJsonArray, JsonNumber, getFieldEntries, type JsonObject, type JsonValue } from "./json-value.js";
import { isPlain } from "./to-plain.js";

/** The same value with every number as the nearest double, members in their order (gap `number-precision`). */
export function toDoubles(value: JsonValue): JsonValue {
  if (isPlain(value)) return value;
  if (value instanceof JsonNumber) return value.value;
  if (isJsonArray(value)) return value.map(toDoubles);
  return new Map(
    [...getFieldEntries(value as JsonObject)].map(([name, member]) => [name, toDoubles(member)]),
  );
}
