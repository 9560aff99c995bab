import type { prepareMetaStatements } from "./meta.js";
import type { PreparedStatements } from "../sqlite/statement.js";

/** The requests of one organization in one billing period. The period ends before `end`. */
export interface RequestCount {
  readonly start: number;
  readonly end: number;
  requests: number;
}

/** The requests of one organization in the second that began at `start`. */
interface RequestWindow {
  start: number;
  requests: number;
}

/** The name of the row of `meta` that contains the windows. */
const windowsName = "requestWindows";

/** Counts the requests of organizations. The counts are in memory, and are written before an export. */
export function prepareRequestCountStatements(
  statements: PreparedStatements,
  meta: ReturnType<typeof prepareMetaStatements>,
) {
  const stored = statements.number<[organizationId: string, start: number]>(
    "SELECT requests FROM request_counts WHERE organization_id = ? AND period_start = ?",
  );
  const write = statements.write<[string, number, number]>(
    "INSERT OR REPLACE INTO request_counts (organization_id, period_start, requests) VALUES (?, ?, ?)",
  );
  const remove = statements.write<[string]>("DELETE FROM request_counts WHERE organization_id = ?");
  const current = new Map<string, RequestCount>();
  /** The organizations whose period may have changed. */
  const invalidated = new Set<string>();
  let windows: Map<string, RequestWindow> | undefined;
  /** Windows are read only if they are needed. By default, the rate is unlimited. */
  const getWindows = () =>
    (windows ??= new Map(JSON.parse(String(meta.read(windowsName) ?? "[]")) as [string, RequestWindow][]));

  const flushOne = (organizationId: string) => {
    const count = current.get(organizationId);
    if (count !== undefined) write(organizationId, count.start, count.requests);
  };
  return {
    /** Finds the count of the last period. */
    findCurrent: (organizationId: string) =>
      invalidated.size > 0 && invalidated.has(organizationId) ? undefined : current.get(organizationId),
    /** Forces the caller of {@link findCurrent} to determine the period again. */
    invalidatePeriod: (organizationId: string) => void invalidated.add(organizationId),
    /** Returns the count of a period, which becomes the current period. */
    startPeriod: (organizationId: string, start: number, end: number): RequestCount => {
      invalidated.delete(organizationId);
      const known = current.get(organizationId);
      if (known?.start === start && known.end === end) return known;
      flushOne(organizationId);
      const count = { start, end, requests: stored(organizationId, start) };
      current.set(organizationId, count);
      return count;
    },
    /** Returns the second in which the organization's requests are counted (gap `rate-limit`). */
    getWindow: (organizationId: string, now: number): RequestWindow => {
      let window = getWindows().get(organizationId);
      if (window === undefined) getWindows().set(organizationId, (window = { start: now, requests: 0 }));
      return window;
    },
    removeAllOf: (organizationId: string) => {
      current.delete(organizationId);
      getWindows().delete(organizationId);
      remove(organizationId);
    },
    /** Writes pending changes before an export. */
    flush: () => {
      [...current.keys()].forEach(flushOne);
      if (windows !== undefined) meta.write(windowsName, JSON.stringify([...windows]));
    },
  };
}
