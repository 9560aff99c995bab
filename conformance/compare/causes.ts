import { type ClauseId, clauseIds } from "../../openapi/clauses/register.js";
import type { Violation } from "../../openapi/validation/violation.js";
import type { Check } from "../check/check.js";
import { isAboutStatus } from "../check/context.js";
import { findBrokenClause } from "../client/answer-clauses.js";
import { getOpenContract } from "../client/contracts.js";
import { parseBody } from "../client/json-text.js";
import type { Failure } from "../run/result.js";
import type { Run } from "../run/runner.js";
import type { Target } from "../target/target.js";
import { describeOneSide } from "./compare-bodies.js";
import type { ResponseDifference } from "./run-history.js";

/**
 * Finds the clauses that the causes of differences break. Each check whose history shows a cause runs once on every
 * deployment; if the check fails because of the differing response, its clause is broken. The contract is applied as well.
 *
 * @param checks the checks from which the histories were recorded
 */
export async function markBrokenClauses(
  causes: readonly Cause[],
  { runs, targets }: { readonly runs: readonly Run[]; readonly targets: readonly [Target, Target] },
  checks: readonly Check[],
  isStopped: () => boolean,
): Promise<void> {
  // If the second target is an emulator, it conforms.
  const judgedSides = targets[1].isStrict ? ([0] as const) : ([0, 1] as const);
  for (const { broken, occurrences } of causes)
    for (const { sample } of occurrences)
      for (const side of [0, 1] as const)
        for (const clause of findBrokenClauses(sample, side)) broken[side].add(clause);
  for (const check of checks) {
    const affecting = causes.filter(({ histories }) => histories.has(check.id));
    for (const side of affecting.length === 0 ? [] : judgedSides) {
      if (isStopped()) return;
      const { level, failure } = (await runs[side]?.check({ ...check, after: [] })) ?? {};
      if (level === "passed") for (const { passedOn } of affecting) passedOn.add(side);
      if (failure === undefined) continue;
      const { clause } = failure;
      const [related = [], named = []] = [1, 2].map((minimum) =>
        affecting.filter((cause) => rateRelevance(cause, failure, side) >= minimum),
      );
      // A failure that names none of several differences does not show which of them breaks the clause.
      const judged = named.length === 0 && related.length === 1 ? related : named;
      for (const cause of affecting)
        if (judged.includes(cause)) cause.broken[side].add(clause);
        else cause.failures.push({ check: check.id, clause, side, mayBeCause: related.includes(cause) });
    }
  }
}

/** Rates how closely a failure is related to a cause: 0 if it concerns another response, 2 if it names the differing field. */
function rateRelevance(
  { occurrences }: Cause,
  { exchanges, expected, comparison }: Failure,
  side: 0 | 1,
): number {
  const last = exchanges.at(-1);
  const { field, kind } =
    occurrences.find(
      ({ sample: { step, statuses } }) =>
        step.operationId === last?.operationId && statuses[side] === last?.answer?.status,
    )?.sample ?? {};
  // No check requires that a header or a field is absent.
  if (field?.startsWith("header") !== false || kind?.endsWith(describeOneSide(side === 0))) return 0;
  if (field === "status") return isAboutStatus(expected) ? 2 : 1;
  const text = `${expected} ${comparison?.what ?? ""}`;
  const name = field.split(/\W/).at(-1) ?? "";
  return (name === "" ? text.includes(field) : text.split(/\W+/).includes(name)) ? 2 : 1;
}

/** Finds the clauses that a response breaks by itself at the place where it differs. */
export function findBrokenClauses(
  { step: { operationId }, exchanges, pointer, field }: ResponseDifference,
  side: 0 | 1,
): readonly ClauseId[] {
  const answer = exchanges.at(-1)?.[side].answer;
  if (answer === undefined || operationId === undefined) return [];
  const { status, headers, body } = answer;
  const header = (name: string) => headers[name];
  const at = pointer ?? "";
  const parent = at.slice(0, at.lastIndexOf("/"));
  const isHere = ({ in: place, pointer: where, detail }: Violation) =>
    place === "body"
      ? pointer !== undefined &&
        (where === at || (where === parent && detail.includes(at.slice(parent.length + 1))))
      : field.toLowerCase() === (place === "status" ? place : `${place} ${where.slice(1).toLowerCase()}`);
  return getOpenContract()
    .validator.validateResponse(operationId, { status, header, body: parseBody(body) })
    .filter(isHere)
    .map((violation) => findBrokenClause(operationId, status, violation))
    .filter((clause) => clauseIds.includes(clause));
}

