import type { Exchange } from "./exchange.js";
import type { SecretMasker } from "./secrets.js";
import { truncateBodies } from "./truncate-body.js";

/** A request and its response in a report, without secrets. */
export interface ReportedExchange extends Pick<
  Exchange,
  "number" | "operationId" | "intent" | "caller" | "setUp" | "durationMs"
> {
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody?: string | undefined;
  /** Undefined if there is no response. */
  readonly status?: number | undefined;
  readonly responseHeaders?: Readonly<Record<string, string>> | undefined;
  readonly responseBody?: string | undefined;
  /** Why there is no response. */
  readonly error?: string | undefined;
}

/** @param maxBodyLength maximum number of characters of a body */
export function toReportedExchange(
  given: Exchange,
  secrets: SecretMasker,
  maxBodyLength = Infinity,
): ReportedExchange {
  const exchange = truncateBodies(secrets.hideExchange(given), maxBodyLength);
  const { number, operationId, intent, caller, setUp, request, answer, failure, durationMs } = exchange;
  return {
    number,
    operationId,
    intent,
    caller,
    setUp,
    method: request.method,
    url: request.url,
    requestHeaders: request.headers,
    requestBody: request.body,
    error: answer === undefined ? (failure ?? "no response") : undefined,
    status: answer?.status,
    responseHeaders: answer?.headers,
    responseBody: answer?.body,
    durationMs: roundToMicroseconds(durationMs),
  };
}

export function roundToMicroseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
