import type { Profile } from "../../openapi/gaps/profile.js";
import { type CompareSortKeys, sortKeyComparison } from "./sort-key-order.js";

/** The `sortKeyCondition` of a query (part 4.2 rule 3). Bounds of `between` are included. */
export type SortKeyCondition =
  | { readonly kind: "eq" | "lt" | "lte" | "gt" | "gte"; readonly value: string }
  | { readonly kind: "beginsWith"; readonly prefix: string }
  | { readonly kind: "between"; readonly low: string; readonly high: string }
  | { readonly kind: "nothing" };

/** What the specification leaves open about the text of a condition. */
export type SortKeyConditionRules = Pick<
  Profile,
  "between-split" | "between-reversed" | "empty-sort-key" | "sort-key-order" | "unknown-sort-key-condition"
>;

/** A `sortKeyCondition` that is refused; the message is fit for the caller of the API. */
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
 * @returns nothing for a text that the rules take for no condition at all
 * @throws {SortKeyConditionError} for a text that they refuse
 */
export function parseSortKeyCondition(
  text: string,
  rules: SortKeyConditionRules,
): SortKeyCondition | undefined {
  if (text === "" && rules["empty-sort-key"] === "absent") return undefined;
  for (const [operator, kind] of comparisons)
    if (text.startsWith(operator)) return { kind, value: checked(text.slice(operator.length), rules) };
  if (text.startsWith("begins_with:"))
    return { kind: "beginsWith", prefix: checked(text.slice("begins_with:".length), rules) };
  const bounds = text.startsWith("between:") ? text.slice("between:".length) : "";
  return bounds.includes(":") ? between(bounds, rules) : unknown(text, rules);
}

function checked(value: string, rules: SortKeyConditionRules): string {
  if (value === "" && rules["empty-sort-key"] === "refused")
    throw new SortKeyConditionError("a value of sortKeyCondition must not be empty: no sort key is");
  return value;
}

function unknown(text: string, rules: SortKeyConditionRules): SortKeyCondition | undefined {
  switch (rules["unknown-sort-key-condition"]) {
    case "ignored":
      return undefined;
    case "selects-nothing":
      return { kind: "nothing" };
    case "refused":
      throw new SortKeyConditionError(
        text.startsWith("between:") ? "between needs two bounds: between:low:high" : formats,
      );
  }
}

function between(bounds: string, rules: SortKeyConditionRules): SortKeyCondition {
  const [low, high] = split(bounds, rules["between-split"]);
  const range = { kind: "between", low: checked(low, rules), high: checked(high, rules) } as const;
  if (sortKeyComparison(rules["sort-key-order"])(low, high) <= 0) return range;
  const others = bounds.length - bounds.replaceAll(":", "").length - 1;
  if (rules["between-split"] === "middle" && others > 0)
    throw new SortKeyConditionError(
      `between:low:high is split at the middle colon, which leaves ${JSON.stringify(low)} as low, above ` +
        `${JSON.stringify(high)} as high. Give both bounds equally many colons, and the lower one first.`,
    );
  if (rules["between-reversed"] === "refused")
    throw new SortKeyConditionError("the low of between:low:high must not be above its high");
  return range;
}

/** Both bounds: which colon stands between them is open where there are several (gap `between-split`). */
function split(bounds: string, way: SortKeyConditionRules["between-split"]): readonly [string, string] {
  const parts = bounds.split(":");
  const colons = parts.length - 1;
  if (way === "refused" && colons > 1)
    throw new SortKeyConditionError("the bounds of between:low:high must not have colons themselves");
  if (way === "middle" && colons % 2 === 0)
    throw new SortKeyConditionError(
      `between:low:high is split at the middle colon, and there is none: the bounds and the colon between them ` +
        `have ${colons} colons, which must be an odd number. Give both bounds equally many colons.`,
    );
  const at = way === "first" ? 1 : way === "last" ? colons : parts.length / 2;
  return [parts.slice(0, at).join(":"), parts.slice(at).join(":")];
}

/**
 * Whether the condition selects a sort key, by an order of sort keys.
 *
 * @param sk the empty text for an item without sort key
 * @param noSortKey whether such an item is below every sort key, or in no range
 */
export function matchesSortKey(
  condition: SortKeyCondition,
  sk: string,
  compare: CompareSortKeys,
  noSortKey: Profile["no-sort-key-in-range"],
): boolean {
  const isBelow = condition.kind === "lt" || condition.kind === "lte";
  if (sk === "" && !(isBelow && noSortKey === "below")) return false;
  switch (condition.kind) {
    case "eq":
      return sk === condition.value;
    case "lt":
      return compare(sk, condition.value) < 0;
    case "lte":
      return compare(sk, condition.value) <= 0;
    case "gt":
      return compare(sk, condition.value) > 0;
    case "gte":
      return compare(sk, condition.value) >= 0;
    case "beginsWith":
      return sk.startsWith(condition.prefix);
    case "between":
      return compare(sk, condition.low) >= 0 && compare(sk, condition.high) <= 0;
    case "nothing":
      return false;
  }
}
