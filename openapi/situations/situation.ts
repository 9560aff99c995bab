import type { ClauseId } from "../clauses/register.js";
import type { OperationId } from "../operations/register.js";
import type { Recipe } from "./recipe.js";

/** The groups of situations, in the order of reports. */
export const coverageGroups = ["operations", "successes", "refusals", "scenarios"] as const;
export type CoverageGroup = (typeof coverageGroups)[number];

/** Something that a client of the service has to handle. */
export interface Situation {
  /** `getItem@api-key`, `getItem:success`, `getItem:item-not-found`, or the name of a scenario. Ids never change. */
  readonly id: string;
  readonly group: CoverageGroup;
  readonly operationId: OperationId;
  readonly title: string;
  /** The clause that a scenario follows from. */
  readonly clause?: ClauseId;
  /** Covers the situation on a new emulator. */
  readonly recipe: Recipe;
}

/** A request and its response, as scenarios see them. */
export interface Exchange {
  readonly operationId: OperationId;
  /**
   * `success`, a kind of problem, an SQL error code, `server-error`, `truncated`, `dropped`, or `dropped-after-work` if
   * the request was executed.
   */
  readonly outcome: string;
  /** Time on the namespace's clock, in milliseconds. */
  readonly at: number;
  /** Time on the machine's clock, in milliseconds. */
  readonly machineAt: number;
  /** The id of the user or API key; undefined without a valid credential. */
  readonly caller: string | undefined;
  /** The access token or API key that was sent. */
  readonly credential: string;
  /** Path and query. */
  readonly target: string;
  readonly requestBody: string;
  readonly answerBody: string;
  /** Size of both bodies in bytes. */
  readonly bodyBytes: number;
  /** Identifies the request's target and body. */
  readonly fingerprint: string;
  readonly retryAfterSeconds: number | undefined;
}

/**
 * Receives the value that the previous step kept, and returns the value for the next step; undefined if the exchange is
 * not this step.
 */
export type KeepFunction = (exchange: Exchange, kept: unknown) => unknown;

/** One exchange of a scenario. Without a function, every exchange with the operation and outcome is this step. */
export type ScenarioStep = readonly [
  /** Undefined for any operation; `same` repeats the request of the previous step. */
  operationId: OperationId | "same" | undefined,
  /** Undefined for any outcome. */
  outcome: string | undefined,
  keep?: KeepFunction | undefined,
];

/** A situation that consists of several exchanges, possibly with other exchanges in between. */
export interface Scenario extends Situation {
  readonly group: "scenarios";
  readonly steps: readonly ScenarioStep[];
}
