/** How a cost may grow with what it is for. */
export type AllowedGrowth = "constant" | "n log n";

/** Sizes as multiples of the smallest. */
export const growthFactors = [1, 2, 4, 8] as const;

/** What is cheaper at the largest size is no finding: milliseconds of processor time. */
export const worthReporting = 20;

/**
 * From the second size to the last, which is four times as large. What is linear costs four times as much, n log n
 * hardly five times, n² sixteen times, and what does not depend on the size as much as before; the rest is for what
 * disturbs.
 */
const maxGrowth: Readonly<Record<AllowedGrowth, number>> = { constant: 2.2, "n log n": 8.5 };

/** Whether costs at the {@link growthFactors}, in milliseconds, grow faster than they may. */
export function growsTooFast(costs: readonly number[], allowed: AllowedGrowth): boolean {
  const [, second = 0, , last = 0] = costs;
  return last >= worthReporting && last > maxGrowth[allowed] * second;
}
