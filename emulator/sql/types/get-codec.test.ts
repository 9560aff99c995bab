import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { getPropertyRuns } from "../../testing/property-runs.js";
import { JsonNumber } from "../../json/json-value.js";
import { parseJson } from "../../json/parse-json.js";
import { loadSqlite } from "../../sqlite/sqlite.js";
import { parseSql } from "../grammar/parse-sql.js";
import type { SqlType } from "../grammar/syntax.js";
import { buildReadSql, type Codec, type InputValue, InvalidValueError } from "./codec.js";
import { getCodec } from "./get-codec.js";

const SQL = await loadSqlite();

function typeNamed(name: string): SqlType {
  const { statement } = parseSql(`ALTER TABLE t ADD c ${name}`);
  if (statement.kind !== "alter-table" || statement.action.kind !== "add") throw new Error(name);
  return statement.action.column.type;
}

function given(json: string): InputValue {
  return parseJson(json, { maxDepth: 100 });
}

/** Stores values in SQLite in reverse order, as keys if possible, and reads them in key order. */
function storeAndReadBack(codec: Codec, json: readonly string[]): string[] {
  const db = new SQL.Database();
  db.run(`CREATE TABLE t (c ${codec.affinity} NOT NULL PRIMARY KEY) WITHOUT ROWID`);
  const insert = db.prepare("INSERT INTO t VALUES (?)");
  for (const text of [...json].reverse()) insert.run([codec.encode(given(text))]);
  const stored = db.exec(`SELECT ${buildReadSql(codec, "c")} FROM t ORDER BY c`)[0]?.values ?? [];
  const equal = db.prepare("SELECT count(*) FROM t WHERE c = ?1 AND c <= ?1 AND c > ?2");
  const answers = stored.map(([value], index) => {
    const below = stored[index - 1]?.[0];
    if (below !== undefined) {
      equal.bind([value as string, below]);
      equal.step();
      expect(equal.get()).toEqual([1]);
    }
    return codec.toJson(value as string);
  });
  db.close();
  return answers;
}

