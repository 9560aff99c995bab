import { isJsonArray, JsonNumber, type JsonValue } from "../../json/json-value.js";

/**
 * A value as it is bound to a statement and read from one. Integers that a double cannot represent are decimal text, which
 * SQLite converts to integers in an INTEGER column.
 */
export type StoredValue = number | string | Uint8Array;

/** Maximum number of characters of a row of a result, and of a value. */
export const maxRowLength = 64 * 1024 * 1024;

/** A collection literal of a statement, with the parameters in place of markers. */
export class InputCollection {
  /** @param entries keys and values of a map, or items of a list or set with null keys */
  constructor(
    readonly kind: "list" | "set" | "map",
    readonly entries: readonly { readonly key: InputValue; readonly value: InputValue }[],
  ) {}
}

/** A value that the caller gives, in a statement or as a parameter. Only `X'00ff'` is a `Uint8Array`. */
export type InputValue = JsonValue | Uint8Array | InputCollection;

/** The value does not fit the type. The message has no subject: `is not a whole number`. */
export class InvalidValueError extends Error {
  override readonly name = "InvalidValueError";
}

/** Defines how the values of a type are stored and returned. */
export interface Codec {
  /** The type's name in responses, the first of its family: `MAP<VARCHAR, LIST<INT>>`. */
  readonly type: string;
  /** Declared type of the SQLite column, which decides its affinity. */
  readonly affinity: "INTEGER" | "REAL" | "TEXT" | "BLOB";
  /** Collections can only be tested for equality, and can be neither keys nor indexed. */
  readonly isScalar: boolean;
  /**
   * Returns the stored form. Equal values have equal forms, and SQLite orders the forms of scalars as the values.
   *
   * @param given any value except null
   * @throws InvalidValueError
   */
  encode(given: InputValue): StoredValue;
  /** Returns the JSON text of a stored value. */
  toJson(stored: StoredValue): string;
  /** Converts the name of a field in a JSON object, which is the key of a MAP, to a value. */
  fromName(name: string): InputValue;
  /** Orders two stored values. */
  compare(a: StoredValue, b: StoredValue): number;
  /** Returns SQL that reads a column so that sql.js returns the stored form; by default, the column itself. */
  readonly toReadSql?: (column: string) => string;
  /** Size of a value; undefined if it is that of the stored text or bytes. */
  readonly width?: number;
}

/** Orders texts by their UTF-16 units. */
export function compareText(a: StoredValue, b: StoredValue): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns SQL that reads the stored form of a column's values. */
export function buildReadSql(codec: Codec, column: string): string {
  return codec.toReadSql?.(column) ?? column;
}

/** Returns the size of a stored value; null has none. */
export function countStoredBytes(codec: Codec, stored: StoredValue | null): number {
  if (stored === null) return 0;
  if (codec.width !== undefined) return codec.width;
  return typeof stored === "string" ? Buffer.byteLength(stored) : (stored as Uint8Array).length;
}

/** Returns SQL for {@link countStoredBytes} of a column. */
export function buildStoredBytesSql(codec: Codec, column: string): string {
  return codec.width === undefined
    ? `coalesce(octet_length(${column}), 0)`
    : `(${column} IS NOT NULL) * ${codec.width}`;
}

/** Describes a value in messages: briefly, and so that its type is clear. */
export function describeInput(given: InputValue): string {
  if (given === null) return "NULL";
  if (given instanceof Uint8Array) return "a BLOB literal";
  if (given instanceof InputCollection) return `a ${given.kind.toUpperCase()} literal`;
  if (isJsonArray(given)) return "an array";
  if (typeof given === "object" && !(given instanceof JsonNumber)) return "an object";
  const text = given instanceof JsonNumber ? given.text : JSON.stringify(given);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
