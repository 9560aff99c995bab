import { stringifyJson } from "./json-text.js";

/** Two values that should be equal, both as JSON with unchanged numbers. */
export interface ValueComparison {
  /** What is compared, in words. */
  readonly what: string;
  /** The expected JSON; undefined if no value was expected. */
  readonly expected?: string;
  /** The received JSON; undefined if there is no value. */
  readonly seen?: string;
}

/** Creates a comparison of two values; a value that is not JSON is shown as text. */
export function createValueComparison(what: string, expected: unknown, seen: unknown): ValueComparison {
  return {
    what,
    ...(expected === undefined ? {} : { expected: stringifyJson(expected) }),
    ...(seen === undefined ? {} : { seen: stringifyJson(seen) }),
  };
}