/** Boundary values of each type, in order; an array if the value is returned in a different notation. */
const tables: Readonly<Record<string, readonly (string | readonly [string, string])[]>> = {
  VARCHAR: [
    '""',
    '"\\u0000"',
    '"\\u0000a"',
    '" "',
    '"10"',
    '"9"',
    '"A"',
    '"a"',
    '"a\\u0000"',
    '"aa"',
    '"ä"',
    '"\uffff"',
    '"𝄞"',
  ],
  TINYINT: ["-128", "-1", ["-0", "0"], ["1.0", "1"], "127"],
  SMALLINT: ["-32768", "0", ["1e2", "100"], "32767"],
  INT: ["-2147483648", "-1", "0", "9", "10", "2147483647"],
  BIGINT: [
    "-9223372036854775808",
    "-9007199254740993",
    "-9007199254740992",
    "-2147483649",
    "-1",
    "0",
    "9",
    "10",
    ["1e10", "10000000000"],
    "9007199254740991",
    "9007199254740993",
    "9223372036854775806",
    "9223372036854775807",
  ],
  FLOAT: [
    ["-3.4028234663852886e38", "-3.4028234663852886e+38"],
    "-1.5",
    ["-0", "0"],
    ["1e-45", "1.401298464324817e-45"],
    ["0.1", "0.10000000149011612"],
    "16777216",
    ["3.4028234663852886e38", "3.4028234663852886e+38"],
  ],
  DOUBLE: [
    ["-1.7976931348623157e308", "-1.7976931348623157e+308"],
    "-1e-7",
    ["-0.0", "0"],
    "5e-324",
    "0.1",
    ["0.30000000000000004", "0.30000000000000004"],
    "9007199254740992",
    ["1.7976931348623157e308", "1.7976931348623157e+308"],
  ],
  DECIMAL: [
    [`-1${"0".repeat(307)}`, `-1${"0".repeat(307)}`],
    "-12345678901234567890.123456789",
    "-10",
    "-9.99",
    "-9.9",
    "-9",
    "-1.1",
    "-1",
    "-0.11",
    "-0.1",
    "-0.011",
    ["-0", "0"],
    [`1e-300`, `0.${"0".repeat(299)}1`],
    "0.011",
    "0.1",
    "0.11",
    ["1.00", "1"],
    "1.1",
    "9",
    "9.9",
    "10",
    ["1.5e1", "15"],
    "9223372036854775807.0000000000000000001",
    "9223372036854775807.0000000000000000002",
  ],
  BOOLEAN: ["false", "true"],
  DATE: ['"0001-01-01"', '"1999-12-31"', '"2000-02-29"', '"2024-02-29"', '"9999-12-31"'],
  TIME: [
    '"00:00:00"',
    ['"00:00:00.000000001"', '"00:00:00.000000001"'],
    '"00:00:00.45"',
    ['"00:00:00.500"', '"00:00:00.5"'],
    '"12:00:00"',
    '"23:59:59"',
    '"23:59:59.999999999"',
  ],
  TIMESTAMP: [
    ['"0001-01-01T00:00:00Z"', '"0001-01-01T00:00:00.000Z"'],
    ['"2024-02-29T23:30:00-01:00"', '"2024-03-01T00:30:00.000Z"'],
    ['"2030-01-01 00:00"', '"2030-01-01T00:00:00.000Z"'],
    ['"2030-01-01T02:00:00.123+01:00"', '"2030-01-01T01:00:00.123Z"'],
    ['"2030-01-01t01:00:00.1234z"', '"2030-01-01T01:00:00.1234Z"'],
    ['"2031-01-01T00:30:00.5+01:00"', '"2030-12-31T23:30:00.500Z"'],
    ['"9999-12-31T23:59:59.999999999Z"', '"9999-12-31T23:59:59.999999999Z"'],
  ],
  BLOB: ['""', '"AA=="', '"AAA="', '"AAE="', '"AQ=="', '"fw=="', '"gA=="', '"/w=="', '"//8="'],
  UUID: [
    '"00000000-0000-0000-0000-000000000000"',
    '"6ba7b810-9dad-11d1-80b4-00c04fd430c8"',
    ['"9F9D51BC-70EF-31CA-9C14-F307980A29D8"', '"9f9d51bc-70ef-31ca-9c14-f307980a29d8"'],
    '"ffffffff-ffff-ffff-ffff-ffffffffffff"',
  ],
  // in order of time, which differs from the order of the texts
  TIMEUUID: [
    '"ffffffff-0000-1000-8000-000000000000"',
    '"00000000-0001-1000-8000-000000000000"',
    '"00000000-0000-1001-8000-000000000000"',
    '"00000000-0000-1001-8000-000000000001"',
    ['"6BA7B810-9DAD-11D1-80B4-00C04FD430C8"', '"6ba7b810-9dad-11d1-80b4-00c04fd430c8"'],
    '"00000000-0000-1fff-8000-000000000000"',
  ],
};

