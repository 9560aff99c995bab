/** Source of time for waiting and measuring: the clock of the machine, or a clock that can be moved. */
export interface TimeSource {
  /** Milliseconds since a fixed moment. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** The clock of the machine. */
export const systemTime: TimeSource = {
  now: () => Date.now(),
  // the global one, which tests can put on a clock of theirs
  sleep: (milliseconds) =>
    new Promise((resolve) => {
      setTimeout(resolve, Math.max(0, milliseconds));
    }),
};
