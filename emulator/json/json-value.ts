/**
 * A number whose text differs from the text of its nearest double (`1.0`, `1E5`, `-0`, 20 digits). All other numbers are
 * plain `number`s.
 */
export class JsonNumber {
  #value: number | undefined;

  /** @param text the number as it was written: valid JSON, in the range of a double */
  constructor(readonly text: string) {}

  /** The nearest double. */
  get value(): number {
    return (this.#value ??= Number(this.text));
  }
}

/** An object as `JSON.parse` returns it. It can have an own field `__proto__`. */
export interface PlainJsonObject {
  readonly [name: string]: JsonValue;
}

/**
 * An object in one of two forms. The lossless reader returns a Map, because a plain object would move integer-like names to
 * the front. Code outside this folder uses the functions below.
 */
export type JsonObject = PlainJsonObject | Map<string, JsonValue>;

/** A JSON value. Do not change it, because requests share values. */
export type JsonValue = null | boolean | string | number | JsonNumber | readonly JsonValue[] | JsonObject;

/** Whether the value is an object, in either form. Arrays and `JsonNumber`s are not objects. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !isJsonArray(value) && !(value instanceof JsonNumber);
}

/** Whether the value is an array. `Array.isArray` does not narrow readonly arrays. */
export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Returns an object's own field; undefined if there is none. */
export function getField(object: JsonObject, name: string): JsonValue | undefined {
  if (isMap(object)) return object.get(name);
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Returns the names and values of an object's fields, in order. */
export function getFieldEntries(object: JsonObject): Iterable<readonly [string, JsonValue]> {
  return isMap(object) ? object : Object.entries(object);
}

export function countFields(object: JsonObject): number {
  return isMap(object) ? object.size : Object.keys(object).length;
}

function isMap(object: JsonObject): object is Map<string, JsonValue> {
  return object instanceof Map;
}

/** Whether the text of a number is also the text of its nearest double (`1.5`; not `1.50`, `1E5`, `-0`). */
export function isCanonicalNumberText(text: string): boolean {
  return String(Number(text)) === text;
}
