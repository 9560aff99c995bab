import { getDeclaredProblemKinds } from "../../openapi/document/document.js";
import { getProblemStatus } from "../../openapi/document/problem-responses.js";
import { reasonPhrases } from "../../openapi/document/reason-phrases.js";
import type { ProblemKind } from "../../openapi/operations/problems.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { type OperationId, serviceApi } from "../../openapi/operations/register.js";

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

/** The form of an injected failure: a kind of problem of the operation, or another body. */
export type FailureResponse =
  | { readonly kind: ProblemKind }
  | { readonly contentType: string; readonly body: Readonly<Record<string, unknown>> };

/** Kinds that any operation may fail with, whatever the profile says. */
const general: readonly ProblemKind[] = ["unauthenticated", "forbidden", "rate-limited"];

/**
 * Returns the form of a failure with a status: the kind of problem that the contract declares for this status of the
 * operation, a health response, an SQL error, or a problem with only the status (RFC 9457, `about:blank`).
 */
export function toFailureResponse(
  { operationId, status, message }: InjectedFailure,
  profile: Profile,
): FailureResponse {
  const ofHealth = describeFailingHealth(operationId, message);
  if (ofHealth !== undefined && status === 503) return { contentType: "application/json", body: ofHealth };
  const isSql = serviceApi.operations[operationId].errorBody === "sql";
  const kinds = getDeclaredProblemKinds(operationId, status, profile);
  // the first of several kinds is the general one, but for 404, the operation's own resource is better
  const kind =
    kinds.at(status === 404 ? -1 : 0) ?? general.find((known) => getProblemStatus(known, profile) === status);
  if (kind !== undefined && !(isSql && status === 400)) return { kind };
  const title = reasonPhrases[status] ?? `Status ${status}`;
  if (isSql)
    return {
      contentType: "application/json",
      body: { code: "SQL_EXECUTION_ERROR", message: title, details: message },
    };
  return profile["error-body"] === "error-message"
    ? { contentType: "application/json", body: { error: slug(title), message } }
    : {
        contentType: "application/problem+json",
        body: { type: "about:blank", title, status, detail: message },
      };
}

function describeFailingHealth(operationId: OperationId, details: string) {
  if (operationId === "getHealth") return { status: "Unhealthy", details };
  if (operationId === "getReadiness") return { status: "NotReady", details };
  return operationId === "getLiveness" ? { status: "Dead" } : undefined;
}

function slug(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}
