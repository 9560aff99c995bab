import { expect, it, vi } from "vitest";
import { loadSqlite, openDatabase } from "./sqlite.js";

it.each(["Buffer", "Uint8Array"])(
  "does not change the bytes of a %s from which a database is opened",
  async (kind) => {
    const sqlite = await loadSqlite();
    const first = openDatabase(sqlite);
    first.run("CREATE TABLE t (v)");
    const exported = first.export();
    first.close();
    const bytes = kind === "Buffer" ? Buffer.from(exported) : exported;
    const second = openDatabase(sqlite, bytes);
    second.run("INSERT INTO t VALUES (1)");
    const third = openDatabase(sqlite, bytes);
    expect(third.exec("SELECT COUNT(*) FROM t")[0]?.values).toEqual([[0]]);
    second.close();
    third.close();
  },
);

it("loads SQLite in a realm whose TextDecoder cannot be assigned, as in some test runners", async () => {
  const { TextDecoder: value } = globalThis;
  const define = (writable: boolean) =>
    Object.defineProperty(globalThis, "TextDecoder", { value, writable, configurable: true });
  vi.resetModules();
  const again = await import("./sqlite.js");
  define(false);
  await expect(again.loadSqlite()).resolves.toBeDefined();
  define(true);
});
