import { isLosslessNumber, type LosslessNumber, parse, stringify } from "lossless-json";
import { toCanonicalJson, stringifyJson, isJsonObject } from "../client/json-text.js";
import type { ValueComparison } from "../client/value-comparison.js";

/** One place in which two values differ. */
export interface ValueDifference {
  /** The place in JavaScript notation, such as `.rows[3].total`; empty for the whole value. */
  readonly path: string;
  /** The expected JSON; undefined if no value was expected. */
  readonly expected?: string;
  /** The received JSON; undefined if the value is missing. */
  readonly actual?: string;
}

/** Two values that should be equal, and where they differ. */
export interface ReportedComparison extends ValueComparison {
  /** The first places in which they differ. */
  readonly differences: readonly ValueDifference[];
  /** Number of places in which they differ. */
  readonly differenceCount: number;
}

/** Maximum number of differences in a report; a report also contains both values in full. */
const maxDifferences = 50;

/** Finds where two values differ, and formats both with a line for each value in them. */
export function toReportedComparison({ what, expected, actual }: ValueComparison): ReportedComparison {
  let differences: readonly ValueDifference[] = [];
  try {
    differences = findDifferences(expected, actual);
  } catch (error) {
    // The values are nested too deeply.
    if (!(error instanceof RangeError)) throw error;
  }
  return {
    what,
    expected: expected && formatJsonLines(expected),
    actual: actual && formatJsonLines(actual),
    differences: differences.slice(0, maxDifferences),
    differenceCount: differences.length,
  };
}

/** Formats JSON with a line for each value, keeping every digit. */
export function formatJsonLines(json: string): string {
  try {
    return stringify(parse(json), null, 2) ?? json;
  } catch (error) {
    // The text is not JSON, or it is nested too deeply.
    if (error instanceof SyntaxError || error instanceof RangeError) return json;
    throw error;
  }
}

/**
 * Finds where two JSON texts differ, ignoring number notation and the order of fields. Equal entries at the beginning and
 * end of lists are skipped, so that after a missing entry, later entries do not differ. Numbers that are equal as doubles
 * count only if nothing else differs.
 *
 * @param expected the expected value; undefined if no value was expected
 * @param actual the received value; undefined if it is missing
 */
export function findDifferences(
  expected: string | undefined,
  actual: string | undefined,
): readonly ValueDifference[] {
  const found: ValueDifference[] = [];
  const values = [expected, actual].map((text) => (text === undefined ? undefined : parse(text)));
  collect("", values[0], values[1], found);
  const significant = found.filter((difference) => !isRounding(difference));
  return significant.length > 0 ? significant : found;
}

function collect(path: string, expected: unknown, actual: unknown, found: ValueDifference[]): void {
  if (isSame(expected, actual)) return;
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const { start, end } = countCommon(
      expected.map((entry) => toCanonicalJson(entry)),
      actual.map((entry) => toCanonicalJson(entry)),
    );
    const [left = [], right = []] = [expected, actual].map((list: unknown[]) =>
      list.slice(start, list.length - end),
    );
    for (let n = 0; n < Math.max(left.length, right.length); n++)
      collect(`${path}[${start + n}]`, left[n], right[n], found);
    return;
  }
  if (isJsonObject(expected) && isJsonObject(actual)) {
    for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)]))
      collect(path + formatStep(name), getOwnField(expected, name), getOwnField(actual, name), found);
    return;
  }
  found.push({
    path,
    ...(expected === undefined ? {} : { expected: stringifyJson(expected) }),
    ...(actual === undefined ? {} : { actual: stringifyJson(actual) }),
  });
}

/** Counts the equal entries at the beginnings of two lists, and the equal entries at the ends of the rest. */
function countCommon(left: readonly string[], right: readonly string[]) {
  const shortest = Math.min(left.length, right.length);
  let start = 0;
  while (start < shortest && left[start] === right[start]) start++;
  let end = 0;
  while (end < shortest - start && left.at(-1 - end) === right.at(-1 - end)) end++;
  return { start, end };
}

function isSame(expected: unknown, actual: unknown): boolean {
  return expected === undefined || actual === undefined
    ? expected === actual
    : toCanonicalJson(expected) === toCanonicalJson(actual);
}

/** Whether two numbers differ only in digits beyond the precision of a double. */
function isRounding({ expected, actual }: ValueDifference): boolean {
  const [left, right] = [expected, actual].map((text) => (text === undefined ? undefined : parse(text)));
  const round = ({ value }: LosslessNumber) => Number(value) + 0;
  return isLosslessNumber(left) && isLosslessNumber(right) && round(left) === round(right);
}

/** Returns an own property, because plain access finds `constructor` in every object. */
function getOwnField(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function formatStep(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** A text in three parts: the middle part differs. */
export interface MarkedDifference {
  readonly before: string;
  readonly differs: string;
  readonly after: string;
}

/** Number of equal characters that are shown beside a difference. */
const contextLength = 32;
/** Maximum number of differing characters that are shown. */
const maxShown = 200;

/** Returns the differing parts of two texts, with a few characters before and after them. */
export function markDifference(
  expected: string,
  actual: string,
): { readonly expected: MarkedDifference; readonly actual: MarkedDifference } {
  // The texts are split into characters, so that none is cut in half.
  const [left, right] = [Array.from(expected), Array.from(actual)];
  const { start, end } = countCommon(left, right);
  const mark = (text: readonly string[]): MarkedDifference => {
    const [before, differs, after] = [
      text.slice(0, start),
      text.slice(start, text.length - end),
      text.slice(text.length - end),
    ];
    return {
      before: before.length > contextLength ? `…${before.slice(-contextLength).join("")}` : before.join(""),
      differs: differs.length > maxShown ? `${differs.slice(0, maxShown).join("")}…` : differs.join(""),
      after: after.length > contextLength ? `${after.slice(0, contextLength).join("")}…` : after.join(""),
    };
  };
  return { expected: mark(left), actual: mark(right) };
}
