import type { RequestValidator } from "../../openapi/validation/contract-validator.js";
import type { Violation } from "../../openapi/validation/violation.js";
import { formatLocation, createValidationProblem, Problem } from "../domain/problem.js";
import type { MountedOperation } from "../request/mounted-operation.js";
import { removeNullFields } from "../request/optional-fields.js";
import { readRequest, type RequestReader } from "../request/read-request.js";
import { SqlError } from "../sql/grammar/sql-error.js";
import { rejectUnsupportedItemKeys } from "./reject-unsupported-keys.js";
import type { ServiceContext } from "./service-env.js";

/**
 * Reads the path, query and body, and validates them against the contract.
 *
 * @throws problems `unsupported-media-type`, `malformed-body`, `validation-failed`, `batch-too-large`; SqlError for an
 *   invalid request to the SQL interface
 */
export function validate(c: ServiceContext, operation: MountedOperation, validator: RequestValidator): void {
  const { profile } = c.get("world");
  const read = () => {
    const request = {
      path: c.req.param(),
      query: c.get("target").query,
      contentType: c.req.raw.headers.get("content-type") ?? undefined,
      bytes: operation.hasBody ? c.get("read")?.bytes : undefined,
    };
    const input = readRequest(operation, request, validator, profile, serviceRequestReader);
    rejectUnsupportedItemKeys(input, operation, profile);
    return input;
  };
  c.set("input", operation.errorBody === "sql" ? withSqlErrors(read) : read());
}

/** How the service reads requests. */
const serviceRequestReader: RequestReader = {
  normalizeBody: (json, { optionalFields }) => removeNullFields(json, optionalFields),
  emptyBody: undefined,
  createError: toRequestProblem,
};

/** Reports problems with requests to the SQL interface in its own error body. */
function withSqlErrors<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof Problem ? toSqlError(error) : error;
  }
}

/** A batch with too many entries has its own kind of problem. */
function toRequestProblem(violations: readonly Violation[]): Problem {
  const tooMany = violations.find(
    ({ keyword, pointer }) => keyword === "maxItems" && pointer.lastIndexOf("/") === 0,
  );
  return tooMany === undefined
    ? createValidationProblem(...violations)
    : new Problem("batch-too-large", `${tooMany.pointer.slice(1)} ${tooMany.detail}`, { violations });
}

/** Converts a problem with the body to an SQL error. Problems with the size or content type remain problems. */
function toSqlError(problem: Problem): Problem | SqlError {
  const { kind, message, violations } = problem;
  if (kind !== "validation-failed" && kind !== "malformed-body") return problem;
  const places = violations.map((violation) => `${formatLocation(violation)}: ${violation.detail}`);
  return new SqlError("SQL_VALIDATION_ERROR", message, places.join("; "));
}
