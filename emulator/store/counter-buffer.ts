/**
 * Figures of rows that requests add to, by the number of the row. They are added up in memory and written when somebody
 * looks at the table, so that a read costs no write and a write no second one. What is written inside a transaction that
 * may be undone does not belong here.
 */
export class CounterBuffer<Figures extends object> {
  readonly #byRef = new Map<number, Figures>();

  /**
   * @param begin the figures of a row to which nothing was added yet
   * @param write adds figures to their row
   */
  constructor(
    private readonly begin: () => Figures,
    private readonly write: (ref: number, figures: Figures) => void,
  ) {}

  /** Returns the pending additions to a row, which may be modified in place. */
  get(ref: number): Figures {
    let figures = this.#byRef.get(ref);
    if (figures === undefined) this.#byRef.set(ref, (figures = this.begin()));
    return figures;
  }

  /** Writes the pending additions. */
  readonly flush = (): void => {
    for (const [ref, figures] of this.#byRef) this.write(ref, figures);
    this.#byRef.clear();
  };

  /** Creates a reader of the table that includes the pending additions. */
  flushBefore<Parameters extends readonly unknown[], Result>(
    read: (...parameters: Parameters) => Result,
  ): (...parameters: Parameters) => Result {
    return (...parameters) => {
      this.flush();
      return read(...parameters);
    };
  }

  /** Drops the pending additions. */
  readonly clear = (): void => this.#byRef.clear();

  /** Drops the pending additions to a row that is deleted. */
  forget(ref: number): void {
    this.#byRef.delete(ref);
  }
}
