import { type ClauseId, clauses } from "../../openapi/clauses/register.js";
import type { GapId } from "../../openapi/gaps/register.js";
import { type OperationId, operationIds } from "../../openapi/operations/register.js";
import { contractVersion } from "../../openapi/document/version.js";
import { truncateBodies } from "../client/truncate-body.js";
import type { Exchange } from "../client/exchange.js";
import { buildCurlScript } from "../report/curl-script.js";
import { suiteInfo } from "../report/version.js";
import type { LeftBehind } from "../resources/remove-resources.js";
import type { AcceptedCause } from "./accepted-causes.js";
import type { Cause } from "./causes.js";
import type { Comparison } from "./comparison.js";
import { findGaps } from "./find-gaps.js";
import type { SkippedRecording } from "./record-histories.js";

export const compareReportFormat = "data-service-compare/report/2";

/** `accepted`: every difference that was found has an accepted cause. */
export type CompareVerdict = "same" | "accepted" | "different" | "inconclusive";

export interface ComparisonFindings extends Pick<CompareReport, "leftOut" | "troubles"> {
  readonly run: Omit<CompareReport["run"], "requests">;
  readonly causes: readonly Cause[];
  /** Number of compared responses of each operation. */
  readonly compared: ReadonlyMap<OperationId, number>;
  /** Number of requests that were not compared, because they may depend on one that only one target carried out. */
  readonly skipped: number;
  readonly accepted: readonly AcceptedCause[];
  /** What was selected; undefined if everything was compared, so that no accepted cause can be missing. */
  readonly selected: readonly string[] | undefined;
  readonly left: readonly LeftBehind[];
}

export interface ComparedOperation {
  readonly operationId: OperationId;
  readonly state: "same" | "differs" | "not compared";
  /** Number of compared responses. */
  readonly answers: number;
  /** Numbers of the causes that affect its responses. */
  readonly causes: readonly number[];
}

/** A request to the first target, and both responses. */
export interface ComparedStep {
  readonly caller: string;
  readonly method: string;
  readonly url: string;
  readonly requestBody?: string | undefined;
  /** The status is missing if there was no response. */
  readonly first: { readonly status?: number; readonly body?: string };
  readonly second: ComparedStep["first"];
}

export interface ReportedCause {
  readonly number: number;
  /** The key in a file of accepted causes. */
  readonly cause: string;
  /** Why the cause is accepted; undefined if the cause is new. */
  readonly accepted?: string | undefined;
  readonly answers: number;
  readonly operations: readonly { readonly operation: string; readonly answers: number }[];
  readonly statuses: readonly string[];
  /** Clauses that the targets break; empty if the specification leaves this open or no check reached a result. */
  readonly breaks: readonly {
    readonly target: string;
    readonly clause: ClauseId;
    readonly statement: string;
  }[];
  /** Checks that receive an affected response and failed, perhaps for another reason, with the broken clause. */
  readonly notJudged: readonly { readonly check: string; readonly clause: ClauseId }[];
  /** Gaps from which the difference may come. */
  readonly gaps: readonly GapId[];
  /** The place in the shown response, and the values at that place. */
  readonly pointer?: string | undefined;
  readonly first?: string | undefined;
  readonly second?: string | undefined;
  /** The check or observer from which the shown history comes. */
  readonly history: string;
  readonly title: string;
  readonly cameBack: boolean;
  /** Number of requests in the history before the shown requests. */
  readonly stepsBefore: number;
  readonly steps: readonly ComparedStep[];
  /** A script for bash that sends the requests to the first target. */
  readonly script: string;
}

/** Everything that is printed or written about a comparison, without secrets. */
export interface CompareReport {
  readonly format: typeof compareReportFormat;
  readonly suite: { readonly name: string; readonly version: string; readonly contractVersion: string };
  readonly verdict: CompareVerdict;
  readonly targets: readonly { readonly title: string; readonly baseUrl: string }[];
  readonly run: {
    readonly id: string;
    readonly seed: number;
    readonly runs: number;
    /** What was selected; empty if everything was compared. */
    readonly only: readonly string[];
    readonly histories: number;
    /** ISO 8601, UTC. */
    readonly startedAt: string;
    readonly durationMs: number;
    /** Number of requests to each target. */
    readonly requests: readonly number[];
  };
  readonly figure: {
    readonly operations: number;
    readonly compared: number;
    readonly different: number;
    readonly answers: number;
    readonly passing: number;
    /** Number of requests that were not compared, because they may depend on one that only one target carried out. */
    readonly skipped: number;
    readonly newCauses: number;
  };
  readonly operations: readonly ComparedOperation[];
  /** New causes first, then causes by decreasing number of operations. */
  readonly causes: readonly ReportedCause[];
  /** Accepted causes that were not found. */
  readonly gone: readonly string[];
  readonly leftOut: readonly SkippedRecording[];
  readonly troubles: readonly SkippedRecording[];
  readonly left: readonly { readonly kind: string; readonly name: string; readonly reason: string }[];
}

/** Maximum number of requests shown of a history; for a longer history, the last requests are shown. */
const maxSteps = 8;

/** Maximum number of characters of all bodies in a report, so that a page stays under a megabyte. */
const maxCharacters = 500_000;
const maxBodyCharacters = 1500;

