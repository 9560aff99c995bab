import { createHash } from "node:crypto";
import { type ClauseId, clauses } from "../../openapi/clauses/register.js";
import type { GapId } from "../../openapi/gaps/register.js";
import { defaultProfile, type Profile } from "../../openapi/gaps/profile.js";
import { gapsBeside } from "../../openapi/generated/gaps-beside.js";
import { type OperationId, operationIds } from "../../openapi/operations/register.js";
import { contractVersion } from "../../openapi/document/version.js";
import { type Area, getArea } from "../check/check.js";
import { getStrictContract } from "../client/contracts.js";
import type { Exchange } from "../client/exchange.js";
import type { Recorder } from "../client/recorder.js";
import type { SecretMasker } from "../client/secrets.js";
import type { AccessMatrixCell } from "../check/context.js";
import type { Input } from "../check/name-inputs.js";
import type { CertificationResult } from "../run/certification.js";
import { encodeReplayToken } from "../run/replay-token.js";
import type { CheckResult, Failure, CheckOutcome } from "../run/result.js";
import type { Shard } from "../run/shard.js";
import type { Verdict } from "../run/verdict.js";
import { suiteInfo } from "./version.js";
import {
  type ReportedArea,
  type ReportedSpecificationPart,
  countResults,
  linkIdenticalFailures,
} from "./count-results.js";
import type { Observation } from "../observe/observation.js";
import { toReportedObservation, type ReportedObservation } from "../observe/reported-observation.js";
import { buildCurlScript } from "./curl-script.js";
import { toReportedComparison, type ReportedComparison } from "./differences.js";
import { selectScriptRequests } from "./script-requests.js";

/** Version of the format, incremented when programs that read `report.json` have to change. */
export const reportFormat = "data-service-certify/report/1";

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
  readonly troubles: readonly string[];
  /** Number of selected checks by level. */
  readonly counts: Readonly<Record<CheckOutcome, number>>;
  readonly areas: readonly ReportedArea[];
  readonly checks: readonly ReportedCheck[];
  /** A clause that failed before the first check. */
  readonly preparation?: ReportedFailure;
  /** The clauses by part of the specification. */
  readonly parts: readonly ReportedSpecificationPart[];
  /** All operations of the contract. */
  readonly operations: readonly ReportedOperation[];
  /** Access rights: every tried pair of an operation and a caller. */
  readonly accessMatrix: readonly (AccessMatrixCell & { readonly check: string })[];
  /** How the deployment behaves where the specification is silent, if that was observed. */
  readonly observations?: readonly ReportedObservation[];
  /** What the run created and could not remove. */
  readonly left: readonly { readonly kind: string; readonly name: string; readonly reason: string }[];
}

export interface ReportedCheck extends Omit<CheckResult, "check" | "cells" | "failure"> {
  readonly id: string;
  readonly area: Area;
  readonly title: string;
  readonly clauses: readonly ClauseId[];
  readonly failure?: ReportedFailure;
}

export interface ReportedFailure extends Pick<Failure, "clause" | "expected" | "seen" | "heldAgain"> {
  readonly part: string;
  readonly statement: string;
  /** The values that should be equal, and their differences. */
  readonly comparison?: ReportedComparison;
  /** The smallest failing input found, if inputs were generated. */
  readonly counterexample?: string;
  /** The same input by name. */
  readonly inputs?: readonly Input[];
  readonly exchanges: readonly ReportedExchange[];
  /** A bash script that sends the requests again. */
  readonly curl: string;
  /** An earlier check that failed because of the same response of the same operation. */
  readonly sameAs?: string;
  /** Gaps of the specification related to the clause, to which the target file has no answer. */
  readonly openQuestions: readonly GapId[];
  /** Token for `certify --replay`; undefined if the failure occurred before the first check. */
  readonly replay?: string;
}

export interface ReportedExchange extends Pick<
  Exchange,
  "number" | "intent" | "caller" | "setUp" | "durationMs"
> {
  readonly operationId?: OperationId | undefined;
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody?: string | undefined;
  readonly status?: number | undefined;
  readonly answerHeaders?: Readonly<Record<string, string>> | undefined;
  readonly answerBody?: string | undefined;
  /** Why there is no response. */
  readonly lost?: string | undefined;
}

export interface ReportedOperation {
  readonly operationId: OperationId;
  /** Number of valid requests that were accepted. */
  readonly valid: number;
  /** Number of answered requests with one deliberate fault. */
  readonly invalid: number;
  /** Total number of answers. */
  readonly answers: number;
}

export interface ReportInput {
  readonly outcome: CertificationResult;
  readonly target: {
    readonly title: string;
    readonly baseUrl: string;
    /** Known answers to gaps. */
    readonly known?: Partial<Profile>;
  };
  readonly id: string;
  readonly seed: number;
  readonly runs: number;
  readonly only?: readonly string[];
  readonly shard?: Shard;
  readonly observations?: readonly Observation[];
  readonly recorder: Recorder;
  readonly secrets: SecretMasker;
}

