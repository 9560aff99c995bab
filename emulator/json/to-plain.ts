import {
  isJsonArray,
  isJsonObject,
  JsonNumber,
  getFieldEntries,
  type JsonValue,
  type JsonObject,
} from "./json-value.js";

/** Whether the whole value consists of what `JSON.parse` makes: no Map, no `JsonNumber` at any depth. */
export function isPlainValue(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (value instanceof JsonNumber || value instanceof Map) return false;
  return isJsonArray(value) ? value.every(isPlainValue) : Object.values(value).every(isPlainValue);
}

/**
 * {@link toPlainValue} for the value of a whole text as `readJson` returned it, which it need not look through: a plain
 * object tells that `JSON.parse` made everything in it, because the lossless reader makes Maps.
 */
export function toPlainParsedValue(value: JsonValue): unknown {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
    ? value
    : toPlainValue(value);
}

/**
 * The value as `JSON.parse` would have made it, for code that knows no other form (schema validation): numbers are
 * the nearest doubles, objects are plain, `__proto__` is a safe own member. A plain value is returned as it is.
 */
export function toPlainValue(value: JsonValue): unknown {
  return isPlainValue(value) ? value : plainCopy(value);
}

function plainCopy(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return value.value;
  if (isJsonArray(value)) return value.map(plainCopy);
  if (!isJsonObject(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, member] of getFieldEntries(value)) {
    const plain = plainCopy(member);
    if (name === "__proto__") {
      // an assignment would set the prototype instead
      Object.defineProperty(copy, name, {
        value: plain,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    } else {
      copy[name] = plain;
    }
  }
  return copy;
}

/** The same value with every number as the nearest double, members in their order (gap `number-precision`). */
export function roundNumbersToDoubles(value: JsonValue): JsonValue {
  if (isPlainValue(value)) return value;
  if (value instanceof JsonNumber) return value.value;
  if (isJsonArray(value)) return value.map(roundNumbersToDoubles);
  return new Map(
    [...getFieldEntries(value as JsonObject)].map(([name, member]) => [name, roundNumbersToDoubles(member)]),
  );
}
