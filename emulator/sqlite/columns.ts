import type { SqlValue } from "sql.js";
import type { Parameter } from "./statement.js";

/** A column of a {@link StateTable}. `Value` is the type of its values in the code; undefined for a column that only SQLite uses. */
export interface Column<Value = unknown> {
  readonly type: "TEXT" | "INTEGER";
  /** Constraints other than NOT NULL. */
  readonly constraints: string;
  /** The key of several columns that contains this one. */
  readonly partOf?: "PRIMARY KEY" | "UNIQUE";
  readonly isNullable?: boolean;
  /** The marker of a bound value; by default `?`. */
  readonly marker?: string;
  /** Converts a stored value for which SQLite has no type. */
  readonly read?: (stored: SqlValue) => Value;
  readonly write?: (value: never) => Parameter;
}

export function text<Text extends string = string>(constraints = ""): Column<Text> {
  return { type: "TEXT", constraints };
}

export function integer(constraints = ""): Column<number> {
  return { type: "INTEGER", constraints };
}

/** A time in milliseconds since 1970. */
export function timestamp(): Column<number> {
  return integer();
}

/** 0 or 1. */
export function flag(): Column<boolean> {
  return { ...integer(), read: (stored) => stored === 1, write: (value: boolean) => Number(value) };
}

/** A value as JSON text. */
export function json<Value>(): Column<Value> {
  return {
    ...text(),
    read: (stored) => (stored === null ? null : JSON.parse(stored as string)) as Value,
    write: (value: unknown) => (value === null ? null : JSON.stringify(value)),
  };
}

/**
 * The marker of a long text in a statement that writes. The text is bound as the bytes of {@link encodeUtf8View}, because
 * sql.js copies text character by character.
 */
export const castToTextSql = "CAST(? AS TEXT)";

/** A text that may be long. A table can have only one, because the encoded bytes are valid only until the next call. */
export function longText(): Column<string> {
  return { ...text(), marker: castToTextSql, write: encodeUtf8View };
}

/** The number of a row in the order of creation, which only SQLite uses. */
export const sequence = integer("PRIMARY KEY") as Column as Column<undefined>;

export function nullable<Value>(column: Column<Value>): Column<Value | null> {
  return { ...column, isNullable: true };
}

/** A part of a primary key of several columns. */
export function inPrimaryKey<Value>(column: Column<Value>): Column<Value> {
  return { ...column, partOf: "PRIMARY KEY" };
}

/** One of several columns whose values together are unique. */
export function inUniqueKey<Value>(column: Column<Value>): Column<Value> {
  return { ...column, partOf: "UNIQUE" };
}

const encoder = new TextEncoder();
const scratch = new Uint8Array(64 * 1024);

/** Encodes a text as UTF-8. The bytes are valid only until the next call. */
export function encodeUtf8View(text: string): Uint8Array {
  // A UTF-16 unit has at most three bytes.
  if (text.length * 3 > scratch.length) return encoder.encode(text);
  return scratch.subarray(0, encoder.encodeInto(text, scratch).written);
}
