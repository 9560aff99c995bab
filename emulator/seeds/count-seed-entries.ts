import { isJsonArray, isJsonObject, type JsonValue, getField } from "../json/json-value.js";

/** Lists whose entries take about ten times as long to create as an item. */
const costlyLists = ["users", "organizations", "members", "apiKeys", "databases", "repositories", "tables"];

/** Counts the entries that a seed creates: users, databases and the like as ten, a row once more for each index. */
export function countSeedEntries(json: JsonValue): number {
  if (!isJsonObject(json)) return 0;
  const getList = (name: string) => {
    const list = getField(json, name);
    return isJsonArray(list) ? list : [];
  };
  const rows = getList("rows").length * (1 + getList("indexes").length);
  let count = getList("items").length + getList("entities").length + rows;
  for (const name of costlyLists) for (const entry of getList(name)) count += 10 + countSeedEntries(entry);
  return count;
}
