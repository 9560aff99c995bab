/** The forms of `sortKeyCondition` (part 4.2 rule 3). */
export const sortKeyForms = ["=", "<", "<=", ">", ">=", "begins_with", "between"] as const;
export type SortKeyForm = (typeof sortKeyForms)[number];

/** One condition; `high` belongs to `between` alone. */
export interface SortKeyCondition {
  readonly form: SortKeyForm;
  readonly value: string;
  readonly high?: string;
}

/** The text of a condition as a request carries it. */
export function conditionText({ form, value, high }: SortKeyCondition): string {
  return [form, value, ...(form === "between" ? [high ?? ""] : [])].join(":");
}

/** Whether a condition selects a sort key; an item without one is selected by none. */
export function selects({ form, value, high = "" }: SortKeyCondition, sk: string | null): boolean {
  if (sk === null) return false;
  const order = compareUtf8(sk, value);
  switch (form) {
    case "=":
      return order === 0;
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
    case "begins_with":
      return sk.startsWith(value);
    case "between":
      return order >= 0 && compareUtf8(sk, high) <= 0;
  }
}

/** The order of sort keys: that of their UTF-8 bytes, which is that of code points. */
export function compareUtf8(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
