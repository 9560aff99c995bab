import { type ClauseId, clauses } from "../../openapi/clauses/register.js";
import { type OperationId, operationIds } from "../../openapi/operations/register.js";
import { contractVersion } from "../../openapi/document/version.js";
import { truncateBodies } from "../client/truncate-body.js";
import type { Exchange } from "../client/exchange.js";
import { buildCurlScript } from "../report/curl-script.js";
import { suite } from "../report/version.js";
import type { LeftBehind } from "../resources/remove-all.js";
import type { AcceptedCause } from "./accepted-causes.js";
import type { Cause, Example, Judgement } from "./causes.js";
import type { Comparison } from "./comparison.js";
import type { Reason } from "./record-histories.js";

export const compareReportFormat = "data-service-compare/report/2";

/** `accepted`: every difference found is an accepted one. */
export type CompareVerdict = "same" | "accepted" | "different" | "inconclusive";

/** A cause that came back, with a short history. */
export interface ShownCause {
  readonly cause: Cause;
  readonly example: Example;
  /** Whether the example was seen again; not where the comparison was stopped. */
  readonly cameBack: boolean;
  readonly judgement: Judgement;
}

export interface ComparisonFindings {
  readonly run: {
    readonly id: string;
    readonly seed: number;
    readonly runs: number;
    readonly histories: number;
  };
  readonly causes: readonly ShownCause[];
  /** How many answers of each operation were compared. */
  readonly compared: ReadonlyMap<OperationId, number>;
  /** Answers whose differences did not come back. */
  readonly passing: number;
  readonly accepted: readonly AcceptedCause[];
  /** Only a part of the histories was asked for, so that an accepted cause may be missing. */
  readonly isPartial: boolean;
  readonly leftOut: readonly Reason[];
  readonly troubles: readonly Reason[];
  readonly left: readonly LeftBehind[];
}

export interface ComparedOperation {
  readonly operationId: OperationId;
  readonly state: "same" | "differs" | "not compared";
  /** Answers that were compared. */
  readonly answers: number;
  /** Numbers of the causes that its answers show. */
  readonly causes: readonly number[];
}

/** A request of the first target, and both answers. */
export interface ComparedStep {
  readonly caller: string;
  readonly method: string;
  readonly url: string;
  readonly requestBody?: string;
  readonly first: ShownAnswer;
  readonly second: ShownAnswer;
}

interface ShownAnswer {
  /** Nothing where there was none. */
  readonly status?: number;
  readonly body?: string;
}

export interface ReportedCause {
  readonly number: number;
  /** What a file of accepted causes names. */
  readonly cause: string;
  /** Why it is accepted; nothing where it is new. */
  readonly accepted?: string;
  readonly answers: number;
  readonly operations: readonly { readonly operation: string; readonly answers: number }[];
  readonly statuses: readonly string[];
  /** Clauses that the targets break by it; none where it is open or was not judged. */
  readonly breaks: readonly {
    readonly target: string;
    readonly clause: ClauseId;
    readonly statement: string;
  }[];
  /** The place in the answer that is shown, and what stands there. */
  readonly pointer?: string;
  readonly first?: string;
  readonly second?: string;
  /** The check or observer that the shown history comes from. */
  readonly history: string;
  readonly title: string;
  readonly cameBack: boolean;
  /** Requests of the history before those shown. */
  readonly stepsBefore: number;
  readonly steps: readonly ComparedStep[];
  /** A script for bash that sends the requests to the first target. */
  readonly script: string;
}

/** Everything that is printed or written about a comparison. No secret is in it. */
export interface CompareReport {
  readonly format: typeof compareReportFormat;
  readonly suite: { readonly name: string; readonly version: string; readonly contractVersion: string };
  readonly verdict: CompareVerdict;
  readonly targets: readonly { readonly title: string; readonly baseUrl: string }[];
  readonly run: ComparisonFindings["run"] & { readonly requests: readonly number[] };
  readonly figure: {
    readonly operations: number;
    readonly compared: number;
    readonly different: number;
    readonly answers: number;
    readonly passing: number;
    readonly newCauses: number;
  };
  readonly operations: readonly ComparedOperation[];
  /** New ones first, then those of most operations. */
  readonly causes: readonly ReportedCause[];
  /** Accepted causes that were not found. */
  readonly gone: readonly string[];
  readonly leftOut: readonly Reason[];
  readonly troubles: readonly Reason[];
  readonly left: readonly { readonly kind: string; readonly name: string; readonly reason: string }[];
}

/** Longer histories are shown by their end. */
const maxSteps = 8;

/** Characters of all bodies in a report: with answers twice and scripts, a page stays under a megabyte. */
const maxCharacters = 500_000;
const maxBodyCharacters = 1500;

