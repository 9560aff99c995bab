import { type ClauseId, clauses } from "../../openapi/clauses/register.js";
import type { GapId } from "../../openapi/gaps/register.js";
import { type OperationId, operationIds } from "../../openapi/operations/register.js";
import { contractVersion } from "../../openapi/document/version.js";
import { truncateBodies } from "../client/truncate-body.js";
import { buildCurlScript } from "../report/curl-script.js";
import type { ComparedExchange } from "../report/findings.js";
import { type ReportedLeftover, toReportedLeftovers } from "../report/reported-leftover.js";
import { suiteInfo } from "../report/version.js";
import type { LeftoverResource } from "../resources/remove-resources.js";
import type { AcceptedCause } from "./accepted-causes.js";
import type { Cause } from "./causes.js";
import type { Comparison } from "./comparison.js";
import { findGaps } from "./find-gaps.js";
import { sides } from "./pair.js";
import type { SkippedRecording } from "./record-histories.js";

export const compareReportFormat = "data-service-compare/report/4";

/** `accepted`: every difference that was found has an accepted cause. */
export type ComparisonVerdict = "same" | "accepted" | "different" | "inconclusive";

interface ComparisonFindings extends Pick<CompareReport, "omitted" | "errors"> {
  readonly run: Omit<CompareReport["run"], "requests">;
  readonly causes: readonly Cause[];
  /** Number of compared responses of each operation. */
  readonly compared: ReadonlyMap<OperationId, number>;
  /** Number of requests that were not compared, because they may depend on one that only one target carried out. */
  readonly skipped: number;
  readonly accepted: readonly AcceptedCause[];
  /** What was selected; undefined if everything was compared, so that no accepted cause can be missing. */
  readonly selected: readonly string[] | undefined;
  readonly left: readonly LeftoverResource[];
}

export interface ComparedOperation {
  readonly operationId: OperationId;
  readonly state: "same" | "differs" | "not compared";
  /** Number of compared responses. */
  readonly responses: number;
  /** Numbers of the causes that affect its responses. */
  readonly causes: readonly number[];
}

export interface ReportedCause {
  readonly number: number;
  /** The key in a file of accepted causes. */
  readonly cause: string;
  /** Why the cause is accepted; undefined if the cause is new. */
  readonly accepted?: string | undefined;
  readonly responses: number;
  readonly operations: readonly { readonly operation: string; readonly responses: number }[];
  readonly statuses: readonly string[];
  /** Clauses that the responses break, according to the contract. */
  readonly brokenClauses: readonly {
    readonly target: string;
    readonly clause: ClauseId;
    readonly statement: string;
  }[];
  /** Gaps from which the difference may come. */
  readonly gaps: readonly GapId[];
  /** The place in the shown response, and the values at that place. */
  readonly pointer?: string | undefined;
  readonly first?: string | undefined;
  readonly second?: string | undefined;
  /** The check or observer that sends the shown sequence of requests. */
  readonly source: string;
  readonly title: string;
  readonly isReproduced: boolean;
  /** Number of requests in the sequence before the shown requests. */
  readonly omittedExchanges: number;
  readonly exchanges: readonly Required<ComparedExchange>[];
  /** A script for bash that sends the requests to the first target. */
  readonly curl: string;
}

/** Everything that is printed or written about a comparison, without secrets. */
export interface CompareReport {
  readonly format: typeof compareReportFormat;
  readonly suite: { readonly name: string; readonly version: string; readonly contractVersion: string };
  readonly verdict: ComparisonVerdict;
  readonly targets: readonly { readonly title: string; readonly baseUrl: string }[];
  readonly run: {
    readonly id: string;
    readonly seed: number;
    readonly runs: number;
    /** What was selected; empty if everything was compared. */
    readonly only: readonly string[];
    readonly sequences: number;
    /** ISO 8601, UTC. */
    readonly startedAt: string;
    readonly durationMs: number;
    /** Number of requests to each target. */
    readonly requests: readonly number[];
  };
  readonly counts: {
    readonly operations: number;
    readonly compared: number;
    readonly different: number;
    readonly responses: number;
    readonly notReproduced: number;
    /** Number of requests that were not compared, because they may depend on one that only one target carried out. */
    readonly skipped: number;
    readonly newCauses: number;
  };
  readonly operations: readonly ComparedOperation[];
  /** New causes first, then causes by decreasing number of operations. */
  readonly causes: readonly ReportedCause[];
  /** Accepted causes that were not found. */
  readonly acceptedNotFound: readonly string[];
  readonly omitted: readonly SkippedRecording[];
  readonly errors: readonly SkippedRecording[];
  readonly leftBehind: readonly ReportedLeftover[];
}

