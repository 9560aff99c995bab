import type { Profile } from "../../openapi/gaps/profile.js";
import { pickFields } from "../json/compact-reader.js";
import { rawJson } from "../json/stringify-body.js";
import type { ItemRow } from "../store/items.js";
import { describeItem } from "./items.js";

/** An item as transact get shows it (gap `transact-get-item`): with a projection the named attributes of its data alone. */
export function describeTransactionItem(
  item: ItemRow,
  projection: readonly string[] | undefined,
  profile: Profile,
) {
  const data = projection === undefined ? item.data : pickFields(item.data, projection);
  return profile["transact-get-item"] === "record" ? describeItem({ ...item, data }) : rawJson(data);
}
