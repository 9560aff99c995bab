import { type JsonObject, type JsonValue, getFieldEntries } from "../json/json-value.js";
import { createSqlValidationError } from "./grammar/sql-error.js";
import type { SqlProfile } from "./sql-request.js";
import { compareUtf8 } from "../json/utf8-order.js";

/**
 * One value for each marker of a statement, in their order.
 *
 * @throws SqlError if there are too few or too many
 */
export function bindParameters(
  markers: number,
  given: JsonObject | undefined,
  profile: Pick<SqlProfile, "sql-parameter-order">,
): readonly JsonValue[] {
  const ordered = orderParameters(given, profile["sql-parameter-order"]);
  if (ordered.length !== markers)
    throw createSqlValidationError(
      `the statement has ${markers} markers, but ${ordered.length} parameters are given`,
      "Give one parameter for each `?`.",
    );
  return ordered;
}

/**
 * The values for the markers `?` in their order (gap `sql-parameter-order`).
 * @param order `document`: the order of the fields; `name`: by name, comparing digits as numbers
 */
function orderParameters(
  parameters: JsonObject | undefined,
  order: "document" | "name",
): readonly JsonValue[] {
  if (parameters === undefined) return [];
  const entries = [...getFieldEntries(parameters)];
  if (order === "name") entries.sort(([a], [b]) => compareNames(a, b));
  return entries.map(([, value]) => value);
}

function compareNames(a: string, b: string): number {
  return compareUtf8(toSortableName(a), toSortableName(b)) || compareUtf8(a, b);
}

/** Prefixes a number with its length, so that 2 sorts before 10 as text. */
function toSortableName(name: string): string {
  return name.replace(
    /0*(\d+)/g,
    (_, digits: string) => `${String(digits.length).padStart(6, "0")}${digits}`,
  );
}
