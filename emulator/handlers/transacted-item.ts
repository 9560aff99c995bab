import type { Profile } from "../../openapi/gaps/profile.js";
import { type JsonObject, type JsonValue, getField } from "../json/json-value.js";
import { rawJson } from "../json/stringify-body.js";
import { parseJson } from "../json/parse-json.js";
import { stringifyJson } from "../json/stringify-json.js";
import type { ItemRow } from "../store/items.js";
import { maxFilterDepth } from "./conditions.js";
import { describeItem } from "./items.js";

/** An item as transact get shows it (gap `transact-get-item`): with a projection the named attributes of its data alone. */
export function describeTransactedItem(
  item: ItemRow,
  projection: readonly string[] | undefined,
  profile: Profile,
) {
  const data = projection === undefined ? item.data : projectData(item.data, projection);
  return profile["transact-get-item"] === "record" ? describeItem({ ...item, data }) : rawJson(data);
}

/** The named top-level attributes of stored data, in the order of their names' list. */
function projectData(stored: string, names: readonly string[]): string {
  const data = parseJson(stored, { maxDepth: maxFilterDepth }) as JsonObject;
  const chosen = new Map<string, JsonValue>();
  for (const name of names) {
    const value = getField(data, name);
    if (value !== undefined) chosen.set(name, value);
  }
  return stringifyJson(chosen);
}
