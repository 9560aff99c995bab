/**
 * A number whose spelling a double does not reproduce (`1.0`, `1E5`, `-0`, 20 digits). Numbers that a double
 * spells the same way are plain `number`s.
 */
export class JsonNumber {
  #value: number | undefined;

  /** @param text the number as it was written: valid JSON, within a double's range */
  constructor(readonly text: string) {}

  /** The nearest double. */
  get value(): number {
    return (this.#value ??= Number(this.text));
  }
}

/** An object as `JSON.parse` makes it. `__proto__` is an ordinary own member of it. */
export interface PlainJsonObject {
  readonly [name: string]: JsonValue;
}

/**
 * An object in either of two forms. The lossless reader makes a Map, because a plain object would move
 * integer-like names to the front. Code outside this folder looks at objects through the functions below.
 */
export type JsonObject = PlainJsonObject | Map<string, JsonValue>;

/** Any JSON value. Treat it as immutable: values are shared between requests. */
export type JsonValue = null | boolean | string | number | JsonNumber | readonly JsonValue[] | JsonObject;

/** Whether the value is an object, in either form (an array is none, a `JsonNumber` is none). */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !isJsonArray(value) && !(value instanceof JsonNumber);
}

/** Whether the value is an array. `Array.isArray` does not narrow readonly arrays. */
export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The member of that name, or `undefined` where the object has none; never anything inherited. */
export function getField(object: JsonObject, name: string): JsonValue | undefined {
  if (isMap(object)) return object.get(name);
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Names and values in the object's order. */
export function getFieldEntries(object: JsonObject): Iterable<readonly [string, JsonValue]> {
  return isMap(object) ? object : Object.entries(object);
}

/** The number of members. */
export function countFields(object: JsonObject): number {
  return isMap(object) ? object.size : Object.keys(object).length;
}

function isMap(object: JsonObject): object is Map<string, JsonValue> {
  return object instanceof Map;
}

/** Whether a double prints the number with the same characters (`1.5`; not `1.50`, `1E5`, `-0`). */
export function isCanonicalNumberText(text: string): boolean {
  return String(Number(text)) === text;
}
