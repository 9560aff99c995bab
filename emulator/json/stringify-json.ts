import { isJsonArray, JsonNumber, getFieldEntries, type JsonValue, isJsonObject } from "./json-value.js";
import { isPlainValue } from "./to-plain.js";

/** Writes a value as compact JSON: no white space, shortest escapes, numbers as they were given. */
export function stringifyJson(value: JsonValue): string {
  return isPlainValue(value) ? JSON.stringify(value) : write(value);
}

function isObject(value: JsonValue): boolean {
  return typeof value === "object" && value !== null;
}

function write(value: JsonValue): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (value instanceof JsonNumber) return value.text;
  if (isJsonArray(value))
    return value.some(isObject) ? `[${value.map(write).join(",")}]` : JSON.stringify(value);
  const members: string[] = [];
  for (const [name, member] of getFieldEntries(value))
    members.push(`${JSON.stringify(name)}:${write(member)}`);
  return `{${members.join(",")}}`;
}

/** Writes a value as JSON with sorted fields: values that differ only in the order of fields have the same text. */
export function toCanonicalJson(value: JsonValue): string {
  if (isJsonArray(value))
    return value.some(isObject) ? `[${value.map(toCanonicalJson).join(",")}]` : JSON.stringify(value);
  if (!isJsonObject(value)) return stringifyJson(value);
  const members = new Map(getFieldEntries(value));
  // Sorting without a comparison function is several times as fast.
  const names = [...members.keys()].sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${toCanonicalJson(members.get(name) ?? null)}`).join(",")}}`;
}
