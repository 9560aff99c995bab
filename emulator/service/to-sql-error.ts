import { formatLocation, type Problem } from "../domain/problem.js";
import { SqlError } from "../sql/grammar/sql-error.js";

/**
 * The SQL error for a problem with the body of a request to the SQL interface. How large a body may be and of which
 * content type is a matter of HTTP, and stays a problem.
 */
export function toSqlError(problem: Problem): Problem | SqlError {
  const { kind, message, violations } = problem;
  if (kind !== "validation-failed" && kind !== "malformed-body") return problem;
  const places = violations.map((violation) => `${formatLocation(violation)}: ${violation.detail}`);
  return new SqlError("SQL_VALIDATION_ERROR", message, places.join("; "));
}
