import { emulatorDefinedLimits } from "../../openapi/clauses/limits.js";

const { work, workOfByte } = emulatorDefinedLimits.evaluation;

/** A request compares more than it may; the message is fit for the caller of the API. */
export class EvaluationLimitError extends Error {
  override readonly name = "EvaluationLimitError";

  constructor() {
    super(
      `is too expensive to evaluate: for each request, the emulator compares at most ${work} characters, plus ` +
        `${workOfByte} for each byte that it filters or sorts; use fewer or shorter conditions, or sort by shorter values`,
    );
  }
}

/**
 * What the evaluations of all expressions of a request, and the order of its results, may cost: texts as long and tests as many as a request can hold
 * would make everybody wait for minutes. The cost is counted in characters compared, a few nanoseconds each, and not in
 * time, so that the same request is refused everywhere.
 */
export class EvaluationBudget {
  #left: number = work;

  /** Allows for one thing more that is filtered or ordered. */
  allowFor(bytes: number): void {
    this.#left += bytes * workOfByte;
  }

  /** @throws EvaluationLimitError */
  spend(amount: number): void {
    this.#left -= amount;
    if (this.#left < 0) throw new EvaluationLimitError();
  }
}
