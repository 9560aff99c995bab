/**
 * Additions to the counters of rows. They are kept in memory, and are written when the table is read, so that requests cost
 * no additional writes. Additions inside a transaction that may be rolled back must be written at once.
 */
export class CounterBuffer<Counters extends object> {
  readonly #pending = new Map<number, Counters>();

  /**
   * @param create creates counters without additions
   * @param write adds counters to their row
   */
  constructor(
    private readonly create: () => Counters,
    private readonly write: (ref: number, counters: Counters) => void,
  ) {}

  /** Returns the pending additions to a row, which may be modified in place. */
  get(ref: number): Counters {
    let counters = this.#pending.get(ref);
    if (counters === undefined) this.#pending.set(ref, (counters = this.create()));
    return counters;
  }

  /** Writes the pending additions. */
  readonly flush = (): void => {
    for (const [ref, counters] of this.#pending) this.write(ref, counters);
    this.#pending.clear();
  };

  /** Creates a function that writes the pending additions before it reads the table. */
  flushBefore<Parameters extends readonly unknown[], Result>(
    read: (...parameters: Parameters) => Result,
  ): (...parameters: Parameters) => Result {
    return (...parameters) => {
      this.flush();
      return read(...parameters);
    };
  }

  /** Drops the pending additions. */
  readonly clear = (): void => this.#pending.clear();

  /** Drops the pending additions to a row that is deleted. */
  forget(ref: number): void {
    this.#pending.delete(ref);
  }
}
