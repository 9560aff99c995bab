import type { JsonNumber, JsonValue } from "../../json/json-value.js";
import { utf8Length } from "../../json/write-json.js";

/**
 * A value as it is bound to a statement and read from one. Integers that a double cannot hold are decimal text, of
 * which the affinity of an INTEGER column makes integers.
 */
export type Stored = number | string | Uint8Array;

/** A collection literal of a statement whose markers are replaced by the parameters. */
export class GivenCollection {
  /** @param entries keys and values of a map; items of a list or set stand in `value` with a null key */
  constructor(
    readonly kind: "list" | "set" | "map",
    readonly entries: readonly { readonly key: Given; readonly value: Given }[],
  ) {}
}

/** A value as the caller gives it, in a statement or as a parameter. Bytes come from `X'00ff'` alone. */
export type Given = JsonValue | Uint8Array | GivenCollection;

/** Thrown by `Codec.encode`: the value does not fit the type. The message has no subject: `is not a whole number`. */
export class ValueRefusal extends Error {
  override readonly name = "ValueRefusal";
}

/** What there is to know about one type: which values it takes, how they are stored, ordered and answered. */
export interface Codec {
  /** The type's name in answers, the first of its family: `MAP<VARCHAR, LIST<INT>>`. */
  readonly type: string;
  /** Declared type of the SQLite column, which decides its affinity. */
  readonly affinity: "INTEGER" | "REAL" | "TEXT" | "BLOB";
  /** Collections can be tested for equality alone and can be neither key nor indexed. */
  readonly scalar: boolean;
  /**
   * The stored form. Equal values have equal forms, and SQLite orders the forms of scalars as the values.
   * @param given anything but null
   * @throws ValueRefusal
   */
  encode(given: Given): Stored;
  /** The JSON text of a stored value. */
  toJson(stored: Stored): string;
  /** The value that a member name of a JSON object stands for: keys of a MAP. */
  fromName(name: string): Given;
  /** Orders two stored values. */
  compare(a: Stored, b: Stored): number;
  /** SQL that reads a column so that sql.js gives back the stored form. */
  read(column: string): string;
  /** Bytes that a value takes; undefined for as many as its stored text or bytes have. */
  readonly width?: number;
}

/** A number as JSON or a statement spells it. */
export type GivenNumber = number | JsonNumber;

/** The bytes of storage that a stored value counts for; null takes none. */
export function storedBytes(codec: Codec, stored: Stored | null): number {
  if (stored === null) return 0;
  if (codec.width !== undefined) return codec.width;
  return typeof stored === "string" ? utf8Length(stored) : (stored as Uint8Array).length;
}

/** SQL for `storedBytes` of a column. */
export function storedBytesOf(codec: Codec, column: string): string {
  return codec.width === undefined
    ? `coalesce(octet_length(${column}), 0)`
    : `(${column} IS NOT NULL) * ${codec.width}`;
}
