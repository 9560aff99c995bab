import { compareUtf8 } from "../json/utf8-order.js";

/** The `sortKeyCondition` of a query (part 4.2 rule 3). Bounds of `between` are included. */
export type SortKeyCondition =
  | { readonly kind: "eq" | "lt" | "lte" | "gt" | "gte"; readonly value: string }
  | { readonly kind: "beginsWith"; readonly prefix: string }
  | { readonly kind: "between"; readonly low: string; readonly high: string };

/** A `sortKeyCondition` in none of the documented formats; the message is fit for the caller of the API. */
export class SortKeyConditionError extends Error {
  override readonly name = "SortKeyConditionError";
}

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
 * The meaning of a `sortKeyCondition`. Values are taken as they are, colons and spaces included.
 *
 * `between:low:high` is split at the middle colon, so bounds with equally many colons work
 * (`between:2024-01-01T00:00:00Z:2024-02-01T00:00:00Z`).
 *
 * @throws {SortKeyConditionError} for any other format, and for a `between` that has no middle colon
 */
export function parseSortKeyCondition(text: string): SortKeyCondition {
  for (const [operator, kind] of comparisons) {
    if (text.startsWith(operator)) return { kind, value: text.slice(operator.length) };
  }
  if (text.startsWith("begins_with:"))
    return { kind: "beginsWith", prefix: text.slice("begins_with:".length) };
  if (text.startsWith("between:")) return between(text.slice("between:".length));
  throw new SortKeyConditionError(formats);
}

function between(bounds: string): SortKeyCondition {
  const parts = bounds.split(":");
  const colons = parts.length - 1;
  if (colons % 2 === 0) {
    throw new SortKeyConditionError(
      colons === 0
        ? "between needs two bounds: between:low:high"
        : `between:low:high is split at the middle colon, and there is none: the bounds and the colon between them ` +
            `have ${colons} colons, which must be an odd number. Give both bounds equally many colons.`,
    );
  }
  const middle = parts.length / 2;
  return { kind: "between", low: parts.slice(0, middle).join(":"), high: parts.slice(middle).join(":") };
}

/** Whether a sort key meets the condition, by the order of UTF-8 bytes. Items without a sort key meet none. */
export function matchesSortKey(condition: SortKeyCondition, sk: string): boolean {
  switch (condition.kind) {
    case "eq":
      return sk === condition.value;
    case "lt":
      return compareUtf8(sk, condition.value) < 0;
    case "lte":
      return compareUtf8(sk, condition.value) <= 0;
    case "gt":
      return compareUtf8(sk, condition.value) > 0;
    case "gte":
      return compareUtf8(sk, condition.value) >= 0;
    case "beginsWith":
      return sk.startsWith(condition.prefix);
    case "between":
      return compareUtf8(sk, condition.low) >= 0 && compareUtf8(sk, condition.high) <= 0;
  }
}
