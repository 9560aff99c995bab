/** Keeps the first few of many values in an order, without keeping the others. */
export class SmallestValues<Value> {
  readonly #count: number;
  readonly #compare: (a: Value, b: Value) => number;
  readonly #kept: Value[] = [];
  /** The last of the first, once there are that many: what comes after it is of no interest. */
  #last: Value | undefined;

  constructor(count: number, compare: (a: Value, b: Value) => number) {
    this.#count = count;
    this.#compare = compare;
  }

  add(value: Value): void {
    if (this.#last !== undefined && this.#compare(value, this.#last) >= 0) return;
    this.#kept.push(value);
    // sorting rarely and much at once costs less than keeping order with every value
    if (this.#kept.length >= 2 * this.#count + 32) this.#cut();
  }

  /** The first values added, in order. */
  values(): readonly Value[] {
    this.#cut();
    return this.#kept;
  }

  #cut(): void {
    this.#kept.sort(this.#compare);
    if (this.#kept.length < this.#count) return;
    this.#kept.length = this.#count;
    this.#last = this.#kept.at(-1);
  }
}
