import type { SqlProfile, SqlResult } from "./sql-request.js";

const noColumns: SqlResult["columns"] = [];

/** The answer to INSERT, UPDATE and DELETE: no rows, no columns (gap `sql-write-row-count`). */
export function toWriteResult(
  affectedRows: number,
  bytes: Pick<SqlResult, "bytesDelta" | "bytesWritten">,
  profile: SqlProfile,
): SqlResult {
  const { bytesDelta, bytesWritten } = bytes;
  return {
    rowsJson: "[]",
    rowCount: profile["sql-write-row-count"] === "affected" ? affectedRows : 0,
    columns: noColumns,
    nextPageToken: null,
    affectedRows,
    bytesDelta,
    bytesWritten,
  };
}
