import { getDeclaredProblemKinds } from "../../openapi/document/document.js";
import { hasFixedProblemBody, getProblemStatus } from "../../openapi/document/problem-responses.js";
import { reasonPhrases } from "../../openapi/document/reason-phrases.js";
import { getProblemDefinition, getProblemType, type ProblemKind } from "../../openapi/operations/problems.js";
import { type OperationId, serviceApi } from "../../openapi/operations/register.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { Problem } from "../domain/problem.js";
import { SqlError } from "../sql/grammar/sql-error.js";
import type { ResponseParts } from "./response-parts.js";
import { printStack } from "./print-stack.js";

/** Thrown instead of a response by a fault rule with a status. */
export class InjectedFailure extends Error {
  override readonly name = "InjectedFailure";
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly operationId: OperationId,
    readonly status: number,
    faultId: string,
    retryAfterSeconds = status === 429 ? 1 : undefined,
  ) {
    super(`The fault rule ${faultId} responded instead of the service.`);
    this.headers = retryAfterSeconds === undefined ? {} : { "Retry-After": String(retryAfterSeconds) };
  }
}

/** Converts an error to a response. This is the only place where errors become HTTP. */
export function toProblemResponse(error: unknown, profile: Profile): ResponseParts {
  if (error instanceof InjectedFailure) return toInjectedResponse(error, profile);
  if (error instanceof SqlError) {
    const { code, message, details } = error;
    return createResponse(400, {}, { code, message, details }, code);
  }
  const problem = error instanceof Problem ? error : toInternalError(error);
  const { kind, headers, message: detail, violations } = problem;
  const status = getProblemStatus(kind, profile);
  if (profile["error-body"] === "error-message" && !hasFixedProblemBody(kind))
    return createResponse(status, headers, { error: kind, message: detail }, kind);
  const errors = violations.map(({ in: place, pointer, detail: fault }) => ({
    in: place,
    pointer,
    detail: fault,
  }));
  const body = {
    type: getProblemType(kind),
    title: getProblemDefinition(kind).title,
    status,
    detail,
    ...(errors.length > 0 ? { errors } : {}),
  };
  return createResponse(status, headers, body, kind, "application/problem+json");
}

const challenge = { "WWW-Authenticate": 'Bearer realm="data-service"' };

function createResponse(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: object,
  problem?: string,
  type = "application/json",
): ResponseParts {
  return {
    status,
    // HTTP requires the challenge in every 401 response.
    headers: { ...(status === 401 ? challenge : {}), ...headers, "Content-Type": type },
    body: JSON.stringify(body),
    problem,
  };
}

/** Kinds of problems that every operation can return. */
const general: readonly ProblemKind[] = ["unauthenticated", "forbidden", "rate-limited"];

/**
 * Converts an injected failure to the problem that the contract declares for this status of the operation, a health
 * response, an SQL error, or a problem with only the status (RFC 9457, `about:blank`).
 */
function toInjectedResponse(failure: InjectedFailure, profile: Profile): ResponseParts {
  const { operationId, status, headers, message } = failure;
  const health = status === 503 ? describeFailingHealth(operationId, message) : undefined;
  if (health !== undefined) return createResponse(status, headers, health);
  const isSql = serviceApi.operations[operationId].errorBody === "sql";
  const kinds = getDeclaredProblemKinds(operationId, status, profile);
  // The first of several kinds is the most general; for 404, the last kind names the operation's own resource.
  const kind =
    kinds.at(status === 404 ? -1 : 0) ?? general.find((known) => getProblemStatus(known, profile) === status);
  if (kind !== undefined && !(isSql && status === 400))
    return toProblemResponse(new Problem(kind, message, { headers }), profile);
  const title = reasonPhrases[status] ?? `Status ${status}`;
  const code = "SQL_EXECUTION_ERROR";
  if (isSql) return createResponse(status, headers, { code, message: title, details: message }, code);
  if (profile["error-body"] === "error-message") {
    const error = title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
    return createResponse(status, headers, { error, message });
  }
  const body = { type: "about:blank", title, status, detail: message };
  return createResponse(status, headers, body, undefined, "application/problem+json");
}

function describeFailingHealth(operationId: OperationId, details: string) {
  if (operationId === "getHealth") return { status: "Unhealthy", details };
  if (operationId === "getReadiness") return { status: "NotReady", details };
  return operationId === "getLiveness" ? { status: "Dead" } : undefined;
}

/** Any error other than a problem is a bug in the emulator. The response says so, and the terminal shows the details. */
function toInternalError(error: unknown): Problem {
  const reason = printStack("bug in the emulator", error);
  return new Problem("internal-error", `This is a bug in the emulator, not in your request: ${reason}`);
}
