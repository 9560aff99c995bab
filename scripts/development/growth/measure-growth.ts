import { type AllowedGrowth, growsTooFast, growthFactors, worthReporting } from "./judge-growth.js";

/** What a case cost at the growth factors, in milliseconds of processor time. */
export interface Growth {
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
): Promise<Growth> {
  const sizes = growthFactors.map((factor) => factor * smallest);
  // most cases cost nothing at any size
  const first = await costAt(sizes.at(-1) ?? smallest);
  let costs = sizes.map(() => first);
  if (first < worthReporting) return { costs, isTooFast: false };
  for (const tries of looks) {
    costs = [];
    for (const size of sizes) costs.push(await least(() => costAt(size), tries));
    if (!growsTooFast(costs, allowed)) return { costs, isTooFast: false };
  }
  return { costs, isTooFast: true };
}

/** Whatever disturbs makes a measurement larger, never smaller. */
async function least(measure: () => Promise<number>, tries: number): Promise<number> {
  let found = Infinity;
  for (let time = 0; time < tries; time += 1) found = Math.min(found, await measure());
  return found;
}

/** Processor time that some work takes, in milliseconds. */
export async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