/** Maximum number of histories of a cause that are run again; a difference that recurs in none of them is temporary. */
const maxExamples = 3;

interface UnexplainedFailure {
  readonly check: string;
  readonly clause: ClauseId;
  readonly side: 0 | 1;
  /** Whether the failure concerns a response that the cause affects. */
  readonly mayBeCause: boolean;
}

/** Differences that probably have one cause: the same field differs in the same way. */
export class Cause {
  /** Checks and observers in whose histories the cause occurs. */
  readonly histories = new Set<string>();
  /** The shortest histories in which it occurs, each with its requests. */
  readonly examples: ResponseDifference[] = [];
  /** Clauses that each target breaks; empty if the specification leaves this open or no check reached a result. */
  readonly broken = [new Set<ClauseId>(), new Set<ClauseId>()] as const;
  /** Failures of checks whose histories show the cause, for another or an unknown reason. */
  readonly failures: UnexplainedFailure[] = [];
  /** Sides on which a check passed despite the cause. */
  readonly passedOn = new Set<0 | 1>();
  /** A short history that shows the cause, and whether it was reproduced; undefined if the difference did not recur. */
  demonstration: { readonly example: ResponseDifference; readonly isReproduced: boolean } | undefined;
  answers = 0;
  /** Number of affected responses for each operation and pair of statuses, with one response as an example. */
  readonly #occurrences = new Map<string, { answers: number; readonly sample: ResponseDifference }>();

  /** @param id id that is the same in every run; used in files of accepted causes */
  constructor(readonly id: string) {}

  /** Checks that failed, perhaps because of the cause, or for another reason while no other check passed on their side. */
  get notJudged(): ReadonlyMap<string, ClauseId> {
    const failures = this.failures.filter(({ side, mayBeCause }) => mayBeCause || !this.passedOn.has(side));
    return new Map(failures.map(({ check, clause }) => [check, clause]));
  }

  get occurrences() {
    return [...this.#occurrences.values()].sort((a, b) => b.answers - a.answers);
  }

  /** Number of affected answers of each operation, the highest first. */
  get operations(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { sample, answers } of this.occurrences)
      counts.set(getOperationName(sample), (counts.get(getOperationName(sample)) ?? 0) + answers);
    return counts;
  }

  add(difference: ResponseDifference): void {
    const { history, statuses } = difference;
    this.histories.add(history.id);
    const key = [getOperationName(difference), ...statuses].join(" ");
    const occurrence = this.#occurrences.get(key) ?? { answers: 0, sample: difference };
    this.#occurrences.set(key, occurrence);
    occurrence.answers++;
    this.answers++;
    if (this.examples.some((example) => example.history === history)) return;
    this.examples.push(difference);
    this.examples.sort((a, b) => a.exchanges.length - b.exchanges.length);
    this.examples.splice(maxExamples);
  }
}

/** Groups differences by field and kind, across operations. */
export class CauseMap extends Map<string, Cause> {
  add(difference: ResponseDifference): void {
    const id = getCauseKey(difference);
    const cause = this.get(id) ?? new Cause(id);
    this.set(id, cause);
    cause.add(difference);
  }

  /** Causes with the most operations first. */
  list(): readonly Cause[] {
    return [...this.values()].sort((a, b) => b.operations.size - a.operations.size || b.answers - a.answers);
  }
}

/** Returns the key of the cause of a difference: field, kind and, if values were compared exactly, the operation. */
export function getCauseKey(difference: ResponseDifference): string {
  const { field, kind, isOperationSpecific } = difference;
  const operation = getOperationName(difference);
  const isNamed = isOperationSpecific !== true || field.startsWith(operation);
  return `${isNamed ? "" : `${operation} `}${field}: ${kind}`;
}

function getOperationName({ step }: ResponseDifference): string {
  return step.operationId ?? `${step.exchange.request.method} (not an operation)`;
}