/** Builds the report of a comparison, without the secrets of both targets. */
export function buildCompareReport(comparison: Comparison, findings: ComparisonFindings): CompareReport {
  const { runs, targets } = comparison;
  const { run, compared, accepted, selected, leftOut, troubles, left } = findings;
  const hide = (text: string) => runs[1].secrets.hide(runs[0].secrets.hide(text));
  /** Returns why a cause is accepted; a cause that breaks a clause not known before is not accepted. */
  const getAcceptedReason = ({ id, broken }: Cause) => {
    const { reason, breaks = [] } = accepted.find(({ cause }) => cause === id) ?? {};
    return broken.every((clauses) => [...clauses].every((clause) => breaks.includes(clause)))
      ? reason
      : undefined;
  };
  const sorted = findings.causes
    .flatMap((cause) =>
      cause.demonstration === undefined
        ? []
        : { cause, ...cause.demonstration, reason: getAcceptedReason(cause) },
    )
    .sort((a, b) => Number(a.reason !== undefined) - Number(b.reason !== undefined));
  const steps = sorted.reduce((sum, { example }) => sum + Math.min(maxSteps, example.exchanges.length), 0);
  const maxBody = Math.min(maxBodyCharacters, Math.floor(maxCharacters / Math.max(1, 4 * steps)));
  const causes = sorted.map(({ reason, ...shown }, index): ReportedCause => ({
    number: index + 1,
    accepted: reason,
    ...reportCause(shown, comparison, hide, maxBody),
    gaps: findGaps(shown.example, shown.cause.histories, selected),
  }));
  const operations = operationIds.map((operationId): ComparedOperation => {
    const answers = compared.get(operationId) ?? 0;
    const shown = causes.filter((cause) =>
      cause.operations.some(({ operation }) => operation === operationId),
    );
    const state = answers === 0 ? "not compared" : shown.length === 0 ? "same" : "differs";
    return { operationId, state, answers, causes: shown.map(({ number }) => number) };
  });
  const newCauses = causes.filter((cause) => cause.accepted === undefined).length;
  const isComplete = troubles.length === 0 && compared.size > 0;
  const gone = accepted.filter((entry) => causes.every(({ cause }) => cause !== entry.cause));
  const hideReason = ({ id, reason }: SkippedRecording) => ({ id, reason: hide(reason) });
  return {
    format: compareReportFormat,
    suite: { ...suiteInfo, contractVersion },
    verdict:
      newCauses > 0 ? "different" : !isComplete ? "inconclusive" : causes.length > 0 ? "accepted" : "same",
    targets: targets.map(({ title, baseUrl }) => ({ title: hide(title), baseUrl: hide(baseUrl) })),
    run: { ...run, requests: runs.map(({ recorder }) => recorder.total) },
    figure: {
      operations: operations.length,
      compared: operations.filter(({ answers }) => answers > 0).length,
      different: operations.filter(({ state }) => state === "differs").length,
      answers: operations.reduce((sum, { answers }) => sum + answers, 0),
      passing: findings.causes.reduce(
        (sum, { demonstration, answers }) => sum + (demonstration ? 0 : answers),
        0,
      ),
      skipped: findings.skipped,
      newCauses,
    },
    operations,
    causes,
    gone: selected !== undefined || !isComplete ? [] : gone.map(({ cause }) => cause),
    leftOut: leftOut.map(hideReason),
    troubles: troubles.map(hideReason),
    left: left.map(({ entry, reason }) => ({ kind: entry.kind, name: entry.name, reason: hide(reason) })),
  };
}

function reportCause(
  { cause, example, cameBack }: { readonly cause: Cause } & NonNullable<Cause["demonstration"]>,
  { runs, targets }: Comparison,
  hide: (text: string) => string,
  maxBody: number,
): Omit<ReportedCause, "number" | "accepted" | "gaps"> {
  const { pointer, first, second, history } = example;
  const shown = example.exchanges.slice(-maxSteps);
  const [here = [], there = []] = runs.map(({ secrets }, side) =>
    shown.map((pair) => secrets.hideExchange(truncateBodies(pair[side as 0 | 1], maxBody))),
  );
  const breaks = ([0, 1] as const).flatMap((side) =>
    [...cause.broken[side]].map((clause) => ({
      target: targets[side].title,
      clause,
      statement: clauses[clause].statement,
    })),
  );
  const statuses = cause.occurrences.map(({ sample }) => [...new Set(sample.statuses)].join(" / "));
  const hideAny = (text: string | undefined) => (text === undefined ? undefined : hide(text));
  return {
    cause: hide(cause.id),
    answers: cause.answers,
    operations: [...cause.operations].map(([operation, answers]) => ({ operation, answers })),
    statuses: [...new Set(statuses)],
    breaks,
    notJudged: [...cause.notJudged].map(([check, clause]) => ({ check, clause })),
    pointer: hideAny(pointer),
    first: hideAny(first),
    second: hideAny(second),
    history: history.id,
    title: history.title,
    cameBack,
    stepsBefore: example.exchanges.length - shown.length,
    steps: here.map(({ caller, request: { method, url, body }, answer }, index) => ({
      caller,
      method,
      url,
      requestBody: body,
      first: reportAnswer(answer),
      second: reportAnswer(there[index]?.answer),
    })),
    script: buildCurlScript(here, targets[0].baseUrl, runs[0].secrets.names),
  };
}

function reportAnswer(answer: Exchange["answer"]): ComparedStep["first"] {
  return answer === undefined ? {} : { status: answer.status, body: answer.body };
}
