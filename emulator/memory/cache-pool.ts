import { emulatorLimits } from "./limits.js";

interface PoolEntry {
  bytes: number;
  /** Removes the entry from its cache and from the pool. */
  drop(): void;
}

/** Limits the memory of several caches together. When it is full, it drops the least recently used entry of all caches. */
export class CachePool {
  readonly #entries = new Set<PoolEntry>();
  #bytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** Adds an entry, which is kept even if it exceeds the limit on its own. */
  add(entry: PoolEntry): void {
    this.#entries.add(entry);
    this.#bytes += entry.bytes;
    while (this.#bytes > this.maxBytes) {
      const [oldest] = this.#entries;
      if (oldest === undefined || oldest === entry) return;
      oldest.drop();
    }
  }

  /** Changes the size of an entry, which becomes the most recently used one. */
  resize(entry: PoolEntry, bytes: number): void {
    this.remove(entry);
    entry.bytes = bytes;
    this.add(entry);
  }

  use(entry: PoolEntry): void {
    // Recency matters only when the pool fills up.
    if (this.#bytes * 2 <= this.maxBytes) return;
    this.#entries.delete(entry);
    this.#entries.add(entry);
  }

  remove(entry: PoolEntry): void {
    if (this.#entries.delete(entry)) this.#bytes -= entry.bytes;
  }
}

/** The pool of the statements of all namespaces. */
export const statementPool = new CachePool(emulatorLimits.statementBytes);

/** The pool of the repository schemas of all namespaces. */
export const schemaPool = new CachePool(emulatorLimits.schemaBytes);

interface PooledCacheOptions<Value> {
  readonly pool: CachePool;
  /** Returns the approximate memory of an entry. By default, it is 1, so that the pool limits the number of entries. */
  readonly countBytes?: (key: string, value: Value) => number;
  /** Called with each value that leaves the cache. */
  readonly forget?: (value: Value) => void;
}

/** A cache that shares the limit of a pool. Its owner must clear it after the last use. */
export class PooledCache<Value> {
  readonly #entries = new Map<string, PoolEntry & { readonly value: Value }>();

  constructor(private readonly options: PooledCacheOptions<Value>) {}

  /** Returns the value of a key, and creates it if necessary. */
  get(key: string, create: () => Value): Value {
    const { pool, countBytes = () => 1, forget } = this.options;
    const known = this.#entries.get(key);
    if (known !== undefined) {
      pool.use(known);
      return known.value;
    }
    const value = create();
    const entry = {
      value,
      bytes: countBytes(key, value),
      drop: () => {
        this.#entries.delete(key);
        pool.remove(entry);
        forget?.(value);
      },
    };
    this.#entries.set(key, entry);
    pool.add(entry);
    return value;
  }

  /** Counts the bytes of an entry again, after its value has changed. */
  recount(key: string): void {
    const { pool, countBytes = () => 1 } = this.options;
    const entry = this.#entries.get(key);
    if (entry !== undefined) pool.resize(entry, countBytes(key, entry.value));
  }

  clear(): void {
    for (const entry of this.#entries.values()) entry.drop();
  }
}
