import { type ClauseId, clauses } from "../../openapi/clauses/register.js";
import { gapOf } from "../../openapi/gaps/register.js";
import { type OperationId, operationIds } from "../../openapi/operations/register.js";
import { contractVersion } from "../../openapi/document/version.js";
import type { Exchange } from "../client/exchange.js";
import { withCutBodies } from "../client/cut-body.js";
import type { Secrets } from "../client/secrets.js";
import { curlScript } from "../report/curl-script.js";
import { suite } from "../report/version.js";
import type { Target } from "../target/target.js";
import type { Comparison, ComparisonVerdict, DifferenceGroup } from "./comparison.js";
import type { Judgement } from "./judge-difference.js";
import type { Pair } from "./pair.js";
import { placeOf } from "./signature.js";

export const compareReportFormat = "data-service-compare/report/1";

/** How one operation was compared. */
export interface ComparedOperation {
  readonly operationId: OperationId;
  /** Answers that were compared. */
  readonly answers: number;
  /** Kinds of differences. */
  readonly differences: number;
}

/** A request as both sides got it, and what they answered. */
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

/** Differences of one kind. */
export interface ReportedDifference {
  readonly operation: string;
  readonly statuses: readonly [number, number];
  /** Where the answers differ: a JSON pointer into the body, `status`, or `header:` with a name. */
  readonly place: string;
  readonly detail: string;
  readonly first?: string;
  readonly second?: string;
  /** How many answers show it. */
  readonly count: number;
  /** The check, gap or recording that the history comes from. */
  readonly history: string;
  readonly title: string;
  /** Whether it was seen again, in the shortest history that shows it. */
  readonly cameBack: boolean;
  readonly judgement: Judgement & { readonly text: string };
  readonly steps: readonly ComparedStep[];
  /** Scripts for bash that send the same requests again. */
  readonly scripts: { readonly first: string; readonly second: string };
}

/** Everything that is printed or written about a comparison. No secret is in it. */
export interface CompareReport {
  readonly format: typeof compareReportFormat;
  readonly suite: { readonly name: string; readonly version: string; readonly contractVersion: string };
  readonly verdict: ComparisonVerdict;
  readonly sides: readonly [ReportedSide, ReportedSide];
  readonly run: {
    readonly id: string;
    readonly seed: number;
    readonly runs: number;
    readonly histories: number;
    readonly requests: readonly [number, number];
  };
  readonly figure: {
    readonly operations: number;
    readonly compared: number;
    readonly different: number;
    readonly answers: number;
    /** Differences that did not come back. */
    readonly passing: number;
  };
  readonly operations: readonly ComparedOperation[];
  /** Those that break a clause first, those that no question is known of last. */
  readonly differences: readonly ReportedDifference[];
  /** What the accounts of the sides were given before; it does not count. */
  readonly given: readonly { readonly place: string; readonly first: string; readonly second: string }[];
  readonly leftOut: readonly Reason[];
  readonly troubles: readonly Reason[];
  readonly left: readonly { readonly kind: string; readonly name: string; readonly reason: string }[];
}

interface ReportedSide {
  readonly title: string;
  readonly baseUrl: string;
}

interface Reason {
  readonly id: string;
  readonly reason: string;
}

interface Told {
  readonly pair: Pair;
  readonly sides: readonly [Target, Target];
  readonly run: string;
  readonly seed: number;
  readonly runs: number;
}

/** What is told first: what is wrong, then what a profile can say, then what nobody has asked. */
const judgements: readonly Judgement["kind"][] = ["clause", "gap", "open"];

/** Longer histories are shown by their end. */
const mostSteps = 30;
const mostBodyCharacters = 4000;

