import { measureProcessorMs } from "./measure-processor-ms.js";

/**
 * Returns the ratio of the CPU times of two functions. Runs them alternately and uses the minimum of each, so that the
 * result does not depend on the speed of the machine or on other processes.
 */
export function measureCostRatio(small: () => unknown, large: () => unknown, turns = 7): number {
  // a microsecond, the resolution of CPU time
  const shortest = 0.001;
  let least = Infinity;
  let leastOfLarge = Infinity;
  for (let turn = 0; turn < turns; turn += 1) {
    least = Math.min(least, measureProcessorMs(small));
    leastOfLarge = Math.min(leastOfLarge, measureProcessorMs(large));
  }
  return leastOfLarge / Math.max(least, shortest);
}
