import type { JsonObject, JsonValue } from "../json/json-value.js";
import { invalid } from "./grammar/sql-error.js";
import { orderParameters } from "./order-parameters.js";
import type { SqlProfile } from "./sql-request.js";

/**
 * One value for each marker of a statement, in their order.
 *
 * @throws SqlError where there are too few or too many
 */
export function parametersFor(
  markers: number,
  given: JsonObject | undefined,
  profile: Pick<SqlProfile, "sql-parameter-order">,
): readonly JsonValue[] {
  const ordered = orderParameters(given, profile["sql-parameter-order"]);
  if (ordered.length !== markers)
    throw invalid(
      `the statement has ${markers} markers and ${ordered.length} parameters are given`,
      "Give one parameter for each `?`.",
    );
  return ordered;
}
