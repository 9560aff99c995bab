import { parse, stringify } from "lossless-json";
import type { ValueComparison } from "../client/value-comparison.js";
import { type ValueDifference, findDifferences } from "./differences.js";

/** Two values that should be the same, and where they are not. */
export interface ReportedComparison {
  /** What is compared, in words. */
  readonly what: string;
  /** JSON in lines, as the rest; nothing for a value that should not be there. */
  readonly expected?: string;
  /** Nothing for a value that is not there. */
  readonly seen?: string;
  /** The first places in which they differ. */
  readonly differences: readonly ValueDifference[];
  /** In how many places they differ. */
  readonly differenceCount: number;
}

/** Differences that a report holds; who wants all has both values. */
const maxDifferences = 50;

/** Finds out where two values differ. */
export function toReportedComparison({ what, expected, seen }: ValueComparison): ReportedComparison {
  const differences = differencesWithin(expected, seen);
  return {
    what,
    ...(expected === undefined ? {} : { expected: formatLines(expected) }),
    ...(seen === undefined ? {} : { seen: formatLines(seen) }),
    differences: differences.slice(0, maxDifferences),
    differenceCount: differences.length,
  };
}

/** The differences; none of values that nest deeper than can be gone through. */
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

/** JSON with a line for each value, every digit as it was. */
export function formatLines(json: string): string {
  try {
    return stringify(parse(json), null, 2) ?? json;
  } catch (error) {
    // no JSON, or deeper than can be gone through
    if (error instanceof SyntaxError || error instanceof RangeError) return json;
    throw error;
  }
}
