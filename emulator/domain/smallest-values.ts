/** Keeps only the first of many values, in an order. */
export class SmallestValues<Value> {
  readonly #kept: Value[] = [];
  /** The last of the first values, once there are enough. Later values are not needed. */
  #last: Value | undefined;

  constructor(
    private readonly count: number,
    private readonly compare: (a: Value, b: Value) => number,
  ) {}

  add(value: Value): void {
    if (this.#last !== undefined && this.compare(value, this.#last) >= 0) return;
    this.#kept.push(value);
    // Sorting many values at once costs less than inserting each value in order.
    if (this.#kept.length >= 2 * this.count + 32) this.#cut();
  }

  /** The first values added, in order. */
  values(): readonly Value[] {
    this.#cut();
    return this.#kept;
  }

  #cut(): void {
    this.#kept.sort(this.compare);
    if (this.#kept.length < this.count) return;
    this.#kept.length = this.count;
    this.#last = this.#kept.at(-1);
  }
}
