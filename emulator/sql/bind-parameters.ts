import type { Profile } from "../../openapi/gaps/profile.js";
import { memoize } from "../../openapi/text/memoize.js";
import { type JsonObject, type JsonValue, getFieldEntries } from "../json/json-value.js";
import { compareUtf8 } from "../json/utf8-order.js";
import { createSqlValidationError } from "./grammar/sql-error.js";

/** Returns one value for each marker of a statement, in order. @throws SqlError if there are too few or too many */
export function bindParameters(
  markers: number,
  given: JsonObject | undefined,
  profile: Pick<Profile, "sql-parameter-order">,
): readonly JsonValue[] {
  const entries = given === undefined ? [] : [...getFieldEntries(given)];
  if (entries.length !== markers)
    throw createSqlValidationError(
      `the number of parameters (${entries.length}) differs from the number of markers (${markers})`,
      "Give one parameter for each `?`.",
    );
  if (profile["sql-parameter-order"] === "name") {
    const getSortableName = memoize(toSortableName);
    entries.sort(([a], [b]) => compareUtf8(getSortableName(a), getSortableName(b)) || compareUtf8(a, b));
  }
  return entries.map(([, value]) => value);
}

/** Prefixes a number with its length, so that 2 sorts before 10 as text. */
function toSortableName(name: string): string {
  return name.replace(
    /0*(\d+)/g,
    (_, digits: string) => `${String(digits.length).padStart(6, "0")}${digits}`,
  );
}