/** Takes the secrets of both targets out of what was found. */
export function buildCompareReport(
  { runs, targets }: Comparison,
  findings: ComparisonFindings,
): CompareReport {
  const { run, compared, passing, accepted, isPartial, leftOut, troubles, left } = findings;
  const hide = (text: string) => runs[1].secrets.hide(runs[0].secrets.hide(text));
  const known = new Map(accepted.map((entry) => [entry.cause, entry]));
  /** Why a cause is accepted; not with a clause that it was not known to break. */
  const acceptedAs = ({ cause, judgement }: ShownCause) => {
    const { reason, breaks = [] } = known.get(cause.id) ?? {};
    return judgement.flat().every((clause) => breaks.includes(clause)) ? reason : undefined;
  };
  const isNew = (shown: ShownCause) => acceptedAs(shown) === undefined;
  const sorted = [...findings.causes.filter(isNew), ...findings.causes.filter((cause) => !isNew(cause))];
  const steps = sorted.reduce((sum, { example }) => sum + Math.min(maxSteps, example.exchanges.length), 0);
  const maxBody = Math.min(maxBodyCharacters, Math.floor(maxCharacters / Math.max(1, 4 * steps)));
  const causes = sorted.map((shown, index): ReportedCause => {
    const reason = acceptedAs(shown);
    return {
      number: index + 1,
      ...reportedCause(shown, { runs, targets }, hide, maxBody),
      ...(reason === undefined ? {} : { accepted: reason }),
    };
  });
  const operations = operationIds.map((operationId): ComparedOperation => {
    const answers = compared.get(operationId) ?? 0;
    const numbers = causes
      .filter((cause) => cause.operations.some(({ operation }) => operation === operationId))
      .map(({ number }) => number);
    const state = answers === 0 ? "not compared" : numbers.length === 0 ? "same" : "differs";
    return { operationId, state, answers, causes: numbers };
  });
  const found = new Set(causes.map(({ cause }) => cause));
  const newCauses = causes.filter((cause) => cause.accepted === undefined).length;
  const isComplete = troubles.length === 0 && compared.size > 0;
  return {
    format: compareReportFormat,
    suite: { ...suite, contractVersion },
    verdict:
      newCauses > 0 ? "different" : !isComplete ? "inconclusive" : causes.length > 0 ? "accepted" : "same",
    targets: targets.map(({ title, baseUrl }) => ({ title: hide(title), baseUrl: hide(baseUrl) })),
    run: { ...run, requests: runs.map(({ recorder }) => recorder.total) },
    figure: {
      operations: operations.length,
      compared: operations.filter(({ answers }) => answers > 0).length,
      different: operations.filter(({ state }) => state === "differs").length,
      answers: operations.reduce((sum, { answers }) => sum + answers, 0),
      passing,
      newCauses,
    },
    operations,
    causes,
    gone: isPartial || !isComplete ? [] : [...known.keys()].filter((cause) => !found.has(cause)),
    leftOut: leftOut.map(({ id, reason }) => ({ id, reason: hide(reason) })),
    troubles: troubles.map(({ id, reason }) => ({ id, reason: hide(reason) })),
    left: left.map(({ entry, reason }) => ({ kind: entry.kind, name: entry.name, reason: hide(reason) })),
  };
}

function reportedCause(
  { cause, example, cameBack, judgement }: ShownCause,
  { runs, targets }: Pick<Comparison, "runs" | "targets">,
  hide: (text: string) => string,
  maxBody: number,
): Omit<ReportedCause, "number" | "accepted"> {
  const { pointer, first, second, history } = example.difference;
  const shown = example.exchanges.slice(-maxSteps);
  const [here, there] = ([0, 1] as const).map((side) =>
    shown.map((pair) => runs[side].secrets.hideExchange(truncateBodies(pair[side], maxBody))),
  ) as [Exchange[], Exchange[]];
  const breaks = ([0, 1] as const).flatMap((side) =>
    judgement[side].map((clause) => ({
      target: targets[side].title,
      clause,
      statement: clauses[clause].statement,
    })),
  );
  const answersOf = (name: string) =>
    cause.occurrences.reduce((sum, { operation, answers }) => sum + (operation === name ? answers : 0), 0);
  return {
    cause: hide(cause.id),
    answers: cause.answers,
    operations: cause.operations.map((operation) => ({ operation, answers: answersOf(operation) })),
    statuses: [
      ...new Set(
        cause.occurrences.map(({ statuses: [mine, theirs] }) =>
          mine === theirs ? `${mine}` : `${mine} / ${theirs}`,
        ),
      ),
    ],
    breaks,
    ...(pointer === undefined ? {} : { pointer: hide(pointer) }),
    ...(first === undefined ? {} : { first: hide(first) }),
    ...(second === undefined ? {} : { second: hide(second) }),
    history: history.id,
    title: history.title,
    cameBack,
    stepsBefore: example.exchanges.length - shown.length,
    steps: here.map((exchange, index) => stepOf(exchange, there[index])),
    script: buildCurlScript(here, targets[0].baseUrl, runs[0].secrets.names),
  };
}

function stepOf({ caller, request, answer }: Exchange, other: Exchange | undefined): ComparedStep {
  const shown = (given: Exchange["answer"]): ShownAnswer =>
    given === undefined ? {} : { status: given.status, body: given.body };
  return {
    caller,
    method: request.method,
    url: request.url,
    ...(request.body === undefined ? {} : { requestBody: request.body }),
    first: shown(answer),
    second: shown(other?.answer),
  };
}
