import { readdirSync, readFileSync } from "node:fs";

/** Measures both sides in turns: the median of the ratios and of the milliseconds of CPU time of each side. */
export async function compare(first, second, rounds) {
  const pairs = [];
  for (let round = 0; round < rounds; round += 1) {
    // the second side finds other caches
    const pair =
      round % 2 === 0 ? [await first(), await second()] : [await second(), await first()].reverse();
    pairs.push(pair);
  }
  return ofPairs(pairs);
}

export function ofPairs(pairs) {
  return {
    ms: median(pairs.map(([a]) => a)),
    "beside, ms": median(pairs.map(([, b]) => b)),
    ratio: median(pairs.map(([a, b]) => a / b)),
  };
}

/** Measures each kind several times, all by turns: median and range of every figure, undefined where one is missing. */
export async function takeTurns(kinds, times, measure) {
  const samples = Object.fromEntries(kinds.map((kind) => [kind, []]));
  for (let time = 0; time < times; time += 1)
    for (const kind of kinds) samples[kind].push(await measure(kind, time));
  return Object.fromEntries(kinds.map((kind) => [kind, spreadEach(samples[kind])]));
}

/** Median and range of every figure of some samples. */
export function spreadEach(samples) {
  const spread = (figures) =>
    figures.includes(undefined)
      ? undefined
      : { median: median(figures), least: Math.min(...figures), most: Math.max(...figures) };
  return Object.fromEntries(
    Object.keys(samples[0]).map((name) => [name, spread(samples.map((sample) => sample[name]))]),
  );
}

/** Processor time of this process so far, in milliseconds. */
export function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

export function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/**
 * Milliseconds of CPU time that a process has taken so far, all its threads together; nothing where the system
 * does not tell (it does on Linux). Unlike requests per second it hardly moves when others use the machine as well.
 */
export function cpuMsOf(pid) {
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
