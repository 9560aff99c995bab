import { expect, it } from "vitest";
import { loadSqlite } from "../../sqlite/sqlite.js";
import { compareStates } from "./compare-states.js";

const sqlite = await loadSqlite();

/** A state with one table of one text and some bytes. */
function stateOf(text: string | null, bytes: readonly number[]): Uint8Array {
  const database = new sqlite.Database();
  try {
    database.run("CREATE TABLE t (name TEXT, content BLOB)");
    database.run("INSERT INTO t VALUES (?, ?), ('same', x'00')", [text, new Uint8Array(bytes)]);
    return database.export();
  } finally {
    database.close();
  }
}

it("tells rows apart by all that is in them, bytes included, and nothing where nothing changed", async () => {
  expect(await compareStates(stateOf("a", [1, 2]), stateOf("a", [1, 2]))).toEqual([]);
  const change = { table: "t", addedCount: 1, removedCount: 1 };
  expect(await compareStates(stateOf("a", [1, 2]), stateOf("a", [2, 1]))).toMatchObject([
    { ...change, removed: ["name=a  content=2 bytes"], added: ["name=a  content=2 bytes"] },
  ]);
  expect(await compareStates(stateOf(null, [1]), stateOf("null", [1]))).toMatchObject([change]);
});

it("tells of every row where a table came, went, or has other columns", async () => {
  const state = (...statements: readonly string[]): Uint8Array => {
    const database = new sqlite.Database();
    try {
      for (const statement of statements) database.run(statement);
      return database.export();
    } finally {
      database.close();
    }
  };
  const [table, wide] = ["CREATE TABLE t (a INTEGER)", 'CREATE TABLE t (a INTEGER, "b" TEXT)'];
  const rows =
    "INSERT INTO t (a) WITH n(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM n WHERE a < 60) SELECT a FROM n";
  const [none, narrow, other] = [state("CREATE TABLE u (a)"), state(table, rows), state(wide, rows)];
  const [came] = await compareStates(none, narrow);
  expect(came).toMatchObject({ table: "t", addedCount: 60, removedCount: 0, removed: [] });
  expect(came?.added).toHaveLength(50);
  expect(await compareStates(narrow, none)).toMatchObject([{ table: "t", addedCount: 0, removedCount: 60 }]);
  const [changed] = await compareStates(narrow, other);
  expect(changed).toMatchObject({ table: "t", addedCount: 60, removedCount: 60 });
  expect(changed?.added[0]).toBe("a=1  b=null");
});