/** Takes the secrets of both sides out of a comparison. */
export function buildCompareReport(comparison: Comparison, told: Told): CompareReport {
  const { pair, sides, run, seed, runs } = told;
  const [mine, theirs] = pair.runs.map(({ secrets }) => secrets) as [Secrets, Secrets];
  const hide = (text: string) => theirs.hide(mine.hide(text));
  const reasons = (list: readonly Reason[]) => list.map(({ id, reason }) => ({ id, reason: hide(reason) }));
  const differences = comparison.groups
    .map((group) => reportedDifference(group, sides, [mine, theirs]))
    .toSorted((a, b) => judgements.indexOf(a.judgement.kind) - judgements.indexOf(b.judgement.kind));
  const operations = operationIds.map((operationId) => ({
    operationId,
    answers: comparison.compared.get(operationId) ?? 0,
    differences: differences.filter(({ operation }) => operation === operationId).length,
  }));
  const sideOf = ({ title, baseUrl }: Target) => ({ title: hide(title), baseUrl: hide(baseUrl) });
  return {
    format: compareReportFormat,
    suite: { ...suite, contractVersion },
    verdict: comparison.verdict,
    sides: [sideOf(sides[0]), sideOf(sides[1])],
    run: {
      id: run,
      seed,
      runs,
      histories: comparison.histories,
      requests: [pair.runs[0].recorder.total, pair.runs[1].recorder.total],
    },
    figure: {
      operations: operations.length,
      compared: operations.filter(({ answers }) => answers > 0).length,
      different: operations.filter((operation) => operation.differences > 0).length,
      answers: operations.reduce((sum, { answers }) => sum + answers, 0),
      passing: comparison.passing,
    },
    operations,
    differences,
    given: comparison.given.map(({ pointer, first = "", second = "", operationId, command }) => ({
      place:
        pointer === "status"
          ? `status of ${operationId ?? "a request"} for ${command.caller}`
          : placeOf(pointer),
      first: hide(first),
      second: hide(second),
    })),
    leftOut: reasons(comparison.leftOut),
    troubles: reasons(comparison.troubles),
    left: comparison.left.map(({ entry, reason }) => ({
      kind: entry.kind,
      name: entry.name,
      reason: hide(reason),
    })),
  };
}

function reportedDifference(
  { difference, exchanges, count, cameBack, judgement }: DifferenceGroup,
  sides: readonly [Target, Target],
  [mine, theirs]: readonly [Secrets, Secrets],
): ReportedDifference {
  const { command, operationId, statuses, pointer, detail, history, first, second } = difference;
  const { does } = command;
  const hide = (text: string) => theirs.hide(mine.hide(text));
  const shown = exchanges.slice(-mostSteps);
  const ofSide = (side: 0 | 1, secrets: Secrets) =>
    shown.map((pairOf) => secrets.hideExchange(withCutBodies(pairOf[side], mostBodyCharacters)));
  const [here, there] = [ofSide(0, mine), ofSide(1, theirs)];
  return {
    operation: operationId ?? (does.kind === "send" ? `${does.method} of a known path` : does.kind),
    statuses,
    place: placeOf(pointer),
    detail: hide(detail),
    ...(first === undefined ? {} : { first: hide(first) }),
    ...(second === undefined ? {} : { second: hide(second) }),
    count,
    history: history.id,
    title: history.title,
    cameBack,
    judgement: { ...judgement, text: inWords(judgement, sides) },
    steps: here.map((exchange, index) => stepOf(exchange, there[index])),
    scripts: {
      first: curlScript(here, sides[0].baseUrl, mine.names),
      second: curlScript(there, sides[1].baseUrl, theirs.names),
    },
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

/** What the specification says about a difference, for people. */
function inWords(judgement: Judgement, [first, second]: readonly [Target, Target]): string {
  const broken = (target: Target, clause: ClauseId) => {
    const { statement, part } = clauses[clause];
    return `${target.title} breaks ${clause} (part ${part}): ${statement}`;
  };
  switch (judgement.kind) {
    case "clause":
      return [
        ...(judgement.first === undefined ? [] : [broken(first, judgement.first)]),
        ...(judgement.second === undefined ? [] : [broken(second, judgement.second)]),
      ].join(" ");
    case "gap":
      return `No clause decides. It is the question ${judgement.gap}: ${gapOf(judgement.gap).question} Ask with \`data-service observe --only ${judgement.gap}\`, and name the answer in the profile.`;
    case "open":
      return "No clause decides: a question that the specification leaves open.";
  }
}
