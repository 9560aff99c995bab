import { isJsonArray, isJsonObject, type JsonValue, getField } from "../json/json-value.js";

/** How long creating the entries of a list takes, relative to creating an item. */
const weights = {
  ...{ users: 10, organizations: 10, members: 10, apiKeys: 10, databases: 10, repositories: 10, tables: 10 },
  ...{ items: 1, entities: 1, rows: 1 },
};

/** Counts the entries that a seed creates: users, databases and the like as ten, a row once more for each index. */
export function countSeedEntries(json: JsonValue): number {
  if (!isJsonObject(json)) return 0;
  const indexes = getField(json, "indexes");
  return Object.entries(weights)
    .map(([name, weight]) => {
      const list = getField(json, name);
      if (!isJsonArray(list)) return 0;
      if (weight === 1)
        return list.length * (name === "rows" && isJsonArray(indexes) ? 1 + indexes.length : 1);
      return list.reduce<number>((sum, entry) => sum + weight + countSeedEntries(entry), 0);
    })
    .reduce((sum, count) => sum + count, 0);
}