describe("scalar types", () => {
  it.each(Object.entries(tables))("%s keeps its boundary values and their order", (name, rows) => {
    const codec = getCodec(typeNamed(name));
    const inputs = rows.map((row) => (typeof row === "string" ? row : row[0]));
    const answers = rows.map((row) => (typeof row === "string" ? row : row[1]));
    expect(storeAndReadBack(codec, inputs).map((text) => given(text))).toEqual(
      answers.map((text) => given(text)),
    );
    expect(storeAndReadBack(codec, answers)).toEqual(storeAndReadBack(codec, inputs));
    const stored = inputs.map((text) => codec.encode(given(text)));
    for (const [i, a] of stored.entries())
      for (const [j, b] of stored.entries()) expect(Math.sign(codec.compare(a, b))).toBe(Math.sign(i - j));
  });

  it.each([
    ["VARCHAR", ["1", "true", "[]", "{}"]],
    ["TINYINT", ["128", "-129", "1.5", '"1"', "true"]],
    ["SMALLINT", ["32768", "-32769"]],
    ["INT", ["2147483648", "-2147483649", "1e10", "0.1", '"1"', "[1]"]],
    ["BIGINT", ["9223372036854775808", "-9223372036854775809", "1.5", "1e300", '"1"']],
    ["FLOAT", ["3.5e38", "-1e39", '"1"']],
    ["DOUBLE", ['"1"', "false"]],
    ["DECIMAL", [`1${"0".repeat(308)}`, "1e-307".replace("307", "309"), '"1"']],
    ["BOOLEAN", ["0", "1", '"true"']],
    [
      "DATE",
      [
        '"2023-02-29"',
        '"2024-13-01"',
        '"2024-00-01"',
        '"0000-01-01"',
        '"2024-1-1"',
        '"2024-01-01T00:00:00Z"',
        "20240101",
      ],
    ],
    ["TIME", ['"24:00:00"', '"12:60:00"', '"12:00:60"', '"12:00"', '"12:00:00.1234567891"', '"12:00:00Z"']],
    [
      "TIMESTAMP",
      [
        '"2024-01-01"',
        '"2024-02-30T00:00:00Z"',
        '"2024-01-01T24:00:00Z"',
        '"2024-01-01T00:00:00+19:00"',
        '"9999-12-31T23:59:59-01:00"',
        '"0001-01-01T00:00:00+01:00"',
        "0",
      ],
    ],
    ["BLOB", ['"AA"', '"AB=="', '"A==="', '"*"', '"AA==\\n"', '"-_8="', "1"]],
    [
      "UUID",
      [
        '"6ba7b8109dad11d180b400c04fd430c8"',
        '"6ba7b810-9dad-11d1-80b4-00c04fd430c"',
        '"g0000000-0000-0000-0000-000000000000"',
      ],
    ],
    ["TIMEUUID", ['"9f9d51bc-70ef-41ca-9c14-f307980a29d8"', '"00000000-0000-0000-0000-000000000000"']],
    ["LIST<INT>", ["{}", "1", '["1"]', "[null]", "[2147483648]"]],
    ["SET<VARCHAR>", ['"a"', "[1]", "[null]"]],
    ["MAP<INT, VARCHAR>", ["[]", '{"a": "x"}', '{"1": 2}', '{"1": null}', '{"2147483648": "x"}']],
  ])("%s refuses %j", (name, inputs) => {
    const codec = getCodec(typeNamed(name));
    for (const text of inputs) expect(() => codec.encode(given(text)), text).toThrow(InvalidValueError);
  });

  it("says that a huge whole number has too many digits", () => {
    const encode = () => getCodec(typeNamed("INT")).encode(new JsonNumber("1e500"));
    expect(encode).toThrow("has too many digits");
  });

  it("orders random decimals and bigints numerically, through SQLite", () => {
    const integers = fc.uniqueArray(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { maxLength: 20 });
    fc.assert(
      fc.property(integers, fc.integer({ min: -40, max: 40 }), (values, power) => {
        const sorted = [...values].sort((a, b) => (a < b ? -1 : 1)).map(String);
        expect(storeAndReadBack(getCodec(typeNamed("BIGINT")), sorted)).toEqual(sorted);
        const decimals = sorted.map((text) => `${text}e${power}`);
        const decimal = getCodec(typeNamed("DECIMAL"));
        expect(storeAndReadBack(decimal, decimals)).toEqual(
          decimals.map((text) => decimal.toJson(decimal.encode(given(text)))),
        );
      }),
      { numRuns: getPropertyRuns(40) },
    );
  });
});

describe("collections", () => {
  it.each([
    ["LIST<BIGINT>", "[9223372036854775807, 1, 1]", "[9223372036854775807,1,1]"],
    ["LIST<LIST<DECIMAL>>", "[[], [1.50]]", "[[],[1.5]]"],
    ["SET<INT>", "[10, 9, 10, -1]", "[-1,9,10]"],
    ["SET<VARCHAR>", '["\u{1d11e}", "\uffff", "a", "a"]', '["a","\uffff","\u{1d11e}"]'],
    ["SET<LIST<INT>>", "[[10], [9, 1], [9], [10]]", "[[10],[9,1],[9]]"],
    ["SET<MAP<VARCHAR, INT>>", '[{"b": 1}, {"a": 2}, {"a": 1}, {}]', '[{"a":1},{"a":2},{"b":1},{}]'],
    ["MAP<VARCHAR, INT>", '{"b": 1, "__proto__": 2, "": 3}', '{"":3,"__proto__":2,"b":1}'],
    ["MAP<INT, VARCHAR>", '{"10": "x", "9": "y", "1e1": "z"}', '{"9":"y","10":"z"}'],
    ["MAP<BOOLEAN, SET<UUID>>", '{"true": [], "false": []}', '{"false":[],"true":[]}'],
    ["MAP<LIST<INT>, INT>", '{"[1]": 1}', '{"[1]":1}'],
    [
      "MAP<DATE, MAP<BLOB, TIME>>",
      '{"2030-01-01": {"AA==": "10:00:00.0"}}',
      '{"2030-01-01":{"AA==":"10:00:00"}}',
    ],
  ])("%s answers %s as %s", (name, input, answer) => {
    const codec = getCodec(typeNamed(name));
    expect(codec.toJson(codec.encode(given(input)))).toBe(answer);
    expect(codec.toJson(codec.encode(given(answer)))).toBe(answer);
  });
});
