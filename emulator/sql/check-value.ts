import { invalid, type SqlError } from "./grammar/sql-error.js";
import type { Value } from "./grammar/syntax.js";
import type { Column } from "./table.js";
import { type Given, GivenCollection, type Stored, ValueRefusal } from "./types/codec.js";
import { describeGiven } from "./types/describe-given.js";
import { JsonNumber } from "../json/json-value.js";

/** Gives a value in its stored form, once the parameters are known. @throws SqlError SQL_VALIDATION_ERROR */
export type Slot<Result = Stored> = (parameters: readonly Given[]) => Result;

/** How a given value becomes a stored one. */
export type Encode<Result> = (given: Given) => Result;

/**
 * Compiles a value of a statement: literals are checked here and now, markers when the parameters come.
 * @throws SqlError SQL_VALIDATION_ERROR
 */
export function compileSlot<Result>(value: Value, encode: Encode<Result>): Slot<Result> {
  if (value.kind === "parameter") {
    const { index } = value;
    // the count of the parameters is checked before
    return (parameters) => encode(parameters[index] ?? null);
  }
  if (hasMarker(value)) return (parameters) => encode(toGiven(value, parameters));
  const constant = encode(toGiven(value, []));
  return () => constant;
}

/** The stored form of a value that is compared with a column: never null. */
export function comparand(column: Column): Encode<Stored> {
  return (given) => {
    if (given === null)
      throw invalid(
        `column ${JSON.stringify(column.name)} is compared with NULL`,
        "Nothing equals NULL; use IS NULL or IS NOT NULL.",
      );
    return encodeFor(column, given);
  };
}

/** The stored form of a value that goes into a column. */
export function content(column: Column): Encode<Stored | null> {
  return (given) => {
    if (given !== null) return encodeFor(column, given);
    if (!column.nullable) throw notNull(column);
    return null;
  };
}

/** The column takes no NULL. */
export function notNull(column: Column): SqlError {
  return invalid(
    `column ${JSON.stringify(column.name)} is not nullable`,
    column.key === null ? "It is declared NOT NULL." : "It is part of the primary key.",
  );
}

function encodeFor(column: Column, given: Given): Stored {
  try {
    return column.codec.encode(given);
  } catch (error) {
    if (!(error instanceof ValueRefusal)) throw error;
    throw invalid(
      `the value ${describeGiven(given)} does not fit column ${JSON.stringify(column.name)}`,
      `It ${error.message} (type ${column.codec.type}).`,
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

function toGiven(value: Value, parameters: readonly Given[]): Given {
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
      return new GivenCollection(
        value.kind,
        value.items.map((item) => ({ key: null, value: toGiven(item, parameters) })),
      );
    case "map":
      return new GivenCollection(
        "map",
        value.entries.map((entry) => ({
          key: toGiven(entry.key, parameters),
          value: toGiven(entry.value, parameters),
        })),
      );
  }
}
