import type { ClauseId } from "../../openapi/clauses/register.js";
import type { GapId } from "../../openapi/gaps/register.js";
import type { OperationId } from "../../openapi/operations/register.js";
import type { Area } from "../check/check.js";
import type { AccessMatrixCell } from "../check/context.js";
import type { Input } from "../check/format-inputs.js";
import type { Exchange } from "../client/exchange.js";
import type { ReportedObservation } from "../observe/reported-observation.js";
import type { CheckOutcome, CheckResult, Failure } from "../run/result.js";
import type { Shard } from "../run/shard.js";
import type { Verdict } from "../run/verdict.js";
import type { ReportedComparison } from "./differences.js";
import type { ReportedLeftover } from "./reported-leftover.js";

/** Version of the format, incremented when programs that read `report.json` have to change. */
export const reportFormat = "data-service-certify/report/3";

/** Content of `report.json`. Secrets are replaced with the names of environment variables. */
export interface Report {
  readonly format: typeof reportFormat;
  readonly suite: {
    readonly name: string;
    readonly version: string;
    readonly contractVersion: string;
    /** SHA-256 of the output of `data-service contract`, in hexadecimal digits. */
    readonly contractSha256: string;
  };
  readonly target: { readonly title: string; readonly baseUrl: string };
  readonly run: {
    /** The id, which is part of the name of everything that the run creates. */
    readonly id: string;
    readonly seed: number;
    /** Number of inputs tried per property. */
    readonly runs: number;
    /** The names given with `--only`; empty if all checks were selected. */
    readonly only: readonly string[];
    /** Number of checks that were not selected. */
    readonly notSelected: number;
    /** The shard; undefined for a whole or merged run. */
    readonly shard?: Shard;
    /** Number of shards from which the report was merged. */
    readonly mergedFrom?: number;
    /** ISO 8601, UTC. */
    readonly startedAt: string;
    readonly endedAt: string;
    readonly durationMs: number;
    readonly requests: number;
  };
  readonly verdict: Verdict;
  /** Reasons other than checks that prevent a verdict. */
  readonly errors: readonly string[];
  /** Number of checks by level. */
  readonly counts: Readonly<Record<CheckOutcome, number>>;
  readonly areas: readonly ReportedArea[];
  /** The selected checks. */
  readonly checks: readonly ReportedCheck[];
  /** The clauses that the checks exercise, by part of the specification. */
  readonly parts: readonly ReportedSpecificationPart[];
  /** All operations of the contract. */
  readonly operations: readonly ReportedOperation[];
  /** Access rights: every tried pair of an operation and a caller. */
  readonly accessMatrix: readonly (AccessMatrixCell & { readonly check: string })[];
  /** How the deployment behaves where the specification is silent, if that was observed. */
  readonly observations?: readonly ReportedObservation[];
  /** What the run created and could not remove. */
  readonly leftBehind: readonly ReportedLeftover[];
}

export interface ReportedCheck extends Omit<CheckResult, "check" | "cells" | "failure"> {
  readonly id: string;
  readonly area: Area;
  readonly title: string;
  readonly clauses: readonly ClauseId[];
  readonly failure?: ReportedFailure;
}

export interface ReportedFailure extends Pick<Failure, "clause" | "expected" | "actual" | "isFlaky"> {
  readonly part: string;
  readonly statement: string;
  /** The values that should be equal, and their differences. */
  readonly comparison?: ReportedComparison;
  /** The smallest failing inputs found, if inputs were generated. */
  readonly inputs?: readonly Input[];
  /** Requests with their responses, without secrets; long response bodies are truncated. */
  readonly exchanges: readonly Exchange[];
  /** A bash script that sends the requests again. */
  readonly curl: string;
  /** An earlier check that failed because of the same response of the same operation. */
  readonly sameAs?: string;
  /** Gaps of the specification related to the clause, to which the target file has no answer. */
  readonly gaps: readonly GapId[];
  /** Token for `certify --replay`. */
  readonly replay: string;
}

interface ReportedOperation {
  readonly operationId: OperationId;
  /** Number of valid requests that were accepted. */
  readonly valid: number;
  /** Number of requests with one deliberate fault that got a response. */
  readonly invalid: number;
  /** Total number of responses. */
  readonly responses: number;
}

/** Number of checks of an area by outcome. */
export interface ReportedArea {
  readonly area: Area;
  readonly counts: Readonly<Record<CheckOutcome, number>>;
}

export interface ReportedSpecificationPart {
  /** Part of the specification: `4.2`. */
  readonly part: string;
  /** Title of the part. */
  readonly title: string;
  readonly counts: Readonly<Partial<Record<CheckOutcome, number>>>;
  readonly clauses: readonly {
    readonly id: ClauseId;
    /** Part of the specification with the rule: `4.2 rule 7`. */
    readonly part: string;
    readonly statement: string;
    readonly state: CheckOutcome;
    /** Checks that exercise the clause. */
    readonly checks: readonly string[];
  }[];
}
