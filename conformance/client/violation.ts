import type { ClauseId } from "../../openapi/clauses/register.js";
import type { ValueComparison } from "./value-comparison.js";

/** A clause that does not hold, with what shows it. Thrown by checks, caught by the runner. */
export class ClauseViolation extends Error {
  override readonly name = "ClauseViolation";

  /**
   * @param clause the clause that is broken
   * @param expected what the clause demands here, in words
   * @param seen what came instead, in words or as JSON
   * @param comparison the two values, where they can be laid side by side
   * @param breach what is wrong with an answer that does not fit the contract: the same wherever it is met
   */
  constructor(
    readonly clause: ClauseId,
    readonly expected: string,
    readonly seen: string,
    readonly comparison?: ValueComparison,
    readonly breach?: string,
  ) {
    super(`${clause}: expected ${expected}; seen ${seen}`);
  }
}

const maxMessageLength = 2000;

/** The run cannot go on as planned, and no clause is to blame: unreachable, refused credentials, time-outs. */
export class RunError extends Error {
  override readonly name: string = "RunTrouble";

  /** @param message cut where it is long: it may quote an answer, and stands at every check that it keeps from running */
  constructor(message: string, options?: ErrorOptions) {
    super(message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message, options);
  }
}

/** A request that got no answer: the deployment cannot be reached, hangs, or drops connections. */
export class NoResponseError extends RunError {}

/** A connection that broke before the answer was there. */
export class BrokenConnectionError extends NoResponseError {}

/** None of the known ways leads to an operation here. */
export class UnknownRouteError extends RunError {}

/** The deployment turns out not to offer what the check is about, and the specification lets it. */
export class NotOfferedError extends Error {
  override readonly name = "NotOffered";
}

/** The time of the run, or of the check, is up. */
export class DeadlineExceededError extends Error {
  override readonly name = "OutOfTime";
}
