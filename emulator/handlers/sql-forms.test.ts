import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Profile } from "../../openapi/gaps/profile.js";
import { eachAnswer } from "../testing/each-answer.js";
import { beginSql, codeOf, type SqlCalls } from "../testing/sql-calls.js";
import { type TestEmulator, testEmulator } from "../testing/test-client.js";

let running: TestEmulator;
beforeAll(async () => {
  running = await testEmulator();
});
afterAll(() => running.emulator.close());

/** A column of a type, and one in which it is an element, a value and a key, under a profile. */
async function begin(profile: Partial<Profile>, type: string): Promise<SqlCalls> {
  const sql = await beginSql(running, profile);
  await sql.run(`CREATE TABLE t (k INT PRIMARY KEY, v ${type}, l LIST<${type}>, m MAP<${type}, ${type}>)`);
  return sql;
}

/** Writes a value in all places where it can stand, and reads it back from each. */
async function throughTable(sql: SqlCalls, given: unknown): Promise<unknown> {
  const answer = await sql.query("INSERT INTO t (k, v, l, m) VALUES (1, ?, ?, ?)", {
    p1: given,
    p2: [given],
    p3: { [String(given)]: given },
  });
  expect([given, answer.status, answer.text]).toEqual([given, 200, answer.text]);
  const [row] = (await sql.rows("SELECT v, l, m FROM t WHERE k = 1 AND v = ? ALLOW FILTERING", {
    p1: given,
  })) as readonly { v: unknown; l: unknown[]; m: object }[];
  await sql.run("DELETE FROM t WHERE k = 1");
  expect(row).toEqual({ v: row?.v, l: [row?.v], m: { [String(row?.v)]: row?.v } });
  return row?.v;
}

async function refusals(sql: SqlCalls, ...given: readonly unknown[]): Promise<void> {
  for (const value of given)
    expect([value, ...codeOf(await sql.query("INSERT INTO t (k, v) VALUES (1, ?)", { p1: value }))]).toEqual([
      value,
      400,
      "SQL_VALIDATION_ERROR",
    ]);
}

