/** How a cost may grow with what it is for. */
export type AllowedGrowth = "constant" | "n log n";

/** Sizes as multiples of the smallest. */
export const growthFactors = [1, 2, 4, 8] as const;

/** What is cheaper at the largest size is no finding: milliseconds of CPU time. */
const worthReporting = 20;

/**
 * From the second size to the last, which is four times as large. What is linear costs four times as much, n log n
 * hardly five times, n² sixteen times, and what does not depend on the size as much as before; the rest is for what
 * disturbs.
 */
const maxGrowth: Readonly<Record<AllowedGrowth, number>> = { constant: 2.2, "n log n": 8.5 };

/** Whether costs at the {@link growthFactors}, in milliseconds, grow faster than they may. */
export function isGrowthTooFast(costs: readonly number[], allowed: AllowedGrowth): boolean {
  const [, second = 0, , last = 0] = costs;
  return last >= worthReporting && last > maxGrowth[allowed] * second;
}

/** What a case cost at the growth factors, in milliseconds of CPU time. */
export interface GrowthMeasurement {
  readonly costs: readonly number[];
  readonly isTooFast: boolean;
}

/** How often a cost is measured that looks too high, and how often one that still does. */
const looks = [3, 9] as const;

/**
 * Measures what a case costs, with more care the more it looks like a finding.
 *
 * @param costAt measures once at a size, in milliseconds
 */
export async function measureGrowth(
  costAt: (size: number) => Promise<number>,
  smallest: number,
  allowed: AllowedGrowth,
): Promise<GrowthMeasurement> {
  const sizes = growthFactors.map((factor) => factor * smallest);
  // most cases cost nothing at any size
  const first = await costAt(sizes.at(-1) ?? smallest);
  let costs = sizes.map(() => first);
  if (first < worthReporting) return { costs, isTooFast: false };
  for (const tries of looks) {
    costs = [];
    for (const size of sizes) {
      // whatever disturbs makes a measurement larger, never smaller
      let least = Infinity;
      for (let time = 0; time < tries; time += 1) least = Math.min(least, await costAt(size));
      costs.push(least);
    }
    if (!isGrowthTooFast(costs, allowed)) return { costs, isTooFast: false };
  }
  return { costs, isTooFast: true };
}

/** Processor time that some work takes, in milliseconds. */
export async function measureCpuTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
