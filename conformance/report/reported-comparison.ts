import { parse, stringify } from "lossless-json";
import type { Comparison } from "../client/comparison.js";
import { type Difference, differencesOf } from "./differences.js";

/** Two values that should be the same, and where they are not. */
export interface ReportedComparison {
  /** What is compared, in words. */
  readonly what: string;
  /** JSON in lines, as the rest; nothing for a value that should not be there. */
  readonly expected?: string;
  /** Nothing for a value that is not there. */
  readonly seen?: string;
  /** The first places in which they differ. */
  readonly differences: readonly Difference[];
  /** In how many places they differ. */
  readonly differenceCount: number;
}

/** Differences that a report holds; who wants all has both values. */
const mostDifferences = 50;

/** Finds out where two values differ. */
export function reportComparison({ what, expected, seen }: Comparison): ReportedComparison {
  const differences = differencesOf(expected, seen);
  return {
    what,
    ...(expected === undefined ? {} : { expected: inLines(expected) }),
    ...(seen === undefined ? {} : { seen: inLines(seen) }),
    differences: differences.slice(0, mostDifferences),
    differenceCount: differences.length,
  };
}

/** JSON with a line for each value, every digit as it was. */
export function inLines(json: string): string {
  return stringify(parse(json), null, 2) ?? json;
}
