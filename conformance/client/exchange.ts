import type { OperationId } from "../../openapi/operations/register.js";

/** Sends one request: the global `fetch` or a function that behaves like it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * What the specification says about a request: it must be accepted, it has one deliberate fault for which it should be
 * refused, or neither.
 */
export type RequestIntent = "valid" | "invalid" | "may-be-refused";

/** How a request was sent. */
export interface CallBehavior {
  /** Path parameters, independent of the route of the operation; undefined if the whole target was given. */
  readonly path?: Readonly<Record<string, string>>;
  /** Whether responses such as 429 and 503 were returned instead of retried. */
  readonly skipRetries?: boolean;
  /** Whether the rate limit was ignored. */
  readonly skipRateLimit?: boolean;
  /** Whether the request repeats an earlier one, after a response such as 429. */
  readonly isRetry?: boolean;
}

/** One request and its response, as sent and received. */
export interface Exchange {
  /** Number within the run, starting at 1. */
  readonly number: number;
  /** The operation; undefined for requests to the control plane. */
  readonly operationId: OperationId | undefined;
  readonly intent: RequestIntent;
  /** Name of the credential, never its text; `anonymous` without one. */
  readonly caller: string;
  readonly request: {
    readonly method: string;
    readonly url: string;
    /** Including `Authorization`, which is redacted in outputs; see `secrets.ts`. */
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | undefined;
  };
  /** Undefined if the connection failed. */
  readonly answer:
    | {
        readonly status: number;
        readonly headers: Readonly<Record<string, string>>;
        readonly body: string;
      }
    | undefined;
  /** Why there is no response. */
  readonly failure?: string;
  /** Whether the request is setup for a check: logins, databases, tables, calls of the control plane. */
  readonly setUp: boolean;
  /** When the request was sent, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
}