describe("forms of values", () => {
  eachAnswer("sql-blob-form", "is the form of bytes", async (answer, profile) => {
    const sql = await begin(profile, "BLOB");
    const bytes = Buffer.from([0, 0x27, 0xfb, 0xff]);
    const text = { base64: bytes.toString("base64"), hex: "0027fbff", "0x": "0x0027fbff" }[answer];
    expect(await throughTable(sql, text)).toBe(text);
    expect(await throughTable(sql, answer === "0x" ? "0x" : "")).toBe(answer === "0x" ? "0x" : "");
    if (answer === "hex") expect(await throughTable(sql, "0027FBFF")).toBe(text);
    await refusals(sql, answer === "base64" ? "-_8=" : "+/8=", answer === "0x" ? "00" : "0", 1, ["00"]);
    // a literal of bytes is one under every profile
    await sql.run("INSERT INTO t (k, v) VALUES (2, X'0027fbff')");
    expect(await sql.rows("SELECT v FROM t WHERE k = 2")).toEqual([{ v: text }]);
  });

  eachAnswer("sql-date-time-form", "is the form of dates and times", async (answer, profile) => {
    const dates = await begin(profile, "DATE");
    const asText = answer === "text";
    for (const [text, days] of [
      ["1970-01-01", 0],
      ["2024-02-29", 19_782],
      ["0001-01-01", -719_162],
      ["9999-12-31", 2_932_896],
    ] as const)
      expect(await throughTable(dates, asText ? text : days)).toBe(asText ? text : days);
    await refusals(dates, ...(asText ? [0, "2023-02-29"] : ["1970-01-01", 0.5, 2_932_897, -719_163, 1e18]));
    const times = await begin(profile, "TIME");
    for (const [text, milliseconds] of [
      ["00:00:00", 0],
      ["12:34:56.789", 45_296_789],
      ["23:59:59.999", 86_399_999],
    ] as const)
      expect(await throughTable(times, asText ? text : milliseconds)).toBe(asText ? text : milliseconds);
    await refusals(times, ...(asText ? [0, "24:00:00"] : ["00:00:00", -1, 86_400_000]));
  });

  eachAnswer("sql-time-digits", "is how much of a second is kept", async (answer, profile) => {
    const cut = (text: string, most: number) => `${text}.${"123456789".slice(0, Math.min(answer, most))}`;
    const times = await begin(profile, "TIME");
    expect(await throughTable(times, "10:20:30.123456789")).toBe(cut("10:20:30", 9).replace(/\.$/, ""));
    const instants = await begin(profile, "TIMESTAMP");
    // three digits are shown at least
    expect(await throughTable(instants, "2030-01-01T10:20:30.123456789Z")).toBe(
      answer === 0 ? "2030-01-01T10:20:30.000Z" : `${cut("2030-01-01T10:20:30", 9)}Z`,
    );
    expect(await throughTable(instants, "2030-01-01T11:20:30+01:00")).toBe("2030-01-01T10:20:30.000Z");
  });

  eachAnswer("sql-timestamp-form", "is how instants are written", async (answer, profile) => {
    const sql = await begin(profile, "TIMESTAMP");
    for (const [three, shortest] of [
      ["2030-01-01T10:20:30.000Z", "2030-01-01T10:20:30Z"],
      ["2030-01-01T10:20:30.120Z", "2030-01-01T10:20:30.12Z"],
      ["2030-01-01T00:00:00.000Z", "2030-01-01T00:00:00Z"],
    ] as const)
      expect(await throughTable(sql, three)).toBe(answer === "three" ? three : shortest);
  });

  eachAnswer("sql-empty-collection", "is what a column has of one", async (answer, profile) => {
    const sql = await beginSql(running, profile);
    await sql.run("CREATE TABLE t (k INT PRIMARY KEY, l LIST<INT>, s SET<TEXT>, m MAP<TEXT, LIST<INT>>)");
    const insert = "INSERT INTO t (k, l, s, m) VALUES (1, ?, {}, ?)";
    await sql.query(insert, { p1: [], p2: {} });
    const empty = answer === "kept" ? { l: [], s: [], m: {} } : { l: null, s: null, m: null };
    expect(await sql.rows("SELECT l, s, m FROM t")).toEqual([empty]);
    await sql.query("UPDATE t SET l = ?, m = ? WHERE k = 1", { p1: [1], p2: { a: [] } });
    expect(await sql.rows("SELECT l, m FROM t")).toEqual([{ l: [1], m: { a: [] } }]);
    await sql.query("UPDATE t SET l = ? WHERE k = 1", { p1: [] });
    expect(await sql.rows("SELECT l FROM t")).toEqual([{ l: empty.l }]);
    await sql.run("CREATE TABLE u (k INT PRIMARY KEY, l LIST<INT> NOT NULL)");
    const must = await sql.query("INSERT INTO u (k, l) VALUES (1, [])");
    expect(must.status).toBe(answer === "kept" ? 200 : 400);
  });

  eachAnswer("sql-nested-collections", "is whether columns have them", async (answer, profile) => {
    const sql = await beginSql(running, profile);
    await sql.run("CREATE TABLE t (k INT PRIMARY KEY, l LIST<INT>, m MAP<TEXT, INT>)");
    for (const definition of [
      "CREATE TABLE u (k INT PRIMARY KEY, v LIST<SET<INT>>)",
      "ALTER TABLE t ADD v MAP<TEXT, LIST<INT>>",
    ]) {
      const defined = await sql.execute(definition);
      if (answer === "taken") expect(defined.status).toBe(200);
      else expect(codeOf(defined)).toEqual([400, "SQL_VALIDATION_ERROR"]);
    }
  });

  eachAnswer("sql-uuid-case", "is the case of UUIDs", async (answer, profile) => {
    const sql = await begin(profile, "UUID");
    const lower = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
    const expected = answer === "lower" ? lower : lower.toUpperCase();
    for (const given of [lower, lower.toUpperCase()]) expect(await throughTable(sql, given)).toBe(expected);
  });

  eachAnswer("sql-map-form", "is the form of maps", async (answer, profile) => {
    const sql = await beginSql(running, profile);
    await sql.run("CREATE TABLE t (k INT PRIMARY KEY, m MAP<INT, LIST<TEXT>>, n MAP<TEXT, MAP<TEXT, INT>>)");
    const formed = (entries: readonly (readonly [string | number, unknown])[]) =>
      answer === "object"
        ? Object.fromEntries(entries)
        : entries.map(([key, value]) => (answer === "pairs" ? [key, value] : { key, value }));
    const m = formed([
      [-1, []],
      [10, ["a", "b"]],
    ]);
    const n = formed([
      ["", formed([])],
      ["__proto__", formed([["x", 1]])],
    ]);
    await sql.run("INSERT INTO t (k) VALUES (0)");
    const insert = await sql.query("INSERT INTO t (k, m, n) VALUES (1, ?, ?)", { p1: m, p2: n });
    expect([insert.status, insert.text]).toEqual([200, insert.text]);
    await sql.run("INSERT INTO t (k, m, n) VALUES (2, {10: ['a', 'b'], -1: []}, {})");
    expect(await sql.rows("SELECT m, n FROM t")).toEqual([
      { m: null, n: null },
      { m, n },
      { m, n: formed([]) },
    ]);
    const other = answer === "object" ? [[1, []]] : { "1": [] };
    for (const wrong of [other, 1, [1], answer === "pairs" ? [[1, [], 2]] : [{ key: 1 }], "{}"])
      expect([
        wrong,
        ...codeOf(await sql.query("INSERT INTO t (k, m) VALUES (3, ?)", { p1: wrong })),
      ]).toEqual([wrong, 400, "SQL_VALIDATION_ERROR"]);
  });

  eachAnswer("sql-set-duplicates", "is what becomes of an element given twice", async (answer, profile) => {
    const sql = await beginSql(running, profile);
    await sql.run("CREATE TABLE t (k INT PRIMARY KEY, s SET<DECIMAL>)");
    for (const s of ["[1.50,2,1.5]", "[2,2.0]"]) {
      const insert = await sql.queryRaw(
        `{"sql":"INSERT INTO t (k, s) VALUES (1, ?)","parameters":{"p1":${s}}}`,
      );
      expect(codeOf(insert)).toEqual(answer === "merge" ? [200, undefined] : [400, "SQL_VALIDATION_ERROR"]);
      await sql.run("DELETE FROM t WHERE k = 1");
    }
    await sql.run("INSERT INTO t (k, s) VALUES (1, {2, 1.5})");
    expect(await sql.rows("SELECT s FROM t")).toEqual([{ s: [1.5, 2] }]);
  });

  eachAnswer("sql-decimal-digits", "bounds the digits of a DECIMAL", async (answer, profile) => {
    const sql = await beginSql(running, { ...profile, "sql-number-form": "string" });
    await sql.run("CREATE TABLE t (k INT PRIMARY KEY, v DECIMAL)");
    const most = answer === "all" ? 308 : answer;
    const half = "1234567890".repeat(16).slice(0, Math.floor(most / 2));
    for (const value of [`-${half}.${half.slice(0, -1)}1`, `0.${"0".repeat(most - 1)}1`, "9".repeat(most)]) {
      await sql.query("INSERT INTO t VALUES (1, ?)", { p1: value });
      expect(await sql.rows("SELECT v FROM t")).toEqual([{ v: value }]);
      await sql.run("DELETE FROM t WHERE k = 1");
    }
    for (const value of [`0.${"0".repeat(most)}1`, "9".repeat(most + 1)])
      expect(codeOf(await sql.query("INSERT INTO t VALUES (1, ?)", { p1: value }))).toEqual([
        400,
        "SQL_VALIDATION_ERROR",
      ]);
  });

  it("are the profile's, not those of the time of writing", async () => {
    const sql = await beginSql(running, { "sql-blob-form": "hex", "sql-map-form": "pairs" });
    await sql.run("CREATE TABLE t (k INT PRIMARY KEY, b BLOB DEFAULT '00ff', m MAP<BLOB, SET<DATE>>)");
    await sql.query("INSERT INTO t (k, m) VALUES (1, ?)", { p1: [["ff", ["2024-02-29"]]] });
    const all = "SELECT b, m FROM t";
    expect(await sql.rows(all)).toEqual([{ b: "00ff", m: [["ff", ["2024-02-29"]]] }]);
    running.emulator.profile.set({ "sql-date-time-form": "number" });
    expect(await sql.rows(all)).toEqual([{ b: "AP8=", m: { "/w==": [19_782] } }]);
    expect((await sql.schema("t")).body).toMatchObject({ columns: [{}, { defaultValue: "AP8=" }, {}] });
  });
});
