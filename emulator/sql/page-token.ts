import { isString } from "../domain/cursor.js";
import { createSqlValidationError, type SqlError } from "./grammar/sql-error.js";
import type { Column } from "./table.js";
import type { StoredValue } from "./types/codec.js";
import { tryTo } from "../../openapi/text/try-to.js";

/** Where a page ended. */
export interface PagePosition {
  /** Number of rows that LIMIT leaves for later pages; null without LIMIT. */
  readonly remaining: number | null;
  /** The last row's values of the columns that order the rows. */
  readonly values: readonly StoredValue[];
}

type Part = string | number | { readonly blob: string };

/**
 * Writes a position as an opaque text. It names a place among the keys rather than a row number, so that rows
 * written or deleted between two pages neither shift nor repeat the others.
 *
 * @param statement the statement that the token is for: see `fingerprint`
 */
export function encodePageToken(statement: string, { remaining, values }: PagePosition): string {
  const parts = values.map((value): Part =>
    value instanceof Uint8Array ? { blob: Buffer.from(value).toString("base64") } : value,
  );
  return Buffer.from(JSON.stringify([statement, remaining, ...parts])).toString("base64url");
}

/** @throws SqlError SQL_VALIDATION_ERROR for a text that is not a token of this statement */
export function decodePageToken(token: string, statement: string, order: readonly Column[]): PagePosition {
  const parts = tryTo(() => JSON.parse(Buffer.from(token, "base64url").toString("utf8")) as unknown);
  if (!Array.isArray(parts)) throw invalidTokenError();
  const [given, remaining, ...values] = parts as readonly unknown[];
  if (typeof given !== "string" || values.length === 0) throw invalidTokenError();
  if (given !== statement)
    throw createSqlValidationError(
      "`pageToken` is from another statement",
      "Send the same statement and parameters for all pages. Dropping the table makes its page tokens invalid.",
    );
  if (values.length !== order.length || !isRemaining(remaining)) throw invalidTokenError();
  return {
    remaining,
    values: values.map((value, index) => readStored(value, order[index])),
  };
}

/** A short text that differs for different statements, parameters and tables: two FNV-1a hashes of 32 bits. */
export function hashStatement(tableId: number, sql: string, parameters: string): string {
  const text = `${sql}\0${parameters}`;
  let a = 0x811c9dc5;
  let b = 0x01000193;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x01000193) + at;
  }
  return `${tableId}.${(a >>> 0).toString(36)}${(b >>> 0).toString(36)}`;
}

function isRemaining(value: unknown): value is number | null {
  return value === null || (Number.isSafeInteger(value) && (value as number) >= 0);
}

/** The value is bound, never spliced; only its kind has to fit. */
function readStored(value: unknown, column: Column | undefined): StoredValue {
  switch (column?.codec.affinity) {
    case "TEXT":
      if (isString(value)) return value;
      break;
    case "INTEGER":
      if (typeof value === "string" && /^-?\d{1,19}$/.test(value)) return value;
      if (Number.isSafeInteger(value)) return value as number;
      break;
    case "REAL":
      if (typeof value === "number") return value;
      break;
    case "BLOB":
      if (typeof value === "object" && value !== null && "blob" in value && typeof value.blob === "string")
        return Buffer.from(value.blob, "base64");
      break;
    case undefined:
      break;
  }
  throw invalidTokenError();
}

function invalidTokenError(): SqlError {
  return createSqlValidationError(
    "`pageToken` was not issued by the service",
    "Pass the `nextPageToken` from the previous page unchanged.",
  );
}
