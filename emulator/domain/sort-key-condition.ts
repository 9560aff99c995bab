import type { Profile } from "../../openapi/gaps/profile.js";
import { compareUtf8 } from "../json/utf8-order.js";

/** The `sortKeyCondition` of a query (part 4.2 rule 3). Bounds of `between` are included. */
export type SortKeyCondition =
  | { readonly kind: "eq" | "lt" | "lte" | "gt" | "gte"; readonly value: string }
  | { readonly kind: "beginsWith"; readonly prefix: string }
  | { readonly kind: "between"; readonly low: string; readonly high: string };

/** An invalid `sortKeyCondition`. The message is for the caller of the API. */
export class SortKeyConditionError extends Error {
  override readonly name = "SortKeyConditionError";
}

/** More than two keys can have. */
const maxLength = 1024 * 1024;

const comparisons = [
  // longest first: "<=:" must not be read as "<" and something else
  ["<=:", "lte"],
  [">=:", "gte"],
  ["=:", "eq"],
  ["<:", "lt"],
  [">:", "gt"],
] as const;

const formats =
  "sortKeyCondition must be one of =:value, <:value, <=:value, >:value, >=:value, begins_with:prefix, between:low:high";

/**
 * Parses a `sortKeyCondition`. Values may contain colons and spaces.
 *
 * @param betweenSplit the answer to gap `between-split`
 * @throws {SortKeyConditionError}
 */
export function parseSortKeyCondition(
  text: string,
  betweenSplit: Profile["between-split"],
): SortKeyCondition {
  if (text.length > maxLength)
    throw new SortKeyConditionError(`sortKeyCondition must have at most ${maxLength} characters`);
  for (const [operator, kind] of comparisons)
    if (text.startsWith(operator)) return { kind, value: assertNotEmpty(text.slice(operator.length)) };
  if (text.startsWith("begins_with:"))
    return { kind: "beginsWith", prefix: assertNotEmpty(text.slice("begins_with:".length)) };
  const bounds = text.startsWith("between:") ? text.slice("between:".length) : "";
  if (bounds.includes(":")) return parseBetween(bounds, betweenSplit);
  throw new SortKeyConditionError(
    text.startsWith("between:") ? "between needs two bounds: between:low:high" : formats,
  );
}

function assertNotEmpty(value: string): string {
  if (value === "")
    throw new SortKeyConditionError(
      "a value in sortKeyCondition must not be empty, because sort keys are never empty",
    );
  return value;
}

function parseBetween(bounds: string, way: Profile["between-split"]): SortKeyCondition {
  const [low, high] = splitBounds(bounds, way);
  const range = { kind: "between", low: assertNotEmpty(low), high: assertNotEmpty(high) } as const;
  const others = bounds.length - bounds.replaceAll(":", "").length - 1;
  if (way === "middle" && others > 0 && compareUtf8(low, high) > 0)
    throw new SortKeyConditionError(
      `between:low:high is split at the middle colon, which makes the lower bound ${JSON.stringify(low)} greater than ` +
        `the upper bound ${JSON.stringify(high)}. Use the same number of colons in both bounds, and put the lower bound first.`,
    );
  return range;
}

/** Splits the bounds. If there are several colons, gap `between-split` decides which one separates them. */
function splitBounds(bounds: string, way: Profile["between-split"]): readonly [string, string] {
  const parts = bounds.split(":");
  const colons = parts.length - 1;
  if (way === "refused" && colons > 1)
    throw new SortKeyConditionError("the bounds of between:low:high must not contain colons");
  if (way === "middle" && colons % 2 === 0)
    throw new SortKeyConditionError(
      `between:low:high is split at the middle colon, so the number of colons after "between:" must be odd, but ` +
        `there are ${colons}. Use the same number of colons in both bounds.`,
    );
  const at = way === "first" ? 1 : way === "last" ? colons : parts.length / 2;
  return [parts.slice(0, at).join(":"), parts.slice(at).join(":")];
}
