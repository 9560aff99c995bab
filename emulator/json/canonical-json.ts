import { isJsonArray, isJsonObject, type JsonValue, getFieldEntries } from "./json-value.js";
import { stringifyJson } from "./stringify-json.js";

/** A JSON text that is the same for values that differ in the order of members alone. */
export function canonicalJson(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isJsonObject(value)) return stringifyJson(value);
  const members = [...getFieldEntries(value)].sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(",")}}`;
}
