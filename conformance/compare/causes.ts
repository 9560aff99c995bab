import type { Difference, HistoryResult } from "./run-history.js";

/** Answers of every operation and status that show a cause; one is kept of each, for judging. */
export interface Occurrence {
  readonly operation: string;
  readonly statuses: readonly [number, number];
  answers: number;
  readonly sample: Difference;
}

/** Differences that have one cause, as far as can be told: the same field differs in the same way. */
export interface Cause {
  /** The same in every run: what a file of accepted differences names. */
  readonly id: string;
  /** Most answers first. */
  readonly occurrences: readonly Occurrence[];
  readonly answers: number;
  readonly operations: readonly string[];
  /** Checks and observers whose histories show the cause. */
  readonly histories: ReadonlySet<string>;
  /** The shortest histories that show it, each with what was sent. */
  readonly examples: readonly Example[];
}

/** A history as far as the difference. */
export interface Example {
  readonly difference: Difference;
  readonly exchanges: HistoryResult["exchanges"];
}

/** Histories of a cause that are run again; a difference that comes back in none of them passes. */
const maxExamples = 3;

/** Groups differences by field and kind, across operations. */
export class Causes {
  readonly #causes = new Map<
    string,
    { occurrences: Map<string, Occurrence>; histories: Set<string>; examples: Example[] }
  >();

  get size(): number {
    return this.#causes.size;
  }

  add({ differences, exchanges }: Pick<HistoryResult, "differences" | "exchanges">): void {
    for (const difference of differences) {
      const id = causeOf(difference);
      let cause = this.#causes.get(id);
      if (cause === undefined)
        this.#causes.set(id, (cause = { occurrences: new Map(), histories: new Set(), examples: [] }));
      cause.histories.add(difference.history.id);
      const operation = operationIn(difference);
      const key = [operation, ...difference.statuses].join(" ");
      const known = cause.occurrences.get(key);
      if (known !== undefined) known.answers++;
      else
        cause.occurrences.set(key, {
          operation,
          statuses: difference.statuses,
          answers: 1,
          sample: difference,
        });
      if (cause.examples.some((example) => example.difference.history === difference.history)) continue;
      const end = exchanges.findIndex(([first]) => first === difference.exchanges[0]);
      cause.examples.push({ difference, exchanges: exchanges.slice(0, end + 1) });
      cause.examples.sort((a, b) => a.exchanges.length - b.exchanges.length);
      cause.examples.splice(maxExamples);
    }
  }

  /** The causes, those of most operations first. */
  list(): readonly Cause[] {
    return [...this.#causes]
      .map(([id, { occurrences, histories, examples }]) => {
        const sorted = [...occurrences.values()].sort((a, b) => b.answers - a.answers);
        return {
          id,
          occurrences: sorted,
          answers: sorted.reduce((sum, { answers }) => sum + answers, 0),
          operations: [...new Set(sorted.map(({ operation }) => operation))],
          histories,
          examples,
        };
      })
      .sort((a, b) => b.operations.length - a.operations.length || b.answers - a.answers);
  }
}

/** The cause that a difference belongs to: field and kind, and the operation where values were compared exactly. */
export function causeOf(difference: Difference): string {
  const { field, kind, isOfOperation } = difference;
  const operation = operationIn(difference);
  const isNamed = isOfOperation !== true || field.startsWith(operation);
  return `${isNamed ? "" : `${operation} `}${field}: ${kind}`;
}

function operationIn({ operationId, step }: Difference): string {
  return operationId ?? `${step.exchange.request.method} of no operation`;
}
