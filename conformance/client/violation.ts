import type { ClauseId } from "../../openapi/clauses/register.js";
import type { ValueComparison } from "./value-comparison.js";

/** A clause that does not hold, with evidence. Checks throw this error, and the runner catches it. */
export class ClauseViolation extends Error {
  override readonly name = "ClauseViolation";

  /**
   * @param clause the clause that is broken
   * @param expected what the clause demands here, in words
   * @param actual what was observed instead, in words or as JSON
   * @param comparison the two values, if they can be compared
   * @param breach how a response breaks the contract, in the same words for all checks
   */
  constructor(
    readonly clause: ClauseId,
    readonly expected: string,
    readonly actual: string,
    readonly comparison?: ValueComparison,
    readonly breach?: string,
  ) {
    super(`${clause}: expected ${expected}; received ${actual}`);
  }
}

const maxMessageLength = 2000;

/** The run cannot continue for a reason other than a clause: unreachable deployment, refused credentials, timeouts. */
export class RunError extends Error {
  override readonly name: string = "RunError";

  /** @param message truncated if long, because it may quote a response and is reported for every affected check */
  constructor(message: string, options?: ErrorOptions) {
    super(message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message, options);
  }
}

/** A request without a response: the deployment is unreachable, hangs or drops connections. */
export class NoResponseError extends RunError {}

/** A connection that broke before the response was complete. */
export class BrokenConnectionError extends NoResponseError {}

/** None of the known routes of an operation exists on the deployment. */
export class UnknownRouteError extends RunError {}

/** The deployment does not offer what the check tests, which the specification allows. */
export class NotOfferedError extends Error {
  override readonly name = "NotOfferedError";
}

/** The time limit of the run or of the check was reached. */
export class DeadlineExceededError extends Error {
  override readonly name = "DeadlineExceededError";
}
