import type { Profile } from "../../openapi/gaps/profile.js";
import { compareUtf8 } from "../json/utf8-order.js";
import { getPrefixUpperBound } from "./prefix-upper-bound.js";
import { createInvalidBodyProblem } from "./problem.js";

/** A bound of a range of sort keys. */
interface KeyBound {
  readonly value: string;
  readonly inclusive: boolean;
}

/** Sort keys between two bounds, in UTF-8 byte order; a missing bound is open. */
export interface KeyRange {
  readonly lower?: KeyBound;
  readonly upper?: KeyBound;
}

/** Longer than any condition with two keys. */
const maxLength = 1024 * 1024;

/** Excludes items without a sort key, which are stored with the empty string. */
const afterEmpty = { value: "", inclusive: false } as const;

/** The operators with one value, `<=:` before `<:`. No range includes an item without a sort key. */
const operators: readonly (readonly [operator: string, toRange: (value: string) => KeyRange])[] = [
  ["<=:", (value) => ({ lower: afterEmpty, upper: { value, inclusive: true } })],
  [">=:", (value) => ({ lower: { value, inclusive: true } })],
  ["=:", (value) => createClosedRange(value, value)],
  ["<:", (value) => ({ lower: afterEmpty, upper: { value, inclusive: false } })],
  [">:", (value) => ({ lower: { value, inclusive: false } })],
  ["begins_with:", createPrefixRange],
];

const formats =
  "sortKeyCondition must be one of =:value, <:value, <=:value, >:value, >=:value, begins_with:prefix, between:low:high";

/**
 * Parses a `sortKeyCondition` (part 4.2 rule 3) into the range of sort keys that it selects. Values may contain colons
 * and spaces.
 *
 * @param betweenSplit the answer to gap `between-split`
 * @throws a problem `validation-failed`
 */
export function parseSortKeyCondition(text: string, betweenSplit: Profile["between-split"]): KeyRange {
  if (text.length > maxLength) refuse(`sortKeyCondition must have at most ${maxLength} characters`);
  for (const [operator, toRange] of operators)
    if (text.startsWith(operator)) return toRange(assertNotEmpty(text.slice(operator.length)));
  const bounds = text.startsWith("between:") ? text.slice("between:".length) : "";
  if (bounds.includes(":")) return parseBetween(bounds, betweenSplit);
  return refuse(text.startsWith("between:") ? "between needs two bounds: between:low:high" : formats);
}

function createClosedRange(low: string, high: string): KeyRange {
  return { lower: { value: low, inclusive: true }, upper: { value: high, inclusive: true } };
}

function createPrefixRange(prefix: string): KeyRange {
  const lower = { value: prefix, inclusive: true };
  const upper = getPrefixUpperBound(prefix);
  return upper === undefined ? { lower } : { lower, upper: { value: upper, inclusive: false } };
}

function assertNotEmpty(value: string): string {
  return value === ""
    ? refuse("a value in sortKeyCondition must not be empty, because sort keys are never empty")
    : value;
}

function parseBetween(bounds: string, answer: Profile["between-split"]): KeyRange {
  const [low, high] = splitBounds(bounds, answer);
  const range = createClosedRange(assertNotEmpty(low), assertNotEmpty(high));
  const hasOneColon = bounds.split(":").length === 2;
  if (answer === "middle" && !hasOneColon && compareUtf8(low, high) > 0)
    refuse(
      `between:low:high is split at the middle colon, which makes the lower bound ${JSON.stringify(low)} greater than ` +
        `the upper bound ${JSON.stringify(high)}. Use the same number of colons in both bounds, and put the lower bound first.`,
    );
  return range;
}

/** Splits the bounds. If there are several colons, gap `between-split` decides which one separates them. */
function splitBounds(bounds: string, answer: Profile["between-split"]): readonly [string, string] {
  const parts = bounds.split(":");
  const colons = parts.length - 1;
  if (answer === "refused" && colons > 1) refuse("the bounds of between:low:high must not contain colons");
  if (answer === "middle" && colons % 2 === 0)
    refuse(
      `between:low:high is split at the middle colon, so the number of colons after "between:" must be odd, but ` +
        `there are ${colons}. Use the same number of colons in both bounds.`,
    );
  const at = answer === "first" ? 1 : answer === "last" ? colons : parts.length / 2;
  return [parts.slice(0, at).join(":"), parts.slice(at).join(":")];
}

function refuse(detail: string): never {
  throw createInvalidBodyProblem("/sortKeyCondition", detail);
}
