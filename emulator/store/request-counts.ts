import type { prepareMetaStatements } from "./meta.js";
import type { PreparedStatements } from "../sqlite/statement.js";

/** Requests of one organization in one billing period; `end` is the first moment after it. */
export interface RequestCount {
  readonly start: number;
  readonly end: number;
  requests: number;
}

/** Requests of one organization in the second that began at `start`. */
export interface RequestWindow {
  start: number;
  requests: number;
}

/** Under which name `meta` keeps the windows. */
const windowsName = "requestWindows";

/**
 * How many requests organizations made. The numbers live in memory and are written before an export, so that a
 * request does not cost a write.
 */
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
  const unsure = new Set<string>();
  let windows: Map<string, RequestWindow> | undefined;

  /** Read at the first use, which most worlds never see: the rate is unlimited by default. */
  const knownWindows = () => {
    if (windows === undefined) {
      const stored = meta.read(windowsName);
      windows = new Map(
        stored === undefined ? [] : (JSON.parse(String(stored)) as [string, RequestWindow][]),
      );
    }
    return windows;
  };

  const flushOne = (organizationId: string) => {
    const count = current.get(organizationId);
    if (count !== undefined) write(organizationId, count.start, count.requests);
  };
  return {
    /** The count of the period that was last looked at. */
    current: (organizationId: string) =>
      unsure.size > 0 && unsure.has(organizationId) ? undefined : current.get(organizationId),
    /** Says that the period of the organization may have changed, so that it is looked up again. */
    doubt: (organizationId: string) => void unsure.add(organizationId),
    /** The count of a period, which becomes the current one. */
    enter: (organizationId: string, start: number, end: number): RequestCount => {
      unsure.delete(organizationId);
      const known = current.get(organizationId);
      if (known?.start === start && known.end === end) return known;
      flushOne(organizationId);
      const count = { start, end, requests: stored(organizationId, start) };
      current.set(organizationId, count);
      return count;
    },
    /** The second in which the organization's requests are being counted (gap `rate-limit`). */
    window: (organizationId: string, now: number): RequestWindow => {
      const known = knownWindows();
      let window = known.get(organizationId);
      if (window === undefined) known.set(organizationId, (window = { start: now, requests: 0 }));
      return window;
    },
    removeAllOf: (organizationId: string) => {
      current.delete(organizationId);
      knownWindows().delete(organizationId);
      remove(organizationId);
    },
    /** Writes pending changes, before the state is exported. */
    flush: () => {
      [...current.keys()].forEach(flushOne);
      if (windows !== undefined) meta.write(windowsName, JSON.stringify([...windows]));
    },
  };
}
