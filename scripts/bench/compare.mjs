/** Measures both by turns: the median of the ratios, and of each side in milliseconds of processor time. */
export async function compare(first, second, rounds) {
  const pairs = [];
  for (let round = 0; round < rounds; round += 1) {
    // whoever comes second finds other caches
    const pair =
      round % 2 === 0 ? [await first(), await second()] : [await second(), await first()].reverse();
    pairs.push(pair);
  }
  return ofPairs(pairs);
}

export function ofPairs(pairs) {
  return {
    ratio: median(pairs.map(([a, b]) => a / b)),
    ms: median(pairs.map(([a]) => a)),
    besideMs: median(pairs.map(([, b]) => b)),
  };
}

/** Milliseconds of processor time that this process has taken so far. */
export function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

export function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
