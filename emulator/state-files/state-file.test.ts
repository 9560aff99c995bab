import * as fc from "fast-check";
import type { SqlJsStatic } from "sql.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEmulator, type Emulator } from "../api/emulator.js";
import { schemaVersion } from "../store/schema.js";
import { loadSqlite } from "../sqlite/sqlite.js";
import { StateFileError } from "./state-file-error.js";
import { addChecksum, extractState } from "./state-file.js";

let sqlite: SqlJsStatic;
let emulator: Emulator;
let file: Uint8Array;

beforeAll(async () => {
  sqlite = await loadSqlite();
  emulator = await createEmulator();
  file = emulator.export();
});
afterAll(() => emulator.close());

function getRefusal(bytes: Uint8Array): string {
  try {
    extractState(sqlite, bytes);
  } catch (error) {
    if (error instanceof StateFileError) return error.message;
    throw error;
  }
  throw new Error("the file was taken");
}

/** Returns the file after another program has executed SQL on it, with a valid checksum. */
function changeWithSql(sql: string): Uint8Array {
  const database = new sqlite.Database(file.slice(0, -4));
  database.run(sql);
  const changed = addChecksum(database.export());
  database.close();
  return changed;
}

function alterByte(position: number, change: number): Uint8Array {
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
      expect(Buffer.compare(extractState(sqlite, bytes), file.slice(0, -4))).toBe(0);
    expect(Buffer.compare(file, before)).toBe(0);
  });

  it("is refused after another program has changed its data, with an outdated or missing checksum", () => {
    const changed = changeWithSql("UPDATE items SET data = '{}'").slice(0, -4);
    for (const bytes of [changed, Buffer.concat([changed, file.subarray(-4)])])
      expect(getRefusal(bytes)).toContain("another program has changed it");
  });

  it("is refused with any byte changed", () => {
    const position = fc.integer({ min: 0, max: file.length - 1 });
    fc.assert(
      fc.property(position, fc.integer({ min: 1, max: 255 }), (at, change) => {
        expect(getRefusal(alterByte(at, change))).not.toBe("");
      }),
      { numRuns: 300 },
    );
    for (let at = 0; at < 100; at += 1) expect(getRefusal(alterByte(at, 0x10)), String(at)).not.toBe("");
  });

  it("is refused if it is truncated", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: file.length - 1 }), (length) => {
        expect(getRefusal(file.slice(0, length))).toMatch(/damaged|not a SQLite file/);
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    [new Uint8Array(), "it is empty"],
    [Buffer.from("{}"), "it is not a SQLite file"],
    [Buffer.from("SQLite format 3\0"), "it is damaged: its end is missing"],
  ])("is refused if it is something else: %s", (bytes, message) => {
    expect(getRefusal(bytes)).toBe(message);
  });

  it.each([
    ["PRAGMA application_id = 0", "it is a SQLite file, but not one that the emulator wrote"],
    [`PRAGMA user_version = ${schemaVersion + 1}`, "update data-service-emulator"],
    ["PRAGMA user_version = 0", "use the version of data-service-emulator that wrote it"],
    ["DROP TABLE items", "it has tables or indexes that this version of the emulator does not write"],
  ])("is refused after %s", (sql, message) => {
    expect(getRefusal(changeWithSql(sql))).toContain(message);
  });
});
