import type { ClauseId } from "../clauses/register.js";
import type { OperationId } from "../operations/register.js";
import type { Recipe } from "./recipe.js";

/** The groups of situations, as reports and thresholds name them, in the order in which they are shown. */
export const coverageGroups = ["operations", "successes", "refusals", "scenarios"] as const;
export type CoverageGroup = (typeof coverageGroups)[number];

/** Something that a client of the service has to deal with. */
export interface Situation {
  /** `getItem@api-key`, `getItem:success`, `getItem:item-not-found`, or the name of a scenario; it stays the same. */
  readonly id: string;
  readonly group: CoverageGroup;
  readonly operationId: OperationId;
  readonly title: string;
  /** The clause that a scenario follows from. */
  readonly clause?: ClauseId;
  /** Meets it on a fresh emulator with the demo fixture. */
  readonly recipe: Recipe;
}

/** A request and its answer as a scenario looks at them. */
export interface Exchange {
  readonly operationId: OperationId;
  /**
   * `success`, a kind of problem, an SQL error code or `server-error`; `truncated`, or `dropped` before or after the work
   * was done.
   */
  readonly outcome: string;
  /** By the clock of the namespace and by that of the machine, in milliseconds. */
  readonly at: number;
  readonly machineAt: number;
  /** The id of the user or API key; undefined for nobody. */
  readonly caller: string | undefined;
  /** The access token or API key that was sent. */
  readonly credential: string;
  /** Path and query. */
  readonly target: string;
  readonly requestBody: string;
  readonly answerBody: string;
  /** Bytes of both bodies. */
  readonly bodyBytes: number;
  /** The same for requests with the same target and body, and for no others. */
  readonly fingerprint: string;
  readonly retryAfterSeconds: number | undefined;
}

/** One exchange of a scenario. */
export interface ScenarioStep {
  /** Undefined for any; `same` repeats the request of the step before. */
  readonly operationId?: OperationId | readonly OperationId[] | "same";
  /** Undefined for whatever was answered. */
  readonly outcomes?: readonly string[] | undefined;
  /**
   * Whether the exchange is this step, after what the step before kept: nothing for no, otherwise what the next step is
   * given. Without it, every exchange of the operation and outcome is.
   */
  readonly keep?: (exchange: Exchange, kept: unknown) => unknown;
}

/** A sequence of exchanges, among any others, that a client has to deal with as a whole. */
export interface Scenario extends Situation {
  readonly group: "scenarios";
  readonly steps: readonly ScenarioStep[];
}
