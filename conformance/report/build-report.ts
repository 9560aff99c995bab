import { createHash } from "node:crypto";
import { clauses } from "../../openapi/clauses/register.js";
import { defaultProfile, type Profile } from "../../openapi/gaps/profile.js";
import { gapsBeside } from "../../openapi/generated/gaps-beside.js";
import { operationIds } from "../../openapi/operations/register.js";
import { contractVersion } from "../../openapi/document/version.js";
import { getArea } from "../check/check.js";
import { getStrictContract } from "../client/contracts.js";
import { maxKeptCharacters, type Recorder } from "../client/recorder.js";
import type { SecretMasker } from "../client/secrets.js";
import { truncateResponse } from "../client/truncate-body.js";
import type { CertificationResult } from "../run/certification.js";
import { encodeReplayToken } from "../run/replay-token.js";
import type { CheckResult, Failure } from "../run/result.js";
import type { Shard } from "../run/shard.js";
import { suiteInfo } from "./version.js";
import { countResults, linkIdenticalFailures } from "./count-results.js";
import type { Observation } from "../observe/observation.js";
import { toReportedObservation } from "../observe/reported-observation.js";
import { buildCurlScript } from "./curl-script.js";
import { toReportedComparison } from "./differences.js";
import { type Report, type ReportedCheck, type ReportedFailure, reportFormat } from "./report.js";
import { toReportedLeftovers } from "./reported-leftover.js";
import { selectScriptRequests } from "./script-requests.js";

export interface ReportInput {
  readonly outcome: CertificationResult;
  readonly target: {
    readonly title: string;
    readonly baseUrl: string;
    /** Known answers to gaps. */
    readonly knownAnswers: Partial<Profile>;
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
  const { results, notSelected, startedAt, endedAt } = outcome;
  const checks = results.map(
    ({ check, level, reason, durationMs, requests, failure, inputPassed }): ReportedCheck => ({
      id: check.id,
      area: getArea(check),
      title: check.title,
      clauses: check.clauses,
      level,
      ...(reason === undefined ? {} : { reason: secrets.hide(reason) }),
      durationMs,
      requests,
      ...(failure === undefined ? {} : { failure: reportFailure(check, failure, input) }),
      ...(inputPassed === undefined ? {} : { inputPassed }),
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
      notSelected,
      ...(shard === undefined ? {} : { shard }),
      startedAt: new Date(startedAt).toISOString(),
      endedAt: new Date(endedAt).toISOString(),
      durationMs: endedAt - startedAt,
      requests: recorder.total,
    },
    verdict: outcome.verdict,
    errors: outcome.errors.map((trouble) => secrets.hide(trouble)),
    ...countResults(checks),
    checks: linkIdenticalFailures(checks),
    operations: operationIds.map((operationId) => {
      const { accepted = 0, invalid = 0, answered = 0 } = recorder.counts.get(operationId) ?? {};
      return { operationId, valid: accepted, invalid, responses: answered };
    }),
    accessMatrix: results.flatMap(({ check: { id: check }, cells }) =>
      cells.map((cell) => ({ ...cell, caller: secrets.hide(cell.caller), check })),
    ),
    ...(observations && {
      observations: observations.map((observation) => toReportedObservation(observation, secrets)),
    }),
    leftBehind: toReportedLeftovers(outcome.left, (text) => secrets.hide(text)),
  };
}

/** Computes the SHA-256 of the strict document of the default profile, as `data-service contract` prints it. */
function hashContract(): string {
  const printed = `${JSON.stringify(getStrictContract(defaultProfile).document, null, 2)}\n`;
  return createHash("sha256").update(printed).digest("hex");
}

function reportFailure(
  check: CheckResult["check"],
  failure: Failure,
  { target, id, seed, runs, recorder, secrets }: ReportInput,
): ReportedFailure {
  const { clause, expected, actual, comparison, exchanges, property, isFlaky } = failure;
  const { part, statement } = clauses[clause];
  const hidden = exchanges.map((exchange) => secrets.hideExchange(exchange));
  return {
    clause,
    part,
    statement,
    expected: secrets.hide(expected),
    actual: secrets.hide(actual),
    ...(comparison && {
      comparison: toReportedComparison({
        what: secrets.hide(comparison.what),
        expected: comparison.expected && secrets.hide(comparison.expected),
        actual: comparison.actual && secrets.hide(comparison.actual),
      }),
    }),
    ...(property && {
      inputs: property.inputs.map(({ name, value }) => ({ name, value: secrets.hide(value) })),
    }),
    exchanges: hidden.map((exchange) => truncateResponse(exchange, maxKeptCharacters)),
    curl: buildCurlScript(hidden, secrets.hide(target.baseUrl), secrets.names, {
      creatingRequests: selectScriptRequests(failure, recorder.creatingRequests).map((exchange) =>
        secrets.hideExchange(exchange),
      ),
      run: id,
    }),
    gaps: (gapsBeside[clause] ?? []).filter((gap) => !(gap in target.knownAnswers)),
    ...(isFlaky === undefined ? {} : { isFlaky }),
    replay: encodeReplayToken(check.id, { seed, runs }, failure),
  };
}
