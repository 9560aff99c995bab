import type { ClauseId } from "../../openapi/clauses/register.js";
import type { Check } from "../check/check.js";
import type { ValueComparison } from "../client/value-comparison.js";
import type { Exchange } from "../client/exchange.js";
import type { AccessMatrixCell, FailedProperty } from "../check/context.js";

/** How a check ended. */
export type CheckOutcome = "passed" | "failed" | "blocked" | "not-declared" | "not-run";

/** Evidence that a clause does not hold. */
export interface Failure {
  readonly clause: ClauseId;
  readonly expected: string;
  readonly actual: string;
  /** The two compared values, if the clause demands that two values are equal. */
  readonly comparison?: ValueComparison;
  /** The shrunk sequence of requests and responses. */
  readonly exchanges: readonly Exchange[];
  /** The earlier exchanges, which are the same for all inputs. */
  readonly setupRequests?: readonly Exchange[];
  readonly property?: FailedProperty;
  /** Set if the failure did not recur with the smallest input or the whole check. */
  readonly isFlaky?: true;
}

/** Result of one check. */
export interface CheckResult {
  readonly check: Check;
  readonly level: CheckOutcome;
  /** Why the check did not pass; undefined if it passed. */
  readonly reason?: string;
  readonly failure?: Failure;
  /** In a replay: the input in the token passed on its own, so the result comes from the whole check. */
  readonly inputPassed?: true;
  /** The cells of the access matrix that the check observed. */
  readonly cells: readonly AccessMatrixCell[];
  readonly durationMs: number;
  /** Number of requests that the check sent. */
  readonly requests: number;
}
