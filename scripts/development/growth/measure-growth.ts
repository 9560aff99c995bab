/** How fast a cost may grow with a size. */
export type AllowedGrowth = "constant" | "n log n";

/** Sizes as multiples of the smallest. */
export const growthFactors = [1, 2, 4, 8] as const;

/** Minimum cost to report at the largest size, in milliseconds of CPU time. */
const minReportedCost = 20;

/**
 * Maximum ratio of the cost at the largest size to the cost at the second size, which is a quarter of it. Without noise,
 * the ratio would be 1 for constant costs, 4 for linear costs, almost 5 for n log n, and 16 for n².
 */
const maxGrowth: Readonly<Record<AllowedGrowth, number>> = { constant: 2.2, "n log n": 8.5 };

/** Whether costs in milliseconds, one for each of the {@link growthFactors}, grow faster than allowed. */
export function isGrowthTooFast(costs: readonly number[], allowed: AllowedGrowth): boolean {
  const [, second = 0, , last = 0] = costs;
  return last >= minReportedCost && last > maxGrowth[allowed] * second;
}

export interface GrowthMeasurement {
  /** The cost for each of the {@link growthFactors}, in milliseconds of CPU time. */
  readonly costs: readonly number[];
  readonly isTooFast: boolean;
}

/** Number of measurements at each size, in the first and in the second attempt. */
const triesPerAttempt = [3, 9] as const;

/**
 * Measures how a cost grows. If it seems to grow too fast, measures it again, more often.
 *
 * @param costAt measures the cost once at a size, in milliseconds
 */
export async function measureGrowth(
  costAt: (size: number) => Promise<number>,
  smallest: number,
  allowed: AllowedGrowth,
): Promise<GrowthMeasurement> {
  const sizes = growthFactors.map((factor) => factor * smallest);
  // most cases are cheap at every size
  const first = await costAt(sizes.at(-1) ?? smallest);
  let costs = sizes.map(() => first);
  if (first < minReportedCost) return { costs, isTooFast: false };
  for (const tries of triesPerAttempt) {
    costs = [];
    for (const size of sizes) {
      // noise makes measurements larger, never smaller
      let least = Infinity;
      for (let time = 0; time < tries; time += 1) least = Math.min(least, await costAt(size));
      costs.push(least);
    }
    if (!isGrowthTooFast(costs, allowed)) return { costs, isTooFast: false };
  }
  return { costs, isTooFast: true };
}

/** Measures the CPU time of asynchronous work in milliseconds. */
export async function measureCpuTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
