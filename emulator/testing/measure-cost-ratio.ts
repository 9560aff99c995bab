import { measureProcessorMs } from "./measure-processor-ms.js";

/**
 * How many times as much one piece of work costs as another: the least CPU time of each, taken in turns, so that
 * neither the speed of the machine nor what else it does decides.
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
