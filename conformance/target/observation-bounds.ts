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
