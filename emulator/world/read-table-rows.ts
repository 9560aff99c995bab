import { defaultProfile } from "../../openapi/gaps/profile.js";
import type { JsonObject } from "../json/json-value.js";
import { parseJson } from "../json/parse-json.js";
import { quoteName } from "../sqlite/quote-name.js";
import type { Store } from "../store/store.js";

/** Reads all rows of an SQL table as objects. */
export function readTableRows(store: Store, databaseId: string, tableName: string): JsonObject[] {
  const context = { databaseId, permission: "read", now: "", profile: defaultProfile } as const;
  const page = { sql: `SELECT * FROM ${quoteName(tableName)}`, limit: defaultProfile["page-limit-max"] };
  const rows: JsonObject[] = [];
  let pageToken: string | null = null;
  do {
    const result = store.sql.query(pageToken === null ? page : { ...page, pageToken }, context);
    rows.push(...(parseJson(result.rowsJson, { maxDepth: 1000 }) as JsonObject[]));
    pageToken = result.nextPageToken;
  } while (pageToken !== null);
  return rows;
}
