import type { Profile } from "../../openapi/gaps/profile.js";
import { type JsonObject, type JsonValue, memberOf } from "../json/json-value.js";
import { rawJson } from "../json/raw-json.js";
import { readJson } from "../json/read-json.js";
import { writeJson } from "../json/write-json.js";
import type { ItemRow } from "../store/items.js";
import { deepest } from "./conditions.js";
import { describeItem } from "./items.js";

/** An item as transact get shows it (gap `transact-get-item`): with a projection the named attributes of its data alone. */
export function transactedItem(item: ItemRow, projection: readonly string[] | undefined, profile: Profile) {
  const data = projection === undefined ? item.data : projected(item.data, projection);
  return profile["transact-get-item"] === "record" ? describeItem({ ...item, data }) : rawJson(data);
}

/** The named top-level attributes of stored data, in the order of their names' list. */
function projected(stored: string, names: readonly string[]): string {
  const data = readJson(stored, { maxDepth: deepest }) as JsonObject;
  const chosen = new Map<string, JsonValue>();
  for (const name of names) {
    const value = memberOf(data, name);
    if (value !== undefined) chosen.set(name, value);
  }
  return writeJson(chosen);
}
