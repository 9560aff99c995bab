import type { sqlErrorCodes } from "../../../openapi/schemas/sql.js";

/** The codes of part 7 of the specification. */
export type SqlErrorCode = (typeof sqlErrorCodes)[number];

/** A mistake of the caller of the SQL interface. `details` says where the mistake is, and what to do about it. */
export class SqlError extends Error {
  override readonly name = "SqlError";

  constructor(
    readonly code: SqlErrorCode,
    message: string,
    readonly details: string,
  ) {
    super(message);
  }
}

/** Creates the error for a valid statement that tables, keys, types or the profile do not allow. */
export function createSqlValidationError(message: string, details = ""): SqlError {
  return new SqlError("SQL_VALIDATION_ERROR", message, details);
}

/** @throws SqlError SQL_VALIDATION_ERROR if a part of a statement names a column twice */
export function rejectRepeatedColumn(part: string, names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw createSqlValidationError(`${part} ${JSON.stringify(twice)} twice`, "Name each column once.");
}
