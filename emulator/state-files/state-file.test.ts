import * as fc from "fast-check";
import type { SqlJsStatic } from "sql.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEmulator, type Emulator } from "../api/emulator.js";
import { tablesSql, schemaVersion } from "../store/schema.js";
import { loadSqlite } from "../sqlite/sqlite.js";
import { StateFileError } from "./state-file-error.js";
import { extractState } from "./state-file.js";

let sqlite: SqlJsStatic;
let emulator: Emulator;
let file: Uint8Array;

beforeAll(async () => {
  sqlite = await loadSqlite();
  emulator = await createEmulator();
  file = emulator.export();
});
afterAll(() => emulator.close());

function refusalOf(bytes: Uint8Array): string {
  try {
    extractState(sqlite, bytes);
  } catch (error) {
    if (error instanceof StateFileError) return error.message;
    throw error;
  }
  throw new Error("the file was taken");
}

/** The state in a file. */
function bare(whole: Uint8Array): Uint8Array {
  return whole.subarray(0, whole.length - (whole.length % 2048));
}

/** The file after another program has run SQL on it. */
function changedBy(sql: string): Uint8Array {
  const database = new sqlite.Database(file.slice(0, -12));
  database.run(sql);
  const changed = database.export();
  database.close();
  return changed;
}

function altered(position: number, change: number): Uint8Array {
  const bytes = file.slice();
  bytes[position] = (bytes[position] ?? 0) ^ change;
  return bytes;
}

