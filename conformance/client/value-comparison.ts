import { stringifyJson } from "./json-text.js";

/** Two values that should be equal, both as JSON with numbers as they were sent. */
export interface ValueComparison {
  /** Description of what is compared. */
  readonly what: string;
  /** JSON; undefined if there should be no value. */
  readonly expected?: string;
  /** JSON; undefined if there is no value. */
  readonly seen?: string;
}

/** Puts two values side by side; what is no JSON is shown as its text. */
export function createValueComparison(what: string, expected: unknown, seen: unknown): ValueComparison {
  return {
    what,
    ...(expected === undefined ? {} : { expected: stringifyJson(expected) }),
    ...(seen === undefined ? {} : { seen: stringifyJson(seen) }),
  };
}
