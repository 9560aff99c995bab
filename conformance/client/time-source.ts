/** Source of time for waiting and measuring: the machine's clock, or a clock that can be moved. */
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

/** Waits for a number of milliseconds. */
export const sleep = systemTime.sleep;