/** Maximum number of requests shown of a history; for a longer history, the last requests are shown. */
const maxSteps = 8;

/** Maximum number of characters of all bodies in a report, so that a page stays under a megabyte. */
const maxCharacters = 500_000;
const maxBodyCharacters = 1500;

/** Builds the report of a comparison, without the secrets of both targets. */
export function buildCompareReport(comparison: Comparison, findings: ComparisonFindings): CompareReport {
  const { runs, targets } = comparison;
  const { run, compared, accepted, selected, omitted, errors, left } = findings;
  const hide = (text: string) => runs[1].secrets.hide(runs[0].secrets.hide(text));
  /** Returns why a cause is accepted; a cause that breaks a clause not known before is not accepted. */
  const getAcceptedReason = (cause: Cause) => {
    const { reason, breaks = [] } = accepted.find(({ cause: id }) => id === cause.id) ?? {};
    const broken = sides.flatMap((side) => cause.listBrokenClauses(side));
    return broken.every((clause) => breaks.includes(clause)) ? reason : undefined;
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
    gaps: findGaps(shown.example, shown.cause.histories),
  }));
  const operations = operationIds.map((operationId): ComparedOperation => {
    const responses = compared.get(operationId) ?? 0;
    const shown = causes.filter((cause) =>
      cause.operations.some(({ operation }) => operation === operationId),
    );
    const state = responses === 0 ? "not compared" : shown.length === 0 ? "same" : "differs";
    return { operationId, state, responses, causes: shown.map(({ number }) => number) };
  });
  const newCauses = causes.filter((cause) => cause.accepted === undefined).length;
  const isComplete = errors.length === 0 && compared.size > 0;
  const gone = accepted.filter((entry) => causes.every(({ cause }) => cause !== entry.cause));
  const hideReason = ({ id, reason }: SkippedRecording) => ({ id, reason: hide(reason) });
  return {
    format: compareReportFormat,
    suite: { ...suiteInfo, contractVersion },
    verdict:
      newCauses > 0 ? "different" : !isComplete ? "inconclusive" : causes.length > 0 ? "accepted" : "same",
    targets: targets.map(({ title, baseUrl }) => ({ title: hide(title), baseUrl: hide(baseUrl) })),
    run: { ...run, requests: runs.map(({ recorder }) => recorder.total) },
    counts: {
      operations: operations.length,
      compared: operations.filter(({ responses }) => responses > 0).length,
      different: operations.filter(({ state }) => state === "differs").length,
      responses: operations.reduce((sum, { responses }) => sum + responses, 0),
      notReproduced: findings.causes.reduce(
        (sum, { demonstration, answers }) => sum + (demonstration ? 0 : answers),
        0,
      ),
      skipped: findings.skipped,
      newCauses,
    },
    operations,
    causes,
    acceptedNotFound: selected !== undefined || !isComplete ? [] : gone.map(({ cause }) => cause),
    omitted: omitted.map(hideReason),
    errors: errors.map(hideReason),
    leftBehind: toReportedLeftovers(left, hide),
  };
}

function reportCause(
  { cause, example, isReproduced }: { readonly cause: Cause } & NonNullable<Cause["demonstration"]>,
  { runs, targets }: Comparison,
  hide: (text: string) => string,
  maxBody: number,
): Omit<ReportedCause, "number" | "accepted" | "gaps"> {
  const { pointer, first, second, history } = example;
  const shown = example.exchanges.slice(-maxSteps);
  const brokenClauses = sides.flatMap((side) =>
    cause.listBrokenClauses(side).map((clause) => ({
      target: targets[side].title,
      clause,
      statement: clauses[clause].statement,
    })),
  );
  const statuses = cause.occurrences.map((one) => [...new Set(one.statuses)].join(" / "));
  const hideAny = (text: string | undefined) => (text === undefined ? undefined : hide(text));
  return {
    cause: hide(cause.id),
    responses: cause.answers,
    operations: [...cause.operations].map(([operation, responses]) => ({ operation, responses })),
    statuses: [...new Set(statuses)],
    brokenClauses,
    pointer: hideAny(pointer),
    first: hideAny(first),
    second: hideAny(second),
    source: history.id,
    title: history.title,
    isReproduced,
    omittedExchanges: example.exchanges.length - shown.length,
    exchanges: shown.map((pair) => ({
      first: truncateBodies(runs[0].secrets.hideExchange(pair[0]), maxBody),
      second: truncateBodies(runs[1].secrets.hideExchange(pair[1]), maxBody),
    })),
    curl: buildCurlScript(
      shown.map(([exchange]) => truncateBodies(runs[0].secrets.hideExchange(exchange), maxBody)),
      targets[0].baseUrl,
      runs[0].secrets.names,
    ),
  };
}
