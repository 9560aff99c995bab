import { createSqlValidationError } from "./grammar/sql-error.js";
import type { SqlResult } from "./sql-request.js";
import { formatCount } from "../../openapi/text/format-count.js";

const noColumns: SqlResult["columns"] = [];

/** Creates the result of INSERT, UPDATE and DELETE. */
export function createWriteResult(
  rowCount: number,
  bytes: Pick<SqlResult, "bytesDelta" | "bytesWritten">,
): SqlResult {
  return { rowsJson: "[]", rowCount, columns: noColumns, nextPageToken: null, ...bytes };
}

const maxRepeatedBytes = 16 * 1024 * 1024;

/** Rejects a short statement that writes the same values to many rows. @throws SqlError SQL_VALIDATION_ERROR */
export function rejectTooManyRepeatedBytes(bytes: number): void {
  if (bytes > maxRepeatedBytes)
    throw createSqlValidationError(
      `the statement writes the same values into many rows, ${bytes} bytes in total`,
      `At most ${maxRepeatedBytes} bytes are allowed. Use fewer rows or shorter values.`,
    );
}

/** Each byte takes up to 30 ns. */
const maxIndexBytes = 8 * 1024 * 1024;

/**
 * Rejects a statement that copies its values to many indexes.
 *
 * @param bytes the bytes written and removed in all indexes
 * @throws SqlError SQL_VALIDATION_ERROR
 */
export function rejectTooManyIndexBytes(bytes: number): void {
  if (bytes > maxIndexBytes)
    throw createSqlValidationError(
      "the statement writes or removes too many bytes of index entries",
      `A statement can write or remove at most ${maxIndexBytes} bytes of index entries. Use fewer indexes or shorter values.`,
    );
}

/** Maximum number of rows and index entries that a statement may change. Each takes up to 2 µs. */
export const maxChangedEntries = 100_000;

/** Maximum number of values and bytes in the rows that a statement changes. SQLite reads and writes whole rows. */
const maxChangedValues = 5_000_000;
const maxChangedBytes = 128 * 1024 * 1024;

/**
 * Rejects a statement that changes many rows, or rows in many indexes.
 *
 * @param indexEntries the number of index entries that each row changes; a moved entry counts twice
 * @throws SqlError SQL_VALIDATION_ERROR
 */
export function rejectTooManyChangedEntries(rows: number, indexEntries: number): void {
  if (rows * (1 + indexEntries) > maxChangedEntries)
    throw createSqlValidationError(
      `the statement changes ${rows} rows, and ${formatCount(indexEntries, "index entry")} for each row`,
      `A statement can change at most ${maxChangedEntries} rows and index entries. Use fewer rows or indexes.`,
    );
}

/**
 * Rejects a statement that changes many, wide or long rows, before the rows are measured.
 *
 * @param size the size of the table, from which the size of the rows is estimated
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
