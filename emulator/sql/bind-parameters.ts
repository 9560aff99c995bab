import type { Profile } from "../../openapi/gaps/profile.js";
import { type JsonObject, type JsonValue, getFieldEntries } from "../json/json-value.js";
import { createSqlValidationError } from "./grammar/sql-error.js";

/**
 * One value for each marker of a statement, in their order.
 *
 * @throws SqlError if there are too few or too many
 */
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
  const ordered = profile["sql-parameter-order"] === "name" ? sortByName(entries) : entries;
  return ordered.map(([, value]) => value);
}

type Entry = readonly [name: string, value: JsonValue];

/** Sorts fields by name, comparing digits as numbers (gap `sql-parameter-order`). */
function sortByName(entries: readonly Entry[]): readonly Entry[] {
  return entries
    .map((entry) => ({
      entry,
      name: Buffer.from(entry[0]),
      sortableName: Buffer.from(toSortableName(entry[0])),
    }))
    .sort((a, b) => a.sortableName.compare(b.sortableName) || a.name.compare(b.name))
    .map(({ entry }) => entry);
}

/** Prefixes a number with its length, so that 2 sorts before 10 as text. */
function toSortableName(name: string): string {
  return name.replace(
    /0*(\d+)/g,
    (_, digits: string) => `${String(digits.length).padStart(6, "0")}${digits}`,
  );
}
