import type { Database } from "sql.js";
import { expect, it } from "vitest";
import { loadSqlite } from "../sqlite/sqlite.js";
import { setLimits } from "../testing/set-limits.js";
import { MemoryBudget } from "./memory-budget.js";
import { Store } from "./store.js";

it("loses no more than the failed change if SQLite runs out of memory in a large state", async () => {
  const sqlite = await loadSqlite();
  let database: Database | undefined;
  const keep = (one: Database) => (database = one);
  const observed = {
    ...sqlite,
    Database: class extends sqlite.Database {
      constructor(bytes?: Uint8Array) {
        super(bytes);
        keep(this);
      }
    },
  };
  setLimits({ stateBytes: 64 * 1024 });
  const store = Store.open(observed, Store.create(sqlite).export(), new MemoryBudget(sqlite));
  const key = () => store.meta.read("answered");
  store.single(() => store.meta.write("answered", "single"));
  expect(() =>
    store.transaction(() => {
      store.meta.write("answered", "failed");
      // SQLite rolls back by itself if an allocation fails
      database?.run("ROLLBACK");
      throw new Error("out of memory");
    }),
  ).toThrow("All of SQLite's memory");
  expect(key()).toBe("single");
  store.transaction(() => store.meta.write("answered", "transaction"));
  expect(key()).toBe("transaction");
  store.close();
});

it("undoes a transaction and those inside it as one, in a large state too", async () => {
  const sqlite = await loadSqlite();
  setLimits({ stateBytes: 64 * 1024 });
  const store = Store.open(sqlite, Store.create(sqlite).export(), new MemoryBudget(sqlite));
  const write = (value: string) => store.meta.write("answered", value);
  store.transaction(() => write("before"));
  const fail = () => {
    store.transaction(() => write("inner"));
    throw new Error("failed");
  };
  expect(() => store.transaction(fail)).toThrow("failed");
  expect(store.meta.read("answered")).toBe("before");
  store.transaction(() => {
    write("outer");
    store.transaction(() => write("inner"));
  });
  expect(store.meta.read("answered")).toBe("inner");
  store.close();
});

it.each([512, 4096, 65_536])("knows its size with pages of %s bytes", async (pageBytes) => {
  const sqlite = await loadSqlite();
  const database = new sqlite.Database(Store.create(sqlite).export());
  database.run(`PRAGMA page_size=${pageBytes}; VACUUM`);
  const bytes = database.export();
  database.close();
  const store = Store.open(sqlite, bytes);
  expect(store.size()).toBe(bytes.length);
  store.close();
});
