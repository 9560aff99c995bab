import { createSqlValidationError, type SqlError } from "./grammar/sql-error.js";
import type { Value } from "./grammar/syntax.js";
import type { Column } from "./table.js";
import {
  describeInput,
  type InputValue,
  InputCollection,
  type StoredValue,
  InvalidValueError,
} from "./types/codec.js";
import { JsonNumber } from "../json/json-value.js";

/** Returns the stored form of a value, once the parameters are known. @throws SqlError SQL_VALIDATION_ERROR */
export type ValueGetter<Result = StoredValue> = (parameters: readonly InputValue[]) => Result;

/** Converts a given value to a stored value. */
export type Encoder<Result> = (given: InputValue) => Result;

/**
 * Compiles a value of a statement. Literals are checked immediately, markers when the parameters are known.
 *
 * @throws SqlError SQL_VALIDATION_ERROR
 */
export function compileValue<Result>(value: Value, encode: Encoder<Result>): ValueGetter<Result> {
  if (value.kind === "parameter") {
    const { index } = value;
    // The number of parameters has been checked.
    return (parameters) => encode(parameters[index] ?? null);
  }
  if (hasMarker(value)) return (parameters) => encode(toInputValue(value, parameters));
  const constant = encode(toInputValue(value, []));
  return () => constant;
}

/** Creates the encoder for values that are compared with a column, which must not be null. */
export function createComparisonEncoder(column: Column): Encoder<StoredValue> {
  return (given) => {
    if (given === null)
      throw createSqlValidationError(
        `column ${JSON.stringify(column.name)} is compared with NULL`,
        "Nothing equals NULL; use IS NULL or IS NOT NULL.",
      );
    return encodeForColumn(column, given);
  };
}

type EncodedColumn = Pick<Column, "name" | "codec" | "key" | "nullable">;

/** Creates the encoder for values of a column. */
export function createColumnEncoder(column: EncodedColumn): Encoder<StoredValue | null> {
  return (given) => {
    if (given !== null) return encodeForColumn(column, given);
    if (!column.nullable) throw createNotNullError(column);
    return null;
  };
}

/** Creates the error for NULL in a column that does not allow it. */
export function createNotNullError(column: EncodedColumn): SqlError {
  return createSqlValidationError(
    `column ${JSON.stringify(column.name)} must not be NULL`,
    column.key === null ? "The column is declared NOT NULL." : "The column is part of the primary key.",
  );
}

function encodeForColumn(column: EncodedColumn, given: InputValue): StoredValue {
  try {
    return column.codec.encode(given);
  } catch (error) {
    if (!(error instanceof InvalidValueError)) throw error;
    throw createSqlValidationError(
      `the value ${describeInput(given)} does not fit column ${JSON.stringify(column.name)}`,
      `The value ${error.message} (column type: ${column.codec.type}).`,
    );
  }
}

function hasMarker(value: Value): boolean {
  switch (value.kind) {
    case "parameter":
      return true;
    case "list":
    case "set":
      return value.items.some(hasMarker);
    case "map":
      return value.entries.some((entry) => hasMarker(entry.key) || hasMarker(entry.value));
    default:
      return false;
  }
}

function toInputValue(value: Value, parameters: readonly InputValue[]): InputValue {
  switch (value.kind) {
    case "parameter":
      return parameters[value.index] ?? null;
    case "null":
      return null;
    case "boolean":
    case "string":
      return value.value;
    case "number":
      return new JsonNumber(value.text);
    case "blob":
      return Buffer.from(value.hex, "hex");
    case "list":
    case "set":
      return new InputCollection(
        value.kind,
        value.items.map((item) => ({ key: null, value: toInputValue(item, parameters) })),
      );
    case "map":
      return new InputCollection(
        "map",
        value.entries.map((entry) => ({
          key: toInputValue(entry.key, parameters),
          value: toInputValue(entry.value, parameters),
        })),
      );
  }
}
