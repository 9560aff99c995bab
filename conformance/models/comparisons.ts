/** The comparison operators of item conditions, sort-key conditions and SQL, with their meanings. */
export const comparisons = {
  "=": (a: number, b: number) => a === b,
  "<": (a: number, b: number) => a < b,
  "<=": (a: number, b: number) => a <= b,
  ">": (a: number, b: number) => a > b,
  ">=": (a: number, b: number) => a >= b,
} as const;
export type ComparisonOperator = keyof typeof comparisons;
export const comparisonOperators = Object.keys(comparisons) as ComparisonOperator[];
