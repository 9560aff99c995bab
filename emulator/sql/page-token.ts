import { encodeCursor, isString, readCursor } from "../domain/cursor.js";
import { createSqlValidationError, type SqlError } from "./grammar/sql-error.js";
import type { Column } from "./table.js";
import type { StoredValue } from "./types/codec.js";

/** The position after a page. */
export interface PagePosition {
  /** Number of rows that LIMIT allows in later pages; null without LIMIT. */
  readonly remaining: number | null;
  /** The last row's values of the columns that order the rows. */
  readonly values: readonly StoredValue[];
}

/** Writes a position as a cursor. @param scope identifies the table, the statement and its parameters */
export function encodePageToken(scope: string, { remaining, values }: PagePosition): string {
  const keys = values.map((value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value,
  );
  return encodeCursor(scope, [remaining, ...keys]);
}

/** @throws SqlError SQL_VALIDATION_ERROR for a text that is not a token of this statement */
export function decodePageToken(token: string, scope: string, order: readonly Column[]): PagePosition {
  const [remaining, ...values] = readCursor(scope, token) ?? [];
  if (values.length !== order.length || !isRemaining(remaining)) throw createInvalidTokenError();
  return { remaining, values: values.map((value, index) => readStored(value, order[index])) };
}

function isRemaining(value: unknown): value is number | null {
  return value === null || (Number.isSafeInteger(value) && (value as number) >= 0);
}

/** Reads a value in a token. It is bound to a statement, so only its type must be right. */
function readStored(value: unknown, column: Column | undefined): StoredValue {
  const affinity = column?.codec.affinity;
  if (affinity === "REAL" ? typeof value === "number" : affinity === "INTEGER" && Number.isSafeInteger(value))
    return value as number;
  if (!isString(value)) throw createInvalidTokenError();
  if (affinity === "BLOB") return Buffer.from(value, "base64");
  if (affinity === "TEXT" || (affinity === "INTEGER" && /^-?\d{1,19}$/.test(value))) return value;
  throw createInvalidTokenError();
}

function createInvalidTokenError(): SqlError {
  return createSqlValidationError(
    "`pageToken` is not from a page of this statement",
    "Pass the `nextPageToken` from the previous page unchanged, with the same statement and parameters. " +
      "Dropping the table makes its page tokens invalid.",
  );
}
