import { createHash } from "node:crypto";
import type { OperationId } from "../../openapi/operations/register.js";
import type { Exchange } from "../../openapi/situations/situation.js";
import { type Caller, getCallerId } from "../access/caller.js";
import type { RecordedExchange } from "../journal/recorded-exchange.js";
import type { ResponseParts } from "../request/response-parts.js";

/**
 * Returns the outcome of a request, as in the ids of situations.
 *
 * @param isAnswered whether the service has created the response; a rule may drop the connection before
 */
export function getExchangeOutcome(
  { status, problem }: ResponseParts,
  isAnswered: boolean,
  cutAfter: number | "nothing" | undefined,
): string {
  if (cutAfter === "nothing") return isAnswered && status < 400 ? "dropped-after-work" : "dropped";
  if (cutAfter !== undefined) return "truncated";
  if (status < 400) return "success";
  return status >= 500 ? "server-error" : (problem ?? String(status));
}

/** Returns the kind of credential of a request; undefined if the credential was not accepted. */
export function getCredentialKind(caller: Caller | undefined): string | undefined {
  if (caller === undefined) return undefined;
  if (caller.kind === "anonymous") return "anyone";
  return caller.kind === "user" ? "access-token" : "api-key";
}

/**
 * An exchange for scenarios. Most fields are computed on access. Creating an object with getters instead of an instance of a
 * class would take 5 µs longer.
 */
export class LazyExchange implements Exchange {
  readonly machineAt: number;
  #requestText: string | undefined;
  #answerText: string | undefined;

  constructor(
    readonly operationId: OperationId,
    readonly outcome: string,
    private readonly recorded: RecordedExchange,
    private readonly authorization: string | null,
    private readonly sent: Uint8Array | undefined,
    private readonly response: ResponseParts,
  ) {
    this.machineAt = performance.now() - recorded.durationMs;
  }

  get at(): number {
    return this.recorded.at;
  }

  get target(): string {
    return this.recorded.path;
  }

  get caller(): string | undefined {
    return getCallerId(this.recorded.caller);
  }

  get credential(): string {
    return this.authorization?.replace(/^bearer +/i, "") ?? "";
  }

  get requestBody(): string {
    return (this.#requestText ??= Buffer.from(this.sent ?? "").toString());
  }

  get answerBody(): string {
    const { body } = this.response;
    return (this.#answerText ??= typeof body === "string" ? body : Buffer.from(body ?? "").toString());
  }

  get bodyBytes(): number {
    return (this.sent?.length ?? 0) + (this.response.body?.length ?? 0);
  }

  get fingerprint(): string {
    const body = createHash("sha256").update(this.sent ?? "");
    return `${this.target} ${body.digest("base64")}`;
  }

  get retryAfterSeconds(): number | undefined {
    // After middleware, the names are in lower case.
    const retryAfter = new Headers(this.response.headers).get("retry-after");
    return retryAfter === null ? undefined : Number(retryAfter);
  }
}
