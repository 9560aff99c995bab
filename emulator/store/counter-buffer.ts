/**
 * Figures of rows that requests add to, by the number of the row. They are added up in memory and written when somebody
 * looks at the table, so that a read costs no write and a write no second one. What is written inside a transaction that
 * may be undone does not belong here.
 */
export class CounterBuffer<Figures extends object> {
  readonly #begin: () => Figures;
  readonly #write: (ref: number, figures: Figures) => void;
  readonly #byRef = new Map<number, Figures>();

  /**
   * @param begin the figures of a row to which nothing was added yet
   * @param write adds figures to their row
   */
  constructor(begin: () => Figures, write: (ref: number, figures: Figures) => void) {
    this.#begin = begin;
    this.#write = write;
  }

  /** What has been added to a row; to be added to in place. */
  get(ref: number): Figures {
    let figures = this.#byRef.get(ref);
    if (figures === undefined) this.#byRef.set(ref, (figures = this.#begin()));
    return figures;
  }

  /** Writes what has been added. */
  readonly flush = (): void => {
    for (const [ref, figures] of this.#byRef) this.#write(ref, figures);
    this.#byRef.clear();
  };

  /** A reader of the table that sees what has been added. */
  flushBefore<Parameters extends readonly unknown[], Result>(
    read: (...parameters: Parameters) => Result,
  ): (...parameters: Parameters) => Result {
    return (...parameters) => {
      this.flush();
      return read(...parameters);
    };
  }

  /** Drops what has been added. */
  readonly clear = (): void => this.#byRef.clear();

  /** Drops what was added to a row, which goes. */
  forget(ref: number): void {
    this.#byRef.delete(ref);
  }
}
