import { parse } from "lossless-json";
import { exactValue } from "../client/json-text.js";

/** A number of an answer by its value, whatever its spelling: `1.50` is `15e-1`. */
export class ExactNumber {
  readonly value: string;
  readonly #spelling: string;

  constructor(spelling: string) {
    this.value = exactValue(spelling);
    this.#spelling = spelling;
  }

  toString(): string {
    return this.#spelling;
  }

  /** For descriptions. */
  toJSON(): string {
    return this.value;
  }
}

/** Reads JSON without rounding: numbers become {@link ExactNumber}, `__proto__` is a field like any other. */
export function readExact(text: string): unknown {
  return parse(text, undefined, (spelling) => new ExactNumber(spelling));
}
