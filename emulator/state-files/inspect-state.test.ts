import type { SqlJsStatic } from "sql.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serviceOperations } from "../../openapi/operations/register.js";
import { createEmulator, type Emulator } from "../api/emulator.js";
import { readEverything } from "../testing/read-everything.js";
import { loadSqlite } from "../sqlite/sqlite.js";
import { tablesSql } from "../store/schema.js";
import { fillWorld } from "../testing/fill-world.js";
import { measureProcessorMs } from "../testing/measure-processor-ms.js";
import { addChecksum } from "./state-file.js";

let sqlite: SqlJsStatic;
let emulator: Emulator;
/** A state with rows in every table, without its checksum. */
let state: Uint8Array;

beforeAll(async () => {
  sqlite = await loadSqlite();
  emulator = await createEmulator({ journal: 10_000 });
  await fillWorld(emulator);
  state = emulator.export().slice(0, -4);
});
afterAll(() => emulator.close());

/** Returns the state after another program has executed SQL on it. */
function changeWithSql(sql: string): Uint8Array {
  const database = new sqlite.Database(state.slice());
  try {
    database.run(sql);
    return database.export();
  } finally {
    database.close();
  }
}

/** Returns why a state with a forged checksum is rejected; undefined if it is accepted. */
function getRefusal(forged: Uint8Array): string | undefined {
  try {
    emulator.snapshots.upload("given", addChecksum(forged));
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // the problem's detail is a complete sentence
    expect(message).toMatch(/^The file cannot be used: .+\.$/);
    return message;
  }
}

describe("a state with rows in every table", () => {
  it("is accepted, and every reading operation of the service responds", async () => {
    expect(getRefusal(state)).toBeUndefined();
    emulator.snapshots.restore("given");
    emulator.journal.clear();
    const { failures } = await readEverything(emulator);
    expect(failures).toEqual([]);
    const answered = emulator.journal
      .entries()
      .filter(({ response }) => [200, 503].includes(response.status))
      .map(({ operationId }) => operationId);
    for (const [id, { effect }] of Object.entries(serviceOperations))
      if (effect === "read") expect(answered).toContain(id);
  });

  it("has rows in every table, and all references are valid", () => {
    const empty = new sqlite.Database();
    empty.run(tablesSql);
    const [tables] = empty.exec("SELECT name FROM sqlite_schema WHERE type = 'table'");
    empty.close();
    const database = new sqlite.Database(state.slice());
    for (const [table] of tables?.values ?? [])
      expect(database.exec(`SELECT 1 FROM ${String(table)} LIMIT 1`), String(table)).toHaveLength(1);
    expect(database.exec("PRAGMA foreign_key_check")).toEqual([]);
    database.close();
  });
});

