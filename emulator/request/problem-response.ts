import { hasFixedProblemBody, getProblemStatus } from "../../openapi/document/problem-responses.js";
import { getProblemDefinition, getProblemType } from "../../openapi/operations/problems.js";
import { escapeInvisibleInLines } from "../../openapi/text/escape-invisible.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { toFailureResponse, InjectedFailure } from "./injected-failure.js";
import { Problem } from "../domain/problem.js";
import { SqlError } from "../sql/grammar/sql-error.js";
import type { ResponseParts } from "./response-parts.js";

const challenge = { "WWW-Authenticate": 'Bearer realm="data-service"' };

/** Converts an error to a response. This is the only place where errors become HTTP. */
export function toProblemResponse(error: unknown, profile: Profile): ResponseParts {
  if (error instanceof InjectedFailure) return toInjectedResponse(error, profile);
  if (error instanceof SqlError) {
    const { code, message, details } = error;
    return {
      status: 400,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ code, message, details }),
      problem: code,
    };
  }
  const problem = error instanceof Problem ? error : toInternalError(error);
  const { kind, message: detail, violations } = problem;
  const status = getProblemStatus(kind, profile);
  // HTTP requires the challenge with every 401, whatever the kind of problem
  const headers = status === 401 ? { ...challenge, ...problem.headers } : problem.headers;
  if (profile["error-body"] === "error-message" && !hasFixedProblemBody(kind))
    return {
      status,
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify({ error: kind, message: detail }),
      problem: kind,
    };
  return {
    status,
    headers: { ...headers, "Content-Type": "application/problem+json" },
    body: JSON.stringify({
      type: getProblemType(kind),
      title: getProblemDefinition(kind).title,
      status,
      detail,
      ...(violations.length > 0
        ? {
            errors: violations.map(({ in: place, pointer, detail: fault }) => ({
              in: place,
              pointer,
              detail: fault,
            })),
          }
        : {}),
    }),
    problem: kind,
  };
}

function toInjectedResponse(failure: InjectedFailure, profile: Profile): ResponseParts {
  const { status, headers, message } = failure;
  const form = toFailureResponse(failure, profile);
  if ("kind" in form) return toProblemResponse(new Problem(form.kind, message, { headers }), profile);
  return {
    status,
    headers: { ...(status === 401 ? challenge : {}), ...headers, "Content-Type": form.contentType },
    body: JSON.stringify(form.body),
    ...(typeof form.body.code === "string" ? { problem: form.body.code } : {}),
  };
}

/** Any error other than a problem is a bug in the emulator. The response says so, and the terminal shows the details. */
function toInternalError(error: unknown): Problem {
  const reason = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error ? (error.stack ?? reason) : reason;
  process.stderr.write(`bug in the emulator: ${escapeInvisibleInLines(stack)}\n`);
  return new Problem("internal-error", `This is a bug in the emulator, not in your request: ${reason}`);
}
