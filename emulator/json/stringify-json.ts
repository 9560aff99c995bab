import { isJsonArray, JsonNumber, getFieldEntries, type JsonValue, isJsonObject } from "./json-value.js";
import { isPlainValue } from "./to-plain.js";

/** The compact JSON text of a value: no white space, shortest escapes, numbers as they were spelled. */
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

/** The number of bytes that the text has in UTF-8. */
export function countUtf8Bytes(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

/** A JSON text that is the same for values that differ in the order of members alone. */
export function toCanonicalJson(value: JsonValue): string {
  if (isJsonArray(value))
    return value.some(isObject) ? `[${value.map(toCanonicalJson).join(",")}]` : JSON.stringify(value);
  if (!isJsonObject(value)) return stringifyJson(value);
  const members = new Map(getFieldEntries(value));
  // sorting texts without a function is several times as fast
  const names = [...members.keys()].sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${toCanonicalJson(members.get(name) ?? null)}`).join(",")}}`;
}
