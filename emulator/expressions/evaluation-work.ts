import { chosenLimits } from "../../openapi/clauses/limits.js";

const { work, workOfByte } = chosenLimits.evaluation;

/** A condition or filter compares more than an evaluation may; the message is fit for the caller of the API. */
export class TooMuchToCompare extends Error {
  override readonly name = "TooMuchToCompare";

  constructor() {
    super(
      `compares more than ${work} characters and values, and more than ${workOfByte} for each byte of what it is ` +
        "evaluated against; use fewer or shorter tests",
    );
  }
}

/**
 * What the evaluations of one expression may cost: texts as long and tests as many as a request can hold would make
 * everybody wait for minutes. The cost is counted in characters and values looked at, not in time, so that the same
 * request is refused everywhere.
 */
export class EvaluationWork {
  #left: number = work;

  /** Allows for one thing more that the expression is evaluated against. */
  allowFor(bytes: number): void {
    this.#left += bytes * workOfByte;
  }

  /** @throws TooMuchToCompare */
  spend(amount: number): void {
    this.#left -= amount;
    if (this.#left < 0) throw new TooMuchToCompare();
  }
}
