import type { SqlProfile, SqlResult } from "./sql-request.js";

/** The answer to INSERT, UPDATE and DELETE: no rows, no columns (gap `sql-write-row-count`). */
export function written(rows: number, bytesDelta: number, profile: SqlProfile): SqlResult {
  return {
    rowsJson: "[]",
    rowCount: profile["sql-write-row-count"] === "affected" ? rows : 0,
    columns: [],
    nextPageToken: null,
    bytesDelta,
  };
}
