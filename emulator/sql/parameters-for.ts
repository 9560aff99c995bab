import type { JsonObject, JsonValue } from "../json/json-value.js";
import { toDoubles } from "../json/to-doubles.js";
import { invalid } from "./grammar/sql-error.js";
import { orderParameters } from "./order-parameters.js";
import type { SqlProfile } from "./sql-request.js";

/**
 * One value for each marker of a statement, in their order.
 *
 * @throws SqlError where there are too few, or too many for the answer to the gap `sql-unused-parameters`
 */
export function parametersFor(
  markers: number,
  given: JsonObject | undefined,
  profile: Pick<SqlProfile, "sql-parameter-order" | "sql-parameter-numbers" | "sql-unused-parameters">,
): readonly JsonValue[] {
  const ordered = orderParameters(given, profile["sql-parameter-order"]);
  const mayBeMore = profile["sql-unused-parameters"] === "ignored";
  if (mayBeMore ? ordered.length < markers : ordered.length !== markers)
    throw invalid(
      `the statement has ${markers} markers and ${ordered.length} parameters are given`,
      "Give one parameter for each `?`.",
    );
  const taken = ordered.slice(0, markers);
  return profile["sql-parameter-numbers"] === "exact" ? taken : taken.map(toDoubles);
}
