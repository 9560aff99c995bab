/** A bounded map that drops the least recently used entry (LRU). */
export class LruCache<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #size: number;
  readonly #forget: (value: Value) => void;

  /** @param forget called with each value that leaves the cache */
  constructor(size: number, forget: (value: Value) => void = () => undefined) {
    this.#size = size;
    this.#forget = forget;
  }

  /** Returns the value of a key, which is created if it does not exist. */
  get(key: Key, make: () => Value): Value {
    const known = this.#entries.get(key);
    if (known !== undefined) {
      if (this.#entries.size * 2 > this.#size) {
        // recency matters only when the cache fills up
        this.#entries.delete(key);
        this.#entries.set(key, known);
      }
      return known;
    }
    const value = make();
    this.#entries.set(key, value);
    if (this.#entries.size > this.#size) {
      const [oldest] = this.#entries;
      if (oldest !== undefined) {
        this.#entries.delete(oldest[0]);
        this.#forget(oldest[1]);
      }
    }
    return value;
  }

  clear(): void {
    for (const value of this.#entries.values()) this.#forget(value);
    this.#entries.clear();
  }
}
