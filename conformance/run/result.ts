import type { ClauseId } from "../../openapi/clauses/register.js";
import type { Check } from "../check/check.js";
import type { ValueComparison } from "../client/value-comparison.js";
import type { Exchange } from "../client/exchange.js";
import type { AccessMatrixCell, FailedProperty } from "../check/context.js";

/** How a check ended. */
export type CheckOutcome = "passed" | "failed" | "blocked" | "not-declared" | "not-run";

/** What shows that a clause does not hold. */
export interface Failure {
  readonly clause: ClauseId;
  readonly expected: string;
  readonly seen: string;
  /** The values that should be the same, where the clause is about two. */
  readonly comparison?: ValueComparison;
  /** The shrunk sequence of requests and answers. */
  readonly exchanges: readonly Exchange[];
  /** What was sent before them, for all inputs alike. */
  readonly setupRequests?: readonly Exchange[];
  readonly property?: FailedProperty;
  /** It was looked for once more, with the smallest input or the whole check, and did not come back. */
  readonly heldAgain?: true;
}

/** What became of one check. */
export interface CheckResult {
  readonly check: Check;
  readonly level: CheckOutcome;
  /** It was not asked for, or is another shard's. */
  readonly leftOut?: true;
  /** Why it is not passed, in words; nothing when it is. */
  readonly reason?: string;
  readonly failure?: Failure;
  /** In a replay: the input of the token held by itself, and the rest is about the whole check. */
  readonly inputHeld?: true;
  /** What the check saw of the access matrix. */
  readonly cells: readonly AccessMatrixCell[];
  readonly durationMs: number;
  /** Requests that the check sent. */
  readonly requests: number;
}
