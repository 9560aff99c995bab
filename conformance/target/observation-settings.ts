import type { Login } from "./actors.js";
import type { Situation } from "./situations.js";

/** The part of a target file that only `observe` reads. */
export interface ObservationSettings {
  readonly situations?: Readonly<Partial<Record<Situation, Login>>>;
  /** A database of the owner's organization whose status is neither Active nor Creating. */
  readonly unavailableDatabaseId?: string;
  /** Base URL of an instance whose `/health/live` reports Dead. */
  readonly deadUrl?: string;
  readonly bounds?: Partial<ObservationBounds>;
}

/** Limits for costly observations. */
export interface ObservationBounds {
  /** Maximum number of requests per second sent to find a rate limit; 0 skips this observation. */
  readonly requestsPerSecond: number;
  /** Maximum number of items, rows and entities that one observation creates. */
  readonly entries: number;
  /** Maximum size of the requests that are sent to find the size limit of the deployment, in bytes. */
  readonly requestBytes: number;
  /** Maximum time that one observation waits for a change on the deployment, in milliseconds. */
  readonly waitMs: number;
}

export const defaultObservationBounds: ObservationBounds = {
  requestsPerSecond: 0,
  entries: 1100,
  requestBytes: 64 * 1024 * 1024,
  waitMs: 60_000,
};
