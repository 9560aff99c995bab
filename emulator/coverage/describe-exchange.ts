import type { OperationId } from "../../openapi/operations/register.js";
import type { Exchange } from "../../openapi/situations/situation.js";
import type { Caller } from "../access/caller.js";
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

/** An exchange as scenarios look at it: most look at little of it, so that the rest is worked out when it is asked for. */
export class DescribedExchange implements Exchange {
  readonly operationId: OperationId;
  readonly outcome: string;
  readonly at: number;
  readonly machineAt: number;
  readonly target: string;
  readonly #caller: Caller | undefined;
  readonly #authorization: string | null;
  readonly #requestBody: Uint8Array | undefined;
  readonly #response: ResponseParts;
  #requestText: string | undefined;
  #answerText: string | undefined;

  constructor(
    operationId: OperationId,
    { at, caller, durationMs, path }: RecordedExchange,
    outcome: string,
    authorization: string | null,
    requestBody: Uint8Array | undefined,
    response: ResponseParts,
  ) {
    this.operationId = operationId;
    this.outcome = outcome;
    this.at = at;
    this.machineAt = performance.now() - durationMs;
    this.target = path;
    this.#caller = caller;
    this.#authorization = authorization;
    this.#requestBody = requestBody;
    this.#response = response;
  }

  get caller(): string | undefined {
    const caller = this.#caller;
    if (caller === undefined || caller.kind === "anonymous") return undefined;
    return caller.kind === "user" ? caller.userId : caller.apiKeyId;
  }

  get credential(): string {
    return this.#authorization?.replace(/^bearer +/i, "") ?? "";
  }

  get requestBody(): string {
    return (this.#requestText ??= Buffer.from(this.#requestBody ?? "").toString());
  }

  get answerBody(): string {
    const { body } = this.#response;
    return (this.#answerText ??= typeof body === "string" ? body : Buffer.from(body ?? "").toString());
  }

  get retryAfterSeconds(): number | undefined {
    const retryAfter = this.#response.headers["Retry-After"];
    return retryAfter === undefined ? undefined : Number(retryAfter);
  }
}
