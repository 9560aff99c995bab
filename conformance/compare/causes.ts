import type { ClauseId } from "../../openapi/clauses/register.js";
import type { Violation } from "../../openapi/validation/violation.js";
import { findBrokenClause } from "../client/find-broken-clause.js";
import { getOpenContract } from "../client/contracts.js";
import type { Exchange } from "../client/exchange.js";
import { parseBody } from "../client/json-text.js";
import { maxKeptCharacters } from "../client/recorder.js";
import { truncateBodies } from "../client/truncate-body.js";
import type { Pair, Side } from "./pair.js";
import type { ResponseDifference } from "./run-history.js";

/** Finds the clauses that a response breaks at the place where it differs, according to the contract. */
export function findBrokenClauses(
  { step: { operationId }, exchanges, pointer, field }: ResponseDifference,
  side: Side,
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
    .map((violation) => findBrokenClause(operationId, status, violation));
}

/** Truncates the bodies in a difference, so that the differences of a run do not exhaust the memory. */
export function truncateDifference(difference: ResponseDifference): ResponseDifference {
  const truncate = (exchange: Exchange) => truncateBodies(exchange, maxKeptCharacters);
  const exchanges = difference.exchanges.map(
    ([first, second]) => [truncate(first), truncate(second)] as const,
  );
  return { ...difference, exchanges };
}

/** The affected responses of an operation with one pair of statuses. */
interface Occurrence {
  answers: number;
  readonly operation: string;
  readonly statuses: Pair<number>;
  /** The clauses that the first of the responses break, for each target. */
  readonly brokenClauses: Pair<readonly ClauseId[]>;
}

/** Maximum number of histories of a cause that are run again; a difference that recurs in none of them is temporary. */
const maxExamples = 3;

/** Differences that probably have one cause: the same field differs in the same way. */
export class Cause {
  /** Checks and observers in whose histories the cause occurs. */
  readonly histories = new Set<string>();
  /** The shortest histories in which it occurs, each with its requests. */
  readonly examples: ResponseDifference[] = [];
  /** A short history that shows the cause, and whether it was reproduced; undefined if the difference did not recur. */
  demonstration: { readonly example: ResponseDifference; readonly isReproduced: boolean } | undefined;
  answers = 0;
  readonly #occurrences = new Map<string, Occurrence>();

  /** @param id id that is the same in every run; used in files of accepted causes */
  constructor(readonly id: string) {}

  /** Returns the clauses that the responses of a target break. */
  listBrokenClauses(side: Side): readonly ClauseId[] {
    return [...new Set(this.occurrences.flatMap(({ brokenClauses }) => brokenClauses[side]))];
  }

  get occurrences(): readonly Occurrence[] {
    return [...this.#occurrences.values()].sort((a, b) => b.answers - a.answers);
  }

  /** Number of affected responses of each operation, the highest first. */
  get operations(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { operation, answers } of this.occurrences)
      counts.set(operation, (counts.get(operation) ?? 0) + answers);
    return counts;
  }

  add(difference: ResponseDifference): void {
    const { history, statuses } = difference;
    this.histories.add(history.id);
    const operation = getOperationName(difference);
    const key = [operation, ...statuses].join(" ");
    const occurrence = this.#occurrences.get(key) ?? {
      answers: 0,
      operation,
      statuses,
      brokenClauses: [findBrokenClauses(difference, 0), findBrokenClauses(difference, 1)],
    };
    this.#occurrences.set(key, occurrence);
    occurrence.answers++;
    this.answers++;
    if (this.examples.some((example) => example.history === history)) return;
    this.examples.push(truncateDifference(difference));
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
