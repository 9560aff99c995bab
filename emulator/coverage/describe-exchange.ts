import type { OperationId } from "../../openapi/operations/register.js";
import type { Exchange } from "../../openapi/situations/situation.js";
import { type Caller, getCallerId } from "../access/caller.js";
import type { RecordedExchange } from "../journal/recorded-exchange.js";
import type { ResponseParts } from "../request/response-parts.js";

/**
 * What came of a request, as the ids of situations have it.
 *
 * @param isAnswered whether the service has made the response; a rule may drop the connection before it
 */
export function getOutcome(
  { status, problem }: ResponseParts,
  isAnswered: boolean,
  cutAfter: number | "nothing" | undefined,
): string {
  if (cutAfter === "nothing") return isAnswered && status < 400 ? "dropped-after-work" : "dropped";
  if (cutAfter !== undefined) return "truncated";
  if (status < 400) return "success";
  return status >= 500 ? "server-error" : (problem ?? String(status));
}

/** The kind of credential that an operation was called with; undefined where it was not accepted. */
export function getCredentialKind(caller: Caller | undefined): string | undefined {
  if (caller === undefined) return undefined;
  if (caller.kind === "anonymous") return "anyone";
  return caller.kind === "user" ? "access-token" : "api-key";
}

/** An exchange as scenarios look at it; most look at little of it, so the rest is computed on access, texts once. */
export function describeExchange(
  operationId: OperationId,
  { at, caller, durationMs, path }: RecordedExchange,
  outcome: string,
  authorization: string | null,
  requestBody: Uint8Array | undefined,
  { body, headers }: ResponseParts,
): Exchange {
  let requestText: string | undefined;
  let answerText: string | undefined;
  return {
    operationId,
    outcome,
    at,
    machineAt: performance.now() - durationMs,
    target: path,
    caller: getCallerId(caller),
    get credential() {
      return authorization?.replace(/^bearer +/i, "") ?? "";
    },
    get requestBody() {
      return (requestText ??= Buffer.from(requestBody ?? "").toString());
    },
    get answerBody() {
      return (answerText ??= typeof body === "string" ? body : Buffer.from(body ?? "").toString());
    },
    get retryAfterSeconds() {
      const retryAfter = headers["Retry-After"];
      return retryAfter === undefined ? undefined : Number(retryAfter);
    },
  };
}
