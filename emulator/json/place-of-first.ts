import { pointerTo } from "../../openapi/validation/json-pointer.js";
import { isJsonArray, isJsonObject, memberEntries, type JsonValue } from "./json-value.js";

/**
 * The JSON pointer of the first text, number, true, false or null that a test holds for, in the order of the text;
 * nothing where there is none. Names of members are texts, and stand where their value does.
 */
export function placeOfFirst(
  value: JsonValue,
  test: (scalar: JsonValue) => boolean,
  pointer = "",
): string | undefined {
  if (!isJsonArray(value) && !isJsonObject(value)) return test(value) ? pointer : undefined;
  const entries = isJsonArray(value) ? value.entries() : memberEntries(value);
  for (const [name, member] of entries) {
    const below = pointerTo(pointer, String(name));
    if (typeof name === "string" && test(name)) return below;
    const place = placeOfFirst(member, test, below);
    if (place !== undefined) return place;
  }
  return undefined;
}
