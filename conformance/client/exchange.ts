import type { OperationId } from "../../openapi/operations/register.js";

/** Sends one request. The global `fetch`, or anything that behaves like it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What a request was meant to show: accepted as it stands, or refused for one deliberate fault. */
export type Intent = "valid" | "invalid";

/** What a request was asked for with, beside what went over the wire. */
export interface CallBehavior {
  /** Parameters of the path, whatever way the operation has on the deployment. */
  readonly path?: Readonly<Record<string, string>>;
  /** 429 and 503 were to be taken as they come. */
  readonly impatient?: boolean;
  /** It was to be sent at once. */
  readonly unpaced?: boolean;
  /** It was sent once more, after an answer such as 429. */
  readonly isAgain?: boolean;
}

/** One request and its answer, as they went over the wire. */
export interface Exchange {
  /** Number within the run, from 1 on. */
  readonly number: number;
  /** The operation that was meant; nothing for requests to the control plane. */
  readonly operationId: OperationId | undefined;
  readonly intent: Intent;
  /** Name of the credential in use, never its text; `anonymous` without one. */
  readonly caller: string;
  readonly request: {
    readonly method: string;
    readonly url: string;
    /** `Authorization` included. Redacted when it is printed, see `secrets.ts`. */
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | undefined;
  };
  /** Nothing when the connection failed. */
  readonly answer:
    | {
        readonly status: number;
        readonly headers: Readonly<Record<string, string>>;
        readonly body: string;
      }
    | undefined;
  /** Why there is no answer. */
  readonly failure?: string;
  /** Made on behalf of a check that needs something to work with: logins, databases, tables, control-plane calls. */
  readonly setUp: boolean;
  /** Milliseconds since 1970 when the request left. */
  readonly startedAt: number;
  readonly durationMs: number;
}
