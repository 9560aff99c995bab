import { expect, it } from "vitest";
import { CachePool, PooledCache } from "./cache-pool.js";

/** Creates two caches in a pool of ten bytes. The size of an entry is the length of its key. */
function createCaches() {
  const pool = new CachePool(10);
  const forgotten: string[] = [];
  const createCache = () =>
    new PooledCache<string>({
      pool,
      countBytes: (key) => key.length,
      forget: (value) => forgotten.push(value),
    });
  const made: string[] = [];
  const get = (cache: PooledCache<string>, key: string) =>
    cache.get(key, () => {
      made.push(key);
      return key;
    });
  return { caches: [createCache(), createCache()] as const, get, made, forgotten };
}

it("keeps entries as long as those of all caches fit", () => {
  const { caches, get, made, forgotten } = createCaches();
  for (let round = 0; round < 2; round += 1) {
    expect(get(caches[0], "aaaaa")).toBe("aaaaa");
    expect(get(caches[1], "bbbbb")).toBe("bbbbb");
  }
  expect(made).toEqual(["aaaaa", "bbbbb"]);
  expect(forgotten).toEqual([]);
});

it("drops the least recently used entries of any cache", () => {
  const { caches, get, forgotten } = createCaches();
  get(caches[0], "aaa");
  get(caches[1], "bbb");
  get(caches[1], "ccc");
  get(caches[0], "aaa");
  get(caches[1], "dddd");
  expect(forgotten).toEqual(["bbb"]);
  get(caches[0], "eeeeee");
  expect(forgotten).toEqual(["bbb", "ccc", "aaa"]);
});

it("keeps an entry that is too large until the next one", () => {
  const { caches, get, made, forgotten } = createCaches();
  const large = "x".repeat(11);
  get(caches[0], "a");
  get(caches[0], large);
  get(caches[0], large);
  expect(made).toEqual(["a", large]);
  get(caches[1], "b");
  expect(forgotten).toEqual(["a", large]);
});

it("frees the bytes of a cache that is cleared", () => {
  const { caches, get, forgotten } = createCaches();
  get(caches[0], "aaaa");
  get(caches[0], "bbbb");
  caches[0].clear();
  expect(forgotten).toEqual(["aaaa", "bbbb"]);
  get(caches[1], "cccccccc");
  expect(forgotten).toHaveLength(2);
});

it("counts an entry again when its value has grown", () => {
  const forgotten: string[][] = [];
  const cache = new PooledCache<string[]>({
    pool: new CachePool(10),
    countBytes: (key, value) => key.length + value.length,
    forget: (value) => forgotten.push(value),
  });
  const value = cache.get("aa", () => []);
  const other = cache.get("bb", () => ["b"]);
  value.push("a", "a", "a", "a");
  cache.recount("aa");
  expect(forgotten).toEqual([]);
  value.push("a", "a");
  cache.recount("aa");
  expect(forgotten).toEqual([other]);
  cache.recount("bb");
  expect(cache.get("aa", () => [])).toBe(value);
});
