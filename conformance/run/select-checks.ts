import { type ClauseId, clauseIds } from "../../openapi/clauses/register.js";
import { getArea, areas, type Check } from "../check/check.js";
import { checks as allChecks } from "../checks/register.js";
import { findNearest } from "../../openapi/text/find-nearest.js";
import { RunError } from "../client/violation.js";

/**
 * Selects checks by area, id or clause. Preconditions are always selected.
 *
 * @param names areas (`items`), checks (`items/put-get-delete`) and clauses (`ITEM-07`); an empty list selects all checks
 * @throws RunError when a name is unknown
 */
export function selectChecks(names: readonly string[], checks = allChecks): readonly Check[] {
  if (names.length === 0) return checks;
  const filters = names.map((name): ((check: Check) => boolean) => {
    const clause = name.toUpperCase() as ClauseId;
    if (clauseIds.includes(clause)) return ({ clauses }) => clauses.includes(clause);
    if ((areas as readonly string[]).includes(name)) return (check) => getArea(check) === name;
    if (checks.some(({ id }) => id === name)) return ({ id }) => id === name;
    const near = findNearest(name, [...areas, ...clauseIds, ...checks.map(({ id }) => id)]);
    throw new RunError(
      `no area, check or clause is named ${name}` +
        (near === undefined ? `; the areas are ${areas.join(", ")}` : `; did you mean ${near}?`),
    );
  });
  return checks.filter(
    (check) => check.isPrecondition === true || filters.some((isSelected) => isSelected(check)),
  );
}
