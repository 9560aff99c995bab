import type { OperationId } from "../../openapi/operations/register.js";

/** Sends one request: the global `fetch` or a function that behaves like it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Whether a request is expected to be accepted, or to be refused for one deliberate fault. */
export type RequestIntent = "valid" | "invalid";

/** Circumstances of a request that are not part of what was sent. */
export interface CallBehavior {
  /** Path parameters, independent of the route of the operation; undefined if the whole target was given. */
  readonly path?: Readonly<Record<string, string>>;
  /** Whether 429 and 503 were returned instead of retried. */
  readonly impatient?: boolean;
  /** Whether the rate limit was ignored. */
  readonly unpaced?: boolean;
  /** Whether it was retried, after an answer such as 429. */
  readonly isAgain?: boolean;
}

/** One request and its answer, as sent and received. */
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
  /** Why there is no answer. */
  readonly failure?: string;
  /** Whether the request is setup for a check: logins, databases, tables, calls of the control plane. */
  readonly setUp: boolean;
  /** When the request was sent, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
}
