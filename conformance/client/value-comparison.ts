import { stringifyJson } from "./json-text.js";

/** Two values that should be equal, both as JSON with unchanged numbers. */
export interface ValueComparison {
  /** What is compared, in words. */
  readonly what: string;
  /** The expected JSON; undefined if no value was expected. */
  readonly expected?: string | undefined;
  /** The received JSON; undefined if there is no value. */
  readonly actual?: string | undefined;
}

/** Creates a comparison of two values; a value that is not JSON is shown as text. */
export function createValueComparison(what: string, expected: unknown, seen: unknown): ValueComparison {
  const stringify = (value: unknown) => (value === undefined ? undefined : stringifyJson(value));
  return { what, expected: stringify(expected), actual: stringify(seen) };
}
