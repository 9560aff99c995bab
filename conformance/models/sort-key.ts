import { comparisonOperators, comparisons } from "./comparisons.js";

/** The forms of `sortKeyCondition` (part 4.2 rule 3). */
export const sortKeyOperators = [...comparisonOperators, "begins_with", "between"] as const;
export type SortKeyOperator = (typeof sortKeyOperators)[number];

/** One condition; only `between` has `high`. */
export interface SortKeyCondition {
  readonly form: SortKeyOperator;
  readonly value: string;
  readonly high?: string;
}

/** Formats a condition as in a request. */
export function formatSortKeyCondition({ form, value, high }: SortKeyCondition): string {
  return [form, value, ...(form === "between" ? [high ?? ""] : [])].join(":");
}

/**
 * Whether a condition selects a sort key; undefined if the specification can be read in different ways. An item without a
 * sort key may come before all other items, and sort keys may be ordered by bytes or by the rules of a language.
 */
export function matchesSortKey(condition: SortKeyCondition, sk: string | null): boolean | undefined {
  if (sk === null) return condition.form === "<" || condition.form === "<=" ? undefined : false;
  const [first, ...others] = orders.map((compare) => matchesSortKeyWithComparator(compare, condition, sk));
  return others.every((other) => other === first) ? first : undefined;
}

/** Whether a condition selects a sort key in a given order. */
export function matchesSortKeyWithComparator(
  compare: StringComparator,
  { form, value, high = "" }: SortKeyCondition,
  sk: string,
): boolean {
  const order = compare(sk, value);
  // Equality and prefixes do not depend on the order.
  if (form === "=") return sk === value;
  if (form === "begins_with") return sk.startsWith(value);
  if (form === "between") return order >= 0 && compare(sk, high) <= 0;
  return comparisons[form](order, 0);
}

/** Whether the bounds of a `between` may be in the wrong order, so that the condition may be refused. */
export function mayHaveReversedBounds({ form, value, high = "" }: SortKeyCondition): boolean {
  return form === "between" && orders.some((compare) => compare(value, high) > 0);
}

export type StringComparator = (a: string, b: string) => number;

/** Compares texts by their UTF-8 bytes, which is the order of code points. */
export function compareUtf8(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function compareUtf16(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

const collations: readonly Intl.CollatorOptions[] = [
  {},
  { caseFirst: "upper" },
  { sensitivity: "base" },
  { ignorePunctuation: true },
];

/**
 * The possible orders of sort keys: by bytes, by UTF-16 code units, or by a collation, which may put capitals first or
 * ignore case, accents or punctuation.
 */
const orders: readonly StringComparator[] = [
  compareUtf8,
  compareUtf16,
  ...collations.map((options) => new Intl.Collator("en", options).compare),
];

/** Finds the first two adjacent sort keys that are in none of the known orders; undefined if there are none. */
export function findFirstUnsortedPair(sks: readonly string[]): readonly [string, string] | undefined {
  for (const [at, before] of sks.entries())
    for (const after of sks.slice(at + 1))
      if (orders.every((compare) => compare(before, after) > 0)) return [before, after];
  return undefined;
}
