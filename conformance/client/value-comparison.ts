import { stringifyJson } from "./json-text.js";

/** Two values that should be the same, both in one form: JSON with numbers as they were sent. */
export interface ValueComparison {
  /** What is compared, in words. */
  readonly what: string;
  /** JSON; nothing for a value that should not be there. */
  readonly expected?: string;
  /** JSON; nothing for a value that is not there. */
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
