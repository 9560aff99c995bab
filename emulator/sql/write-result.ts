import type { Profile } from "../../openapi/gaps/profile.js";
import { createSqlValidationError } from "./grammar/sql-error.js";
import type { SqlResult } from "./sql-request.js";
import { formatCount } from "../../openapi/text/format-count.js";

const noColumns: SqlResult["columns"] = [];

/** The answer to INSERT, UPDATE and DELETE: no rows, no columns (gap `sql-write-row-count`). */
export function createWriteResult(
  affectedRows: number,
  bytes: Pick<SqlResult, "bytesDelta" | "bytesWritten">,
  profile: Profile,
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

/** Maximum number of bytes that a statement may write into indexes or remove from them, up to some 30 ns each. */
const maxIndexBytes = 8 * 1024 * 1024;

/**
 * Rejects a statement whose values are copied into very many indexes.
 *
 * @param bytes written and removed in all indexes
 * @throws SqlError SQL_VALIDATION_ERROR
 */
export function rejectTooManyIndexBytes(bytes: number): void {
  if (bytes > maxIndexBytes)
    throw createSqlValidationError(
      "the statement writes or removes too many bytes in indexes",
      `A statement can write or remove at most ${maxIndexBytes} bytes in indexes. Use fewer indexes or shorter values.`,
    );
}

/** Maximum number of entries of tables and indexes that a statement may write or remove, up to some 2 µs each. */
export const maxChangedEntries = 100_000;

/** Maximum number of values and bytes in the rows that a statement changes: each row is read and written as a whole. */
const maxChangedValues = 5_000_000;
const maxChangedBytes = 128 * 1024 * 1024;

/**
 * Rejects a statement that changes very many rows, or rows of a table with many indexes.
 *
 * @param indexes how often each row changes an index: to move an entry is to remove and to write it
 * @throws SqlError SQL_VALIDATION_ERROR
 */
export function rejectTooManyChangedEntries(rows: number, indexes: number): void {
  if (rows * (1 + indexes) > maxChangedEntries)
    throw createSqlValidationError(
      `the statement changes ${rows} rows, and ${formatCount(indexes, "index entry")} for each row`,
      `A statement can change at most ${maxChangedEntries} rows and index entries. Use fewer rows or indexes.`,
    );
}

/**
 * Rejects a statement that changes very many, very wide or very long rows, before they are measured.
 *
 * @param size of the table: its rows are taken to be equally long
 * @throws SqlError SQL_VALIDATION_ERROR
 */
export function rejectTooManyChangedRows(
  rows: number,
  columns: number,
  size: { readonly rows: number; readonly bytes: number },
): void {
  rejectTooManyChangedEntries(rows, 0);
  const bytes = size.rows === 0 ? 0 : Math.ceil((rows / size.rows) * size.bytes);
  if (rows * columns > maxChangedValues || bytes > maxChangedBytes)
    throw createSqlValidationError(
      `the statement changes ${rows} rows with ${columns} columns and about ${bytes} bytes`,
      `A statement can change rows with at most ${maxChangedValues} values and ${maxChangedBytes} bytes in total. Use fewer rows.`,
    );
}
