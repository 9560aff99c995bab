/** A bounded map that drops the least recently used entry (LRU). */
export class LruCache<Key, Value> {
  readonly #entries = new Map<Key, Value>();

  constructor(private readonly size: number) {}

  /** Returns the value of a key, which is created if it does not exist. */
  get(key: Key, make: () => Value): Value {
    const known = this.#entries.get(key);
    if (known !== undefined || this.#entries.has(key)) {
      if (this.#entries.size * 2 > this.size) {
        // recency matters only when the cache fills up
        this.#entries.delete(key);
        this.#entries.set(key, known as Value);
      }
      return known as Value;
    }
    const value = make();
    this.#entries.set(key, value);
    if (this.#entries.size > this.size) {
      const [oldest] = this.#entries;
      if (oldest !== undefined) this.#entries.delete(oldest[0]);
    }
    return value;
  }

  clear(): void {
    this.#entries.clear();
  }
}
