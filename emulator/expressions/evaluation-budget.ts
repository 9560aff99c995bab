import { emulatorDefinedLimits } from "../../openapi/clauses/limits.js";

const { work, workOfParsing } = emulatorDefinedLimits.evaluation;

/** The evaluations of a request are too expensive. The message is meant for the caller of the API. */
export class EvaluationLimitError extends Error {
  override readonly name = "EvaluationLimitError";

  constructor() {
    super(
      `is too expensive to evaluate: for each request, the emulator reads and compares at most ${work} characters; ` +
        "use fewer or shorter conditions, sort by shorter values, filter less data, or read and update fewer fields",
    );
  }
}

/**
 * Limits the cost of evaluating all expressions of a request, of sorting its results, and of its projections and updates,
 * because no other request is handled in the meantime. The cost is counted in compared characters (a few nanoseconds each)
 * instead of time, so that the same request is rejected on every machine.
 */
export class EvaluationBudget {
  #remaining: number = work;

  /** @throws EvaluationLimitError */
  spend(amount: number): void {
    this.#remaining -= amount;
    if (this.#remaining < 0) throw new EvaluationLimitError();
  }

  /** Counts the parsing of JSON text. @throws EvaluationLimitError */
  spendOnParsing(length: number): void {
    this.spend(length * workOfParsing);
  }
}
