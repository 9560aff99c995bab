import * as fc from "fast-check";
import type { SqlJsStatic } from "sql.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEmulator, type Emulator } from "../api/emulator.js";
import { schemaVersion } from "../store/schema.js";
import { loadSqlite } from "../sqlite/sqlite.js";
import { readStateBytes, StateFileError } from "./state-file.js";

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
    readStateBytes(bytes);
  } catch (error) {
    if (error instanceof StateFileError) return error.message;
    throw error;
  }
  throw new Error("the file was accepted");
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
      expect(Buffer.compare(readStateBytes(bytes), file.subarray(0, -12))).toBe(0);
    expect(Buffer.compare(file, before)).toBe(0);
  });

  it("is refused after another program has changed it, with an outdated or missing checksum", () => {
    const advice = "to change data, edit the seed file that `data-service export` writes";
    const changed = changedBy("UPDATE items SET data = '{}'");
    expect(refusalOf(changed)).toBe(`its end is missing, or another program wrote it; ${advice}`);
    // one that writes in place counts up the change counter
    changed[27] = (changed[27] ?? 0) + 1;
    const withOldSeal = Buffer.concat([changed, file.subarray(-12)]);
    expect(refusalOf(withOldSeal)).toBe(`another program has changed it; ${advice}`);
  });

  it("is refused with any byte changed", () => {
    const position = fc.integer({ min: 0, max: file.length - 1 });
    fc.assert(
      fc.property(position, fc.integer({ min: 1, max: 255 }), (at, change) => {
        expect(refusalOf(altered(at, change))).not.toBe("");
      }),
      { numRuns: 300 },
    );
    for (let at = 0; at < 100; at += 1) expect(refusalOf(altered(at, 0x10)), String(at)).not.toBe("");
    for (let at = file.length - 12; at < file.length; at += 1)
      expect(refusalOf(altered(at, 0x10)), String(at)).not.toBe("");
  });

  it("is refused if it is truncated", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: file.length - 1 }), (length) => {
        expect(refusalOf(file.slice(0, length))).toMatch(/its end is missing|no SQLite file/);
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    [new Uint8Array(), "it is empty"],
    [Buffer.from("{}"), "it is no SQLite file"],
    [Buffer.from("SQLite format 3\0"), "it is damaged: its end is missing"],
  ])("is refused when it is none: %s", (bytes, message) => {
    expect(refusalOf(bytes)).toBe(message);
  });

  it.each([
    ["PRAGMA application_id = 0", "it is a SQLite file, but none that the emulator wrote"],
    [`PRAGMA user_version = ${schemaVersion + 1}`, "update data-service-emulator"],
    ["PRAGMA user_version = 0", "use the version of data-service-emulator that wrote it"],
  ])("is refused after %s", (sql, message) => {
    expect(refusalOf(changedBy(sql))).toContain(message);
  });

  it("is refused by an upload with the reason, and nothing is kept", () => {
    expect(() => emulator.snapshots.upload("s", altered(30_000, 1))).toThrow(
      "The file cannot be used: it is damaged: its checksum does not match its content.",
    );
    expect(emulator.snapshots.list()).toEqual([]);
  });
});
