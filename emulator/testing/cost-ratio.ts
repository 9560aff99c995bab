import { performance } from "node:perf_hooks";

/**
 * How many times as much one piece of work costs as another: the least time of each, taken in turns, so that neither the
 * speed of the machine nor what else it does decides.
 */
export function costRatio(small: () => unknown, large: () => unknown, turns = 7): number {
  let least = Infinity;
  let leastOfLarge = Infinity;
  for (let turn = 0; turn < turns; turn += 1) {
    least = Math.min(least, timeOf(small));
    leastOfLarge = Math.min(leastOfLarge, timeOf(large));
  }
  return leastOfLarge / least;
}

function timeOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
