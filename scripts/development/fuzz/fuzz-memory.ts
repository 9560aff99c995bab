/** What a process held after a round, after garbage collection, when the world was as at the start. */
export interface MemorySample {
  readonly heapBytes: number;
  readonly residentBytes: number;
}

/** More than what caches with a bound may take, which are not full at once. */
const maxGrowth = { heapBytes: 48 * 1024 * 1024, residentBytes: 384 * 1024 * 1024 } as const;

/** Tells how memory grew from the first third of the samples to the last one, where it grew too much. */
export function memoryGrowth(samples: readonly MemorySample[]): string | undefined {
  const third = Math.floor(samples.length / 3);
  if (third < 3) return undefined;
  for (const kind of ["heapBytes", "residentBytes"] as const) {
    const least = (some: readonly MemorySample[]) => Math.min(...some.map((sample) => sample[kind]));
    const [from, to] = [least(samples.slice(0, third)), least(samples.slice(-third))];
    if (to - from > maxGrowth[kind])
      return `${kind} grew from ${megabytes(from)} to ${megabytes(to)} within ${samples.length} rounds`;
  }
  return undefined;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MB`;
}
