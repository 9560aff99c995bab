import { createSqlValidationError } from "./grammar/sql-error.js";
import type { SqlProfile, SqlResult } from "./sql-request.js";

const noColumns: SqlResult["columns"] = [];

/** The answer to INSERT, UPDATE and DELETE: no rows, no columns (gap `sql-write-row-count`). */
export function createWriteResult(
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

/** Maximum number of bytes that a statement may write beyond those that it contains. */
const maxRepeatedBytes = 16 * 1024 * 1024;

/**
 * Rejects a statement of a few bytes that writes the same values into very many rows.
 *
 * @param bytes of all copies
 * @throws SqlError SQL_VALIDATION_ERROR
 */
export function rejectTooManyRepeatedBytes(bytes: number): void {
  if (bytes > maxRepeatedBytes)
    throw createSqlValidationError(
      `the statement writes the same values into many rows, ${bytes} bytes in total`,
      `At most ${maxRepeatedBytes} bytes are allowed. Use fewer rows or shorter values.`,
    );
}

/** Maximum number of bytes that a statement may write into indexes: those of the longest statement in four. */
const maxIndexBytes = 64 * 1024 * 1024;

/**
 * Rejects a statement whose values are copied into very many indexes.
 *
 * @param bytes in all indexes
 * @throws SqlError SQL_VALIDATION_ERROR
 */
export function rejectTooManyIndexBytes(bytes: number): void {
  if (bytes > maxIndexBytes)
    throw createSqlValidationError(
      "the statement writes its values into many indexes",
      `A statement may write at most ${maxIndexBytes} bytes into indexes. Use fewer indexes or shorter values.`,
    );
}
