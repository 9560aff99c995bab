/**
 * Source of time for waiting and measuring: the machine's clock or, for an emulator, a clock that waiting moves.
 * `client.time` is for waits that end because the deployment's own clock advances, such as throttling, and for setup and
 * cleanup. While checks wait for a replica that lags or a deployment that is away, they use {@link sleep}: moving the clock
 * would not help, and could end sessions.
 */
export interface TimeSource {
  /** Milliseconds since a fixed moment. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** The machine's clock. */
export const systemTime: TimeSource = {
  now: () => Date.now(),
  // This calls the global `setTimeout`, which tests can replace.
  sleep: (milliseconds) =>
    new Promise((resolve) => {
      setTimeout(resolve, Math.max(0, milliseconds));
    }),
};

/** Waits for a number of milliseconds on the machine's clock; see {@link TimeSource}. */
export const sleep = systemTime.sleep;
