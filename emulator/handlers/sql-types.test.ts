import { beforeAll, describe, expect, it } from "vitest";
import { createSqlTestClient, getStatusAndCode, type SqlTestClient } from "../testing/sql-test-client.js";
import { useTestEmulator } from "../testing/use-test-emulator.js";

const running = useTestEmulator();
let sql: SqlTestClient;
let tables = 0;
beforeAll(async () => {
  sql = await createSqlTestClient(running);
});

/**
 * Asserts that values are stored: sends them as JSON in `parameters` and as SQL literals, and reads them back.
 *
 * @param types all names of one type
 * @param values JSON texts in the order of the type, with the SQL literal if it differs from the JSON text
 */
async function assertStored(
  types: readonly string[],
  answered: string,
  values: readonly (string | readonly [json: string, literal: string])[],
  { ordered = true } = {},
): Promise<void> {
  for (const type of types) {
    const table = `t${(tables += 1)}`;
    const columns = ordered ? `p INT, v ${type}, PRIMARY KEY (p, v)` : `p INT PRIMARY KEY, v ${type}`;
    await sql.run(`CREATE TABLE ${table} (${columns})`);
    const backwards = values.map((value, index) => ({ value, index })).reverse();
    for (const { value, index } of backwards) {
      const [json, literal] = typeof value === "string" ? [value, value] : value;
      const place = ordered ? 1 : index;
      const insert = `INSERT INTO ${table} (p, v) VALUES`;
      const parameters = `{"p":${place + 100},"v":${json}}`;
      const bound = await sql.queryRaw(`{"sql":"${insert} (?, ?)","parameters":${parameters}}`);
      expect([type, json, bound.status, bound.text]).toEqual([type, json, 200, bound.text]);
      await sql.run(`${insert} (${place}, ${literal})`);
    }
    const json = values.map((value) => (typeof value === "string" ? value : value[0]));
    for (const offset of [0, 100]) {
      const where = ordered ? `p = ${offset + 1} ORDER BY v` : `p BETWEEN ${offset} AND ${offset + 99}`;
      const read = await sql.query(`SELECT v FROM ${table} WHERE ${where}`);
      expect([type, read.text]).toEqual([
        type,
        expect.stringContaining(`{"rows":[${json.map((value) => `{"v":${value}}`).join(",")}],`),
      ]);
      expect(read.body).toMatchObject({ columns: [{ name: "v", type: answered }] });
    }
  }
}

/** Asserts that a type rejects JSON values. */
async function assertRefused(type: string, values: readonly string[]): Promise<void> {
  const table = `t${(tables += 1)}`;
  await sql.run(`CREATE TABLE ${table} (p INT PRIMARY KEY, v ${type})`);
  for (const value of values) {
    const insert = `INSERT INTO ${table} VALUES (?, ?)`;
    const answer = await sql.queryRaw(`{"sql":"${insert}","parameters":{"p":1,"v":${value}}}`);
    expect([type, value, ...getStatusAndCode(answer)]).toEqual([type, value, 400, "SQL_VALIDATION_ERROR"]);
  }
  expect(await sql.rows(`SELECT * FROM ${table}`)).toEqual([]);
}

const quoted = (...texts: readonly string[]) => texts.map((text) => [`"${text}"`, `'${text}'`] as const);

