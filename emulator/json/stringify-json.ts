import { isJsonArray, JsonNumber, getFieldEntries, type JsonValue } from "./json-value.js";
import { isPlain } from "./to-plain.js";

/** The compact JSON text of a value: no white space, shortest escapes, numbers as they were spelled. */
export function stringifyJson(value: JsonValue): string {
  return isPlain(value) ? JSON.stringify(value) : write(value);
}

function write(value: JsonValue): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (value instanceof JsonNumber) return value.text;
  if (isJsonArray(value)) return `[${value.map(write).join(",")}]`;
  const members: string[] = [];
  for (const [name, member] of getFieldEntries(value))
    members.push(`${JSON.stringify(name)}:${write(member)}`);
  return `{${members.join(",")}}`;
}

/** The number of bytes that the text has in UTF-8. */
export function countUtf8Bytes(text: string): number {
  return Buffer.byteLength(text, "utf8");
}
