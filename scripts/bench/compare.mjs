import { readdirSync, readFileSync } from "node:fs";

/**
 * Measures two functions alternately; returns the median of the ratios and of each function's CPU times in
 * milliseconds.
 */
export async function compare(first, second, rounds) {
  const pairs = [];
  for (let round = 0; round < rounds; round += 1) {
    // alternate the order, because the second function finds different caches
    const pair =
      round % 2 === 0 ? [await first(), await second()] : [await second(), await first()].reverse();
    pairs.push(pair);
  }
  return summarizePairs(pairs);
}

export function summarizePairs(pairs) {
  return {
    ms: median(pairs.map(([a]) => a)),
    "second, ms": median(pairs.map(([, b]) => b)),
    ratio: median(pairs.map(([a, b]) => a / b)),
  };
}

/**
 * Measures several kinds of servers alternately; returns the median and range of each figure, or undefined if a value
 * is missing.
 */
export async function measureAlternately(kinds, times, measure) {
  const samples = Object.fromEntries(kinds.map((kind) => [kind, []]));
  for (let time = 0; time < times; time += 1)
    for (const kind of kinds) samples[kind].push(await measure(kind, time));
  return Object.fromEntries(kinds.map((kind) => [kind, summarizeSamples(samples[kind])]));
}

/** Returns the median and range of each figure in some samples. */
export function summarizeSamples(samples) {
  const spread = (figures) =>
    figures.includes(undefined)
      ? undefined
      : { median: median(figures), least: Math.min(...figures), most: Math.max(...figures) };
  return Object.fromEntries(
    Object.keys(samples[0]).map((name) => [name, spread(samples.map((sample) => sample[name]))]),
  );
}

/** Returns the CPU time of this process so far, in milliseconds. */
export function getCpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

export function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/**
 * Returns the CPU time of a process so far, in milliseconds and for all threads; undefined except on Linux. Unlike the
 * number of requests per second, it hardly depends on other processes.
 */
export function readProcessCpuMs(pid) {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const nanoseconds = threads.map((thread) =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ", 1)[0]),
    );
    return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6;
  } catch {
    return undefined;
  }
}