describe("types over HTTP", () => {
  it("[SQL-33] texts hold any Unicode text unchanged", async () => {
    const texts = ["", "10", "9", "a  b", "e\u0301", "é", "\uffff", "😀"];
    await assertStored(["VARCHAR", "TEXT", "STRING"], "VARCHAR", quoted(...texts));
    await assertStored(["TEXT"], "VARCHAR", [
      ['"\\u0000"', "'\0'"],
      ['"it\'s -- ; /*"', "'it''s -- ; /*'"],
    ]);
    await assertRefused("TEXT", ["1", "true", "[]"]);
  });

  it.each([
    ["TINYINT", "BYTE", 8],
    ["SMALLINT", "SHORT", 16],
    ["INT", "INTEGER", 32],
  ] as const)("[SQL-34] %s and %s hold %i bits", async (type, alias, bits) => {
    const largest = 2 ** (bits - 1) - 1;
    await assertStored([type, alias], type, [`${-largest - 1}`, "-1", "0", "9", "10", `${largest}`]);
    await assertRefused(type, [`${largest + 1}`, `${-largest - 2}`, "1.5", '"1"', "true"]);
  });

  it("[SQL-35] BIGINT and LONG hold 64 bits exactly", async () => {
    await assertStored(["BIGINT", "LONG"], "BIGINT", [
      "-9223372036854775808",
      "-9007199254740993",
      "9",
      "10",
      "9007199254740993",
      "9223372036854775806",
      "9223372036854775807",
    ]);
    await assertRefused("BIGINT", ["9223372036854775808", "-9223372036854775809", "0.5", '"1"']);
  });

  it("[SQL-36] DOUBLE holds 64-bit numbers exactly, FLOAT and REAL round to 32 bits", async () => {
    await assertStored(["DOUBLE"], "DOUBLE", ["-1.5", "5e-324", "0.1", "1.7976931348623157e+308"]);
    await assertStored(["FLOAT", "REAL"], "FLOAT", ["-1.5", "0.25", "16777216"]);
    await sql.run("CREATE TABLE rounded (p INT PRIMARY KEY, v REAL)", "INSERT INTO rounded VALUES (1, 0.1)");
    expect(await sql.rows("SELECT v FROM rounded")).toEqual([{ v: Math.fround(0.1) }]);
    await assertRefused("DOUBLE", ['"1"']);
  });

  it("[SQL-37] DECIMAL and NUMERIC hold all digits", async () => {
    await assertStored(["DECIMAL", "NUMERIC"], "DECIMAL", [
      "-10.5",
      "-9",
      "0.00000000000000000000000000000000000001",
      "9.99",
      "10",
      "123456789012345678901234567890.123456789",
    ]);
    await assertRefused("DECIMAL", ['"1"', "false"]);
  });

  it("[SQL-38] BOOLEAN and BOOL hold true and false", async () => {
    await assertStored(["BOOLEAN", "BOOL"], "BOOLEAN", ["false", "true"]);
    await assertRefused("BOOLEAN", ["1", '"true"']);
  });

  it("[SQL-39] DATE, TIME and TIMESTAMP hold dates, times and instants", async () => {
    await assertStored(["DATE"], "DATE", quoted("0001-01-01", "2024-02-29", "9999-12-31"));
    await assertRefused("DATE", ['"2023-02-29"', '"2030-1-1"', "1"]);
    await assertStored(["TIME"], "TIME", quoted("00:00:00", "09:30:00.5", "23:59:59"));
    await assertRefused("TIME", ['"24:00:00"', '"9:30"']);
    await assertStored(
      ["TIMESTAMP", "DATETIME"],
      "TIMESTAMP",
      quoted("1970-01-01T00:00:00.000Z", "2030-01-01T00:00:00.001Z"),
    );
    await assertRefused("TIMESTAMP", ['"yesterday"', "0"]);
  });

  it("[SQL-40] BLOB and BINARY hold bytes unchanged", async () => {
    await assertStored(["BLOB", "BINARY"], "BLOB", [
      ['""', "X''"],
      ['"AA=="', "X'00'"],
      ['"AAE="', "X'0001'"],
      ['"/w=="', "X'FF'"],
    ]);
    await assertRefused("BLOB", ['"%"', "1"]);
  });

  it("[SQL-41] UUID, GUID and TIMEUUID hold UUIDs", async () => {
    const version1 = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
    await assertStored(["UUID", "GUID"], "UUID", quoted("00000000-0000-0000-0000-000000000000", version1));
    await assertStored(["TIMEUUID"], "TIMEUUID", quoted(version1));
    await assertRefused("UUID", ['"6ba7b810"', "1"]);
    await assertRefused("TIMEUUID", ['"5f0c2f0e-7a53-4e0f-9d5a-0d0c5d3b8a01"']);
  });

  it("[SQL-42] LIST, SET and MAP hold collections of their types", async () => {
    await assertStored(["LIST<BIGINT>"], "LIST<BIGINT>", ["[]", "[9223372036854775807,1,1]"], {
      ordered: false,
    });
    await assertStored(["SET<INT>"], "SET<INT>", [["[9,10]", "{10, 9, 9}"]], { ordered: false });
    await assertStored(
      ["MAP<TEXT,LIST<BOOL>>"],
      "MAP<VARCHAR, LIST<BOOLEAN>>",
      [['{"a":[true],"b":[]}', "{'a': [true], 'b': []}"]],
      { ordered: false },
    );
    await assertRefused("LIST<INT>", ['["x"]', "{}", "1", "[2147483648]"]);
  });
});

describe("parameters and results", () => {
  it("keep 64 bits in conditions too", async () => {
    await sql.run("CREATE TABLE wide (p BIGINT PRIMARY KEY)");
    await sql.run("INSERT INTO wide VALUES (9007199254740992), (9007199254740993), (9007199254740994)");
    const answer = await sql.queryRaw(
      '{"sql":"SELECT p FROM wide WHERE p = ?","parameters":{"p":9007199254740993}}',
    );
    expect(answer.text).toContain('{"rows":[{"p":9007199254740993}],"rowCount":1');
  });

  it("return each row once in pages sorted by numbers that doubles cannot distinguish", async () => {
    const first = await sql.query("SELECT p FROM wide", undefined, { limit: 1 });
    const { nextPageToken } = first.body as { nextPageToken: string };
    const second = await sql.query("SELECT p FROM wide", undefined, { limit: 1, pageToken: nextPageToken });
    expect([first.text, second.text]).toEqual([
      expect.stringContaining('"p":9007199254740992}'),
      expect.stringContaining('"p":9007199254740993}'),
    ]);
  });

  it("name columns as the statement does, even __proto__ and numbers", async () => {
    await sql.run(
      'CREATE TABLE odd ("__proto__" INT PRIMARY KEY, "2" INT, "1" INT)',
      "INSERT INTO odd VALUES (1, 2, 3)",
    );
    expect((await sql.query("SELECT * FROM odd")).text).toContain('"rows":[{"__proto__":1,"2":2,"1":3}]');
  });
});
