import { emulatorDefinedLimits } from "../../openapi/clauses/limits.js";

const { work, workOfParsing } = emulatorDefinedLimits.evaluation;

/** A request compares more than it may; the message is fit for the caller of the API. */
export class EvaluationLimitError extends Error {
  override readonly name = "EvaluationLimitError";

  constructor() {
    super(
      `is too expensive to evaluate: for each request, the emulator reads and compares at most ${work} characters; ` +
        "use fewer or shorter conditions, sort by shorter values, or filter less data",
    );
  }
}

/**
 * What the evaluations of all expressions of a request, and the order of its results, may cost: texts as long and tests
 * as many as a request can hold, or data as large as a namespace, would make everybody wait. The cost is counted in
 * characters compared, a few nanoseconds each, and not in time, so that the same request is refused everywhere.
 */
export class EvaluationBudget {
  #left: number = work;

  /** @throws EvaluationLimitError */
  spend(amount: number): void {
    this.#left -= amount;
    if (this.#left < 0) throw new EvaluationLimitError();
  }

  /** Counts the parsing of JSON text. @throws EvaluationLimitError */
  spendOnParsing(length: number): void {
    this.spend(length * workOfParsing);
  }
}