describe("the file of a state", () => {
  it("is read as written, from any place of the file", () => {
    const before = file.slice();
    const around = new Uint8Array(file.length + 7);
    around.set(file, 5);
    for (const bytes of [file, Buffer.from(file), around.subarray(5, 5 + file.length)])
      expect(Buffer.compare(extractState(sqlite, bytes), bare(file))).toBe(0);
    expect(Buffer.compare(file, before)).toBe(0);
  });

  it("is accepted after another program has changed its data, with an outdated or missing checksum", () => {
    const changed = changedBy("UPDATE items SET data = '{}'");
    expect(Buffer.compare(extractState(sqlite, changed), bare(changed))).toBe(0);
    // one that writes in place counts up the change counter, here and where the page count was last right
    for (const at of [27, 95]) changed[at] = (changed[at] ?? 0) + 1;
    const withOldSeal = Buffer.concat([changed, file.subarray(-12)]);
    expect(Buffer.compare(extractState(sqlite, withOldSeal), bare(changed))).toBe(0);
  });

  it("has compact data of entities, whatever another program has written", () => {
    const written = '{ "a": 1e2, "b\\u0063" : "x , y", "list" : [1, {"z": 1.0}]}';
    const state = extractState(sqlite, changedBy(`UPDATE entities SET data = '${written}'`));
    const database = new sqlite.Database(state.slice());
    const [found] = database.exec("SELECT DISTINCT data FROM entities");
    expect(found?.values).toEqual([['{"a":1e2,"bc":"x , y","list":[1,{"z":1.0}]}']]);
    database.close();
  });

  it("is accepted without the views that another program has added, none of which is evaluated", () => {
    const endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n";
    const state = extractState(sqlite, changedBy(`CREATE VIEW endless AS ${endless}`));
    const database = new sqlite.Database(state.slice());
    expect(database.exec("SELECT name FROM sqlite_schema WHERE type = 'view'")).toEqual([]);
    database.close();
  });

  it("is refused with any byte changed", () => {
    const position = fc.integer({ min: 0, max: file.length - 13 });
    fc.assert(
      fc.property(position, fc.integer({ min: 1, max: 255 }), (at, change) => {
        // the counter of changes and what SQLite compares with it say that another program wrote the file
        fc.pre(!(at >= 24 && at < 28));
        expect(refusalOf(altered(at, change))).not.toBe("");
      }),
      { numRuns: 300 },
    );
    for (let at = 0; at < 100; at += 1)
      if (at < 24 || at >= 28) expect(refusalOf(altered(at, 0x10)), String(at)).not.toBe("");
  });

  it("is refused if it is truncated", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: file.length - 13 }), (length) => {
        expect(refusalOf(file.slice(0, length))).toMatch(/damaged|not a SQLite file/);
      }),
      { numRuns: 50 },
    );
  });

  it("is not accepted in part if it is damaged and has no checksum", () => {
    const bare = file.slice(0, -12);
    const page = fc.integer({ min: 0, max: bare.length / 2048 - 1 });
    fc.assert(
      fc.property(page, fc.uint8Array({ minLength: 2048, maxLength: 2048 }), (at, noise) => {
        const damaged = bare.slice();
        damaged.set(noise, at * 2048);
        expect(refusalOf(damaged)).toMatch(/damaged|SQLite file|differs from|lacks/);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    [new Uint8Array(), "it is empty"],
    [Buffer.from("{}"), "it is not a SQLite file"],
    [Buffer.from("SQLite format 3\0"), "it is damaged: its end is missing"],
  ])("is refused if it is something else: %s", (bytes, message) => {
    expect(refusalOf(bytes)).toBe(message);
  });

  it.each([
    ["PRAGMA application_id = 0", "it is a SQLite file, but not one that the emulator wrote"],
    [`PRAGMA user_version = ${schemaVersion + 1}`, "update data-service-emulator"],
    ["PRAGMA user_version = 0", "use the version of data-service-emulator that wrote it"],
    ["DROP TABLE items", "it lacks the table or index items"],
    ["ALTER TABLE items ADD COLUMN more TEXT", "its definition of items differs"],
    ["CREATE TABLE more (a)", "it contains more, which is not one of the emulator's tables"],
    [
      "CREATE TRIGGER t AFTER INSERT ON items BEGIN DELETE FROM users; END",
      "it contains t, which is not one of the emulator's tables",
    ],
    ["DROP TABLE sql_table_1", "the rows of the SQL table or index sql_table_1 are missing"],
    ["UPDATE items SET data = '{'", "a row in the table items has a data that is not JSON"],
  ])("is refused after %s", (sql, message) => {
    expect(refusalOf(changedBy(sql))).toContain(message);
  });

  it.each([
    ["health", '{"details":5,"health":"Healthy","ready":"Ready","live":"Alive"}'],
    ["health", '{"details":"","health":"Well","ready":"Ready","live":"Alive"}'],
    ["health", '{"details":"","health":"Healthy","ready":"Ready","live":"Alive","live":7}'],
    ["health", '{details:"",health:"Healthy",ready:"Ready",live:"Alive"}'],
    ["seeded", "{users:[],apiKeys:[]}"],
    ["seeded", '{"users":[],"apiKeys":[5]}'],
    ["seeded", '{"users":[],"apiKeys":[],"users":5}'],
    ["seeded", "null"],
    ["requestWindows", '[["a",{start:1,requests:2}]]'],
    ["requestWindows", '[["a",{"start":1,"requests":-2}]]'],
    ["requestWindows", '[["a"]]'],
    ["requestWindows", "5"],
  ])("is refused with a %s that cannot be read: %s", (name, value) => {
    const sql = `INSERT OR REPLACE INTO meta (name, value) VALUES ('${name}', '${value}')`;
    expect(refusalOf(changedBy(sql))).toContain(`a row in the table meta has a value that cannot be read`);
  });

  it.each([
    ["sql_tables", "name", "database_id, name, created_at, row_count, bytes, definition", 2001],
    ["sql_indexes", "name", "database_id, table_id, name, column_ids, is_unique", 33],
  ])("is refused with more rows of %s than the service allows", (table, name, columns, count) => {
    const values = columns.replace(name, "'copy' || value");
    const sql = `
      WITH RECURSIVE numbers (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers WHERE value < ${count})
      INSERT INTO ${table} (${columns}) SELECT ${values} FROM (SELECT * FROM ${table} LIMIT 1), numbers`;
    expect(refusalOf(changedBy(sql))).toMatch(
      /it has \d+ (?:SQL tables and indexes|indexes of one SQL table), but/,
    );
  });

  it("is refused with texts in UTF-16, which the emulator would write in UTF-8", () => {
    const database = new sqlite.Database();
    database.run("PRAGMA encoding = 'UTF-16le'");
    database.run(tablesSql);
    expect(refusalOf(database.export())).toContain("UTF-16");
    database.close();
  });

  it("is refused in WAL mode, because a part of it may be missing", () => {
    const bytes = file.slice(0, -12);
    bytes[18] = bytes[19] = 2;
    expect(refusalOf(bytes)).toContain("PRAGMA journal_mode=DELETE");
  });

  it.each([
    ["DELETE FROM meta WHERE name = 'fixture'", "the namespace's original fixture"],
    ["UPDATE meta SET value = '{}' WHERE name = 'clockAndIds'", "clock and id generator cannot be read"],
    [
      `UPDATE meta SET value = replace(value, '"count":0', '"count":-1') WHERE name = 'clockAndIds'`,
      "clock and id generator cannot be read",
    ],
  ])("is refused with an impossible state: %s", (sql, message) => {
    expect(() => emulator.snapshots.upload("s", changedBy(sql))).toThrow(message);
  });
});
