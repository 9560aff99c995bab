import { parse, stringify } from "lossless-json";
import type { ValueComparison } from "../client/value-comparison.js";
import { type ValueDifference, findDifferences } from "./differences.js";

/** Two values that should be equal, and where they differ. */
export interface ReportedComparison {
  /** What is compared, in words. */
  readonly what: string;
  /** The expected value as JSON in lines; undefined if no value was expected. */
  readonly expected?: string;
  /** The received value as JSON in lines; undefined if the value is missing. */
  readonly seen?: string;
  /** The first places in which they differ. */
  readonly differences: readonly ValueDifference[];
  /** Number of places in which they differ. */
  readonly differenceCount: number;
}

/** Maximum number of differences in a report; a report also contains both values in full. */
const maxDifferences = 50;

/** Finds out where two values differ. */
export function toReportedComparison({ what, expected, seen }: ValueComparison): ReportedComparison {
  const differences = differencesWithin(expected, seen);
  return {
    what,
    ...(expected === undefined ? {} : { expected: formatJsonLines(expected) }),
    ...(seen === undefined ? {} : { seen: formatJsonLines(seen) }),
    differences: differences.slice(0, maxDifferences),
    differenceCount: differences.length,
  };
}

/** Finds the differences; returns none for values that are nested too deeply. */
function differencesWithin(
  expected: string | undefined,
  seen: string | undefined,
): readonly ValueDifference[] {
  try {
    return findDifferences(expected, seen);
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

/** Formats JSON with a line for each value, keeping every digit. */
export function formatJsonLines(json: string): string {
  try {
    return stringify(parse(json), null, 2) ?? json;
  } catch (error) {
    // no JSON, or deeper than can be gone through
    if (error instanceof SyntaxError || error instanceof RangeError) return json;
    throw error;
  }
}