describe("expressions that another program has written into a file", () => {
  const writable = "PRAGMA writable_schema = ON; ";
  const insert = (type: string, name: string, table: string, sql: string, root = 0) =>
    `${writable}INSERT INTO sqlite_schema VALUES ('${type}', '${name}', '${table}', ${root}, '${sql}')`;
  const endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n";
  it.each([
    [
      "a trigger named for SQLite",
      insert(
        "trigger",
        "sqlite_t",
        "items",
        "CREATE TRIGGER sqlite_t AFTER INSERT ON items BEGIN DELETE FROM users; END",
      ),
    ],
    [
      "a trigger that never ends",
      insert(
        "trigger",
        "sqlite_u",
        "items",
        `CREATE TRIGGER sqlite_u AFTER INSERT ON items BEGIN ${endless}; END`,
      ),
    ],
    [
      "a trigger with the name of a table",
      "CREATE TRIGGER sql_table_1 AFTER INSERT ON items BEGIN DELETE FROM users; END",
    ],
    [
      "a trigger with the name of a table of the emulator",
      "CREATE TRIGGER items AFTER INSERT ON items BEGIN DELETE FROM users; END",
    ],
    ["an index of an expression", `CREATE INDEX sqlx ON items (length(hex(zeroblob(length(pk) + 100000))))`],
    [
      "such an index in the place of one of the emulator",
      "DROP INDEX sql_index_1; CREATE INDEX sql_index_1 ON sql_table_1 (hex(zeroblob(1000000) || c3))",
    ],
    [
      "a partial index",
      "DROP INDEX sql_index_1; CREATE INDEX sql_index_1 ON sql_table_1 (c3) WHERE c3 > hex(zeroblob(9))",
    ],
    ["a view in the place of a table", `DROP TABLE items; CREATE VIEW items AS ${endless}`],
    ["a virtual table", "CREATE VIRTUAL TABLE v USING fts3(a)"],
    [
      "a check",
      `${writable}UPDATE sqlite_schema SET sql = replace(sql, 'bytes INTEGER NOT NULL', 'bytes INTEGER CHECK (hex(zeroblob(bytes)) > 0)') WHERE name = 'items'`,
    ],
    [
      "a generated column",
      `${writable}UPDATE sqlite_schema SET sql = replace(sql, 'c1 TEXT', 'c1 TEXT AS (hex(zeroblob(9)))') WHERE name = 'sql_table_1'`,
    ],
    [
      "a default",
      `${writable}UPDATE sqlite_schema SET sql = replace(sql, 'bytes INTEGER NOT NULL', 'bytes INTEGER NOT NULL DEFAULT (random())') WHERE name = 'items'`,
    ],
    [
      "a collation",
      `${writable}UPDATE sqlite_schema SET sql = replace(sql, 'pk TEXT', 'pk TEXT COLLATE NOCASE') WHERE name = 'items'`,
    ],
    ["an entry without a name", `${writable}INSERT INTO sqlite_schema VALUES ('table', NULL, NULL, 1, NULL)`],
    ["an entry of another kind", insert("event", "e", "e", "whatever")],
    [
      "an entry twice",
      `${writable}INSERT INTO sqlite_schema SELECT * FROM sqlite_schema WHERE name = 'items'`,
    ],
    [
      "an index that comes with no table",
      `${writable}INSERT INTO sqlite_schema VALUES ('index', 'sqlite_autoindex_items_1', 'items', 30, NULL)`,
    ],
    [
      "two tables in one place",
      `${writable}UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'users') WHERE name = 'items'`,
    ],
    ["a table that is nowhere", `${writable}UPDATE sqlite_schema SET rootpage = 0 WHERE name = 'items'`],
    ["a table beyond the end", `${writable}UPDATE sqlite_schema SET rootpage = 100000 WHERE name = 'items'`],
    ["statistics", "ANALYZE"],
    ["a view", `CREATE VIEW endless AS ${endless}`],
    [
      "an expression in the catalog as well",
      `${writable}UPDATE sqlite_schema SET sql = replace(sql, 'c1 TEXT', 'c1 AS (random()) TEXT') WHERE name = 'sql_table_1';
      UPDATE sql_tables SET definition = replace(definition, '"id":1,', '"id":"1 AS (random())",') WHERE table_id = 1`,
    ],
    ["no table for an entry in the catalog", "DROP TABLE sql_table_1"],
  ])("are refused before they are evaluated: %s", (_what, sql) => {
    const file = changeWithSql(sql);
    let refusal: string | undefined;
    // evaluating the expression would take seconds or never end, on any machine
    expect(measureProcessorMs(() => (refusal = getRefusal(file)))).toBeLessThan(30_000);
    expect(refusal).toMatch(/tables or indexes that this version of the emulator does not write|damaged/);
  });

  it("are refused if pages of the list form a cycle", () => {
    const pageSize = 2048;
    const file = Buffer.from(changeWithSql("SELECT 1"));
    // changes the root page of the list to an inner page whose children are all the root itself
    expect([0x05, 0x0d]).toContain(file[100]);
    const root = file.subarray(0, pageSize);
    root[100] = 0x05;
    root.writeUInt16BE(100, 103);
    root.writeUInt32BE(1, 108);
    for (let cell = 0; cell < 100; cell += 1) root.writeUInt16BE(1000, 112 + cell * 2);
    root.writeUInt32BE(1, 1000);
    expect(getRefusal(file)).toContain("it is damaged: database disk image is malformed");
  });
});

it.each([
  [
    "a wrong hash of a repository schema",
    "UPDATE repositories SET schema_hash = (SELECT min(schema_hash) FROM repositories)",
    "a schema_hash is not the hash of its schema",
  ],
  [
    "an SQL table of very many columns",
    `UPDATE sql_tables SET definition = (WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 300)
      SELECT json_object('columns', json_group_array(i), 'partition', json_array(), 'clustering', json_array()) FROM n)`,
    "an SQL table has too many columns",
  ],
])("a state with %s is refused", (_what, sql, message) => {
  expect(getRefusal(changeWithSql(sql))).toContain(`it is damaged: ${message}`);
});
