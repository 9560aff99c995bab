/** Where time comes from for all that waits, and for what is measured: the machine's, or that of a clock that is moved. */
export interface TimeSource {
  /** Milliseconds since some moment. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** The machine's. */
export const systemTime: TimeSource = {
  now: () => Date.now(),
  // the global one, which tests can put on a clock of theirs
  sleep: (milliseconds) =>
    new Promise((resolve) => {
      setTimeout(resolve, Math.max(0, milliseconds));
    }),
};
