import type { ReportedOperation } from "./report.js";

type Latency = NonNullable<ReportedOperation["latencyMs"]>;
type Bucket = Latency["histogram"][number];

/**
 * The operations of several runs as of one. The reports no longer have every answer's time, so percentiles are those of
 * the histograms: the upper edge of the bucket, which is a third above its lower one. The maximum is exact.
 */
export function mergeOperations(
  runs: readonly (readonly ReportedOperation[])[],
): readonly ReportedOperation[] {
  const byId = new Map<string, ReportedOperation[]>();
  for (const operation of runs.flat())
    byId.set(operation.operationId, [...(byId.get(operation.operationId) ?? []), operation]);
  return [...byId.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const sum = (of: (operation: ReportedOperation) => number) =>
      same.reduce((total, operation) => total + of(operation), 0);
    const latencies = same.flatMap(({ latencyMs }) => (latencyMs === undefined ? [] : [latencyMs]));
    return [
      {
        operationId: first.operationId,
        valid: sum(({ valid }) => valid),
        invalid: sum(({ invalid }) => invalid),
        answers: sum(({ answers }) => answers),
        ...(latencies.length === 0 ? {} : { latencyMs: mergeLatencies(latencies) }),
      },
    ];
  });
}

function mergeLatencies(latencies: readonly Latency[]): Latency {
  const [only] = latencies;
  if (only !== undefined && latencies.length === 1) return only;
  const buckets = new Map<number, Bucket>();
  for (const bucket of latencies.flatMap(({ histogram }) => histogram)) {
    const known = buckets.get(bucket.from);
    buckets.set(bucket.from, { ...bucket, count: bucket.count + (known?.count ?? 0) });
  }
  const histogram = [...buckets.values()].sort((a, b) => a.from - b.from);
  const maximum = Math.max(...latencies.map((latency) => latency.maximum));
  const at = (share: number) => Math.min(maximum, percentile(histogram, share));
  return { median: at(0.5), p95: at(0.95), p99: at(0.99), maximum, histogram };
}

function percentile(histogram: readonly Bucket[], share: number): number {
  let rest = share * histogram.reduce((sum, { count }) => sum + count, 0);
  for (const { to, count } of histogram) {
    rest -= count;
    if (rest <= 0) return to;
  }
  return histogram.at(-1)?.to ?? 0;
}