/** Builds the report of a run, from which all outputs are made. */
export function buildReport(input: ReportInput): Report {
  const { outcome, target, id, seed, runs, only = [], shard, observations, recorder, secrets } = input;
  const { results, preparation, startedAt, endedAt } = outcome;
  const toReportedFailure = (failure: Failure, check?: CheckResult["check"]): ReportedFailure => ({
    ...reportFailure(failure, input),
    ...(check === undefined ? {} : { replay: encodeReplayToken(check.id, { seed, runs }, failure) }),
  });
  const checks = results.map(
    ({ check, level, leftOut, reason, durationMs, requests, failure: failed, inputHeld }): ReportedCheck => ({
      id: check.id,
      area: getArea(check),
      title: check.title,
      clauses: check.clauses,
      level,
      ...(leftOut === undefined ? {} : { leftOut }),
      ...(reason === undefined ? {} : { reason: secrets.hide(reason) }),
      durationMs: round(durationMs),
      requests,
      ...(failed === undefined ? {} : { failure: toReportedFailure(failed, check) }),
      ...(inputHeld === undefined ? {} : { inputHeld }),
    }),
  );
  return {
    format: reportFormat,
    suite: { ...suiteInfo, contractVersion, contractSha256: hashContract() },
    target: { title: secrets.hide(target.title), baseUrl: secrets.hide(target.baseUrl) },
    run: {
      id,
      seed,
      runs,
      only,
      ...(shard === undefined ? {} : { shard }),
      startedAt: new Date(startedAt).toISOString(),
      endedAt: new Date(endedAt).toISOString(),
      durationMs: endedAt - startedAt,
      requests: recorder.total,
    },
    verdict: outcome.verdict,
    troubles: outcome.troubles.map((trouble) => secrets.hide(trouble)),
    ...countResults(checks),
    checks: linkIdenticalFailures(checks),
    ...(preparation === undefined ? {} : { preparation: toReportedFailure(preparation) }),
    operations: operationIds.map((operationId) => {
      const { accepted = 0, invalid = 0, answered = 0 } = recorder.counts.get(operationId) ?? {};
      return { operationId, valid: accepted, invalid, answers: answered };
    }),
    accessMatrix: results.flatMap(({ check: { id: check }, cells }) =>
      cells.map((cell) => ({ ...cell, caller: secrets.hide(cell.caller), check })),
    ),
    ...(observations && { observations: observations.map((seen) => toReportedObservation(seen, secrets)) }),
    left: outcome.left.map(({ entry, reason }) => ({
      kind: entry.kind,
      name: entry.name,
      reason: secrets.hide(reason),
    })),
  };
}

/** Computes the SHA-256 of the strict document of the default profile, as `data-service contract` prints it. */
function hashContract(): string {
  const printed = `${JSON.stringify(getStrictContract(defaultProfile).document, null, 2)}\n`;
  return createHash("sha256").update(printed).digest("hex");
}

function reportFailure(failure: Failure, { target, id, recorder, secrets }: ReportInput): ReportedFailure {
  const { clause, expected, seen, comparison, exchanges, property, heldAgain } = failure;
  const { part, statement } = clauses[clause];
  const hidden = exchanges.map((exchange) => secrets.hideExchange(exchange));
  return {
    clause,
    part,
    statement,
    expected: secrets.hide(expected),
    seen: secrets.hide(seen),
    ...(comparison && {
      comparison: toReportedComparison({
        what: secrets.hide(comparison.what),
        expected: comparison.expected && secrets.hide(comparison.expected),
        seen: comparison.seen && secrets.hide(comparison.seen),
      }),
    }),
    ...(property && { counterexample: secrets.hide(property.counterexample) }),
    ...(property?.inputs && {
      inputs: property.inputs.map(({ name, value }) => ({ name, value: secrets.hide(value) })),
    }),
    exchanges: hidden.map(reportExchange),
    curl: buildCurlScript(hidden, secrets.hide(target.baseUrl), secrets.names, {
      creatingRequests: selectScriptRequests(failure, recorder.creatingRequests).map((exchange) =>
        secrets.hideExchange(exchange),
      ),
      run: id,
    }),
    openQuestions: (gapsBeside[clause] ?? []).filter((gap) => !(gap in (target.known ?? {}))),
    ...(heldAgain === undefined ? {} : { heldAgain }),
  };
}

function reportExchange(exchange: Exchange): ReportedExchange {
  const { number, operationId, intent, caller, setUp, request, answer, failure, durationMs } = exchange;
  return {
    number,
    operationId,
    intent,
    caller,
    setUp,
    method: request.method,
    url: request.url,
    requestHeaders: request.headers,
    requestBody: request.body,
    lost: answer === undefined ? (failure ?? "no response") : undefined,
    status: answer?.status,
    answerHeaders: answer?.headers,
    answerBody: answer?.body,
    durationMs: round(durationMs),
  };
}

/** Rounds milliseconds to microseconds. */
function round(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
