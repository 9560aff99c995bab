import { expect, it } from "vitest";
import { loadSqlite } from "../sqlite/sqlite.js";
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
