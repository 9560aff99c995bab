import type { JsonNumber, JsonValue } from "../../json/json-value.js";

/**
 * A value as it is bound to a statement and read from one. Integers that a double cannot hold are decimal text, of
 * which the affinity of an INTEGER column makes integers.
 */
export type StoredValue = number | string | Uint8Array;

/** Maximum number of characters of a row of a result, and of a value. */
export const maxRowLength = 64 * 1024 * 1024;

/** A collection literal of a statement whose markers are replaced by the parameters. */
export class InputCollection {
  /** @param entries keys and values of a map; items of a list or set stand in `value` with a null key */
  constructor(
    readonly kind: "list" | "set" | "map",
    readonly entries: readonly { readonly key: InputValue; readonly value: InputValue }[],
  ) {}
}

/** A value that the caller gives, in a statement or as a parameter. Only `X'00ff'` gives bytes. */
export type InputValue = JsonValue | Uint8Array | InputCollection;

/** Thrown by `Codec.encode`: the value does not fit the type. The message has no subject: `is not a whole number`. */
export class InvalidValueError extends Error {
  override readonly name = "InvalidValueError";
}

/** The properties of a type: its values, and how they are stored, ordered and returned. */
export interface Codec {
  /** The type's name in answers, the first of its family: `MAP<VARCHAR, LIST<INT>>`. */
  readonly type: string;
  /** Declared type of the SQLite column, which decides its affinity. */
  readonly affinity: "INTEGER" | "REAL" | "TEXT" | "BLOB";
  /** Collections can only be tested for equality, and can be neither keys nor indexed. */
  readonly scalar: boolean;
  /**
   * The stored form. Equal values have equal forms, and SQLite orders the forms of scalars as the values.
   * @param given anything but null
   * @throws InvalidValueError
   */
  encode(given: InputValue): StoredValue;
  /** The JSON text of a stored value. */
  toJson(stored: StoredValue): string;
  /** Converts a field name of a JSON object to a value: the keys of a MAP. */
  fromName(name: string): InputValue;
  /** Orders two stored values. */
  compare(a: StoredValue, b: StoredValue): number;
  /** SQL that reads a column so that sql.js gives back the stored form. */
  read(column: string): string;
  /** Size of a value; undefined if it is that of the stored text or bytes. */
  readonly width?: number;
}

/** A number as JSON or a statement spells it. */
export type InputNumber = number | JsonNumber;

/** Returns the size of a stored value; null has none. */
export function countStoredBytes(codec: Codec, stored: StoredValue | null): number {
  if (stored === null) return 0;
  if (codec.width !== undefined) return codec.width;
  return typeof stored === "string" ? Buffer.byteLength(stored) : (stored as Uint8Array).length;
}

/** SQL for `storedBytes` of a column. */
export function buildStoredBytesSql(codec: Codec, column: string): string {
  return codec.width === undefined
    ? `coalesce(octet_length(${column}), 0)`
    : `(${column} IS NOT NULL) * ${codec.width}`;
}
