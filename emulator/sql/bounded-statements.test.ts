import { describe, expect, it, vi } from "vitest";
import { measureCostRatio } from "../testing/measure-cost-ratio.js";
import { TestSqlEngine } from "../testing/test-sql-engine.js";

const list = (count: number) => Array.from({ length: count }, (_, index) => index).join(",");

/** Creates a table with 2,500 rows, whose key has three columns. */
function createGridTable(): TestSqlEngine {
  const engine = new TestSqlEngine();
  engine.execute("CREATE TABLE grid (a INT, b INT, c INT, d INT, PRIMARY KEY (a, b, c))");
  const rows = Array.from({ length: 2500 }, (_, at) => `(${at % 50}, ${Math.floor(at / 50)}, ${at % 7}, 1)`);
  engine.query(`INSERT INTO grid VALUES ${rows.join(",")}`);
  return engine;
}

describe("lists of IN", () => {
  it("are combined only up to a bound", () => {
    const engine = createGridTable();
    const count = (where: string) => () => engine.rows(`SELECT COUNT(*) FROM grid WHERE ${where}`);
    const one = count(`a IN (${list(2500)})`);
    for (const many of [
      `a IN (${list(2500)}) AND b IN (${list(2500)})`,
      `a IN (${list(2500)}) AND b IN (${list(2500)}) AND c > 2`,
      `a IN (${list(2500)}) AND b IN (${list(2500)}) AND c IN (${list(2500)})`,
      `a IN (${list(2500)}) AND (b IN (${list(2500)}) OR b = 3 AND c IN (${list(100)}))`,
    ])
      expect(measureCostRatio(one, count(many), 3), many.slice(0, 9)).toBeLessThan(40);
  });

  it("of one column that are joined by OR are evaluated as one list", () => {
    const engine = createGridTable();
    const prepare = vi.spyOn(engine.database, "prepare");
    const rows = engine.rows(
      "SELECT COUNT(*) FROM grid WHERE d IN (5, 6) OR a IN (1, 2) OR d IN (7, 8) OR d = 9 OR a IN (3) ALLOW FILTERING",
    );
    expect(rows).toEqual([{ count: 150 }]);
    const texts = prepare.mock.calls.map(([text]) => text).filter((text) => text.includes(" IN "));
    expect(texts.map((text) => text.split(" IN ").length - 1)).toEqual([2]);
  });

  it("have a lower limit for a large table", () => {
    const engine = new TestSqlEngine();
    engine.execute("CREATE TABLE t (a INT PRIMARY KEY, b TEXT)");
    for (let a = 0; a < 20; a += 1) engine.query("INSERT INTO t VALUES (?, ?)", [a, "x".repeat(1_000_000)]);
    const where = (lists: number) =>
      Array.from({ length: lists }, () => `NOT b IN (${texts(16)})`).join(" AND ");
    const texts = (count: number) => Array.from({ length: count }, (_, at) => `'${at}'`).join(",");
    const count = (lists: number) =>
      engine.rows(`SELECT COUNT(*) FROM t WHERE ${where(lists)} ALLOW FILTERING`);
    expect(count(8)).toEqual([{ count: 20 }]);
    expect(engine.refusal(() => count(20))).toMatchObject({
      code: "SQL_VALIDATION_ERROR",
      message: expect.stringMatching(
        /^the condition's IN lists have too many values for a table with 20 rows/,
      ) as string,
    });
    engine.query("DELETE FROM t WHERE a > 8");
    expect(count(20)).toEqual([{ count: 9 }]);
  });

  it.each([
    ["BIGINT", ["9007199254740993", "-5", "0"]],
    ["INT", ["7", "-5", "0"]],
    ["DOUBLE", ["0.1", "5", "-1e300"]],
    ["DECIMAL", ["0.10", "12345678901234567890.5", "-1"]],
    ["VARCHAR", ["'1'", "'01'", "''"]],
    ["BLOB", ["X'00'", "X'31'", "X''"]],
    ["DATE", ["'2030-01-01'", "'2030-01-02'", "'1999-12-31'"]],
    ["BOOLEAN", ["TRUE", "FALSE"]],
  ])("find the same values of type %s as single comparisons", (type, values) => {
    const engine = new TestSqlEngine();
    engine.execute(`CREATE TABLE t (a INT, b ${type}, PRIMARY KEY (a, b))`);
    for (const value of values) engine.query(`INSERT INTO t VALUES (1, ${value})`);
    for (const value of values) {
      const where = `a IN (${list(9000)}) AND b IN (${[value, value].join(",")})`;
      expect(engine.rows(`SELECT * FROM t WHERE ${where}`)).toEqual(
        engine.rows(`SELECT * FROM t WHERE a = 1 AND b = ${value}`),
      );
    }
  });
});

it("evaluates OR without indexes, with the same result", () => {
  const engine = new TestSqlEngine();
  engine.execute("CREATE TABLE t (a BIGINT PRIMARY KEY, b BIGINT, c TEXT, d DOUBLE)");
  for (const column of ["b", "c", "d"]) engine.execute(`CREATE INDEX i${column} ON t (${column})`);
  engine.query("INSERT INTO t VALUES (1, 9007199254740993, 'x', 0.5), (2, 2, 'y', 2), (3, NULL, '3', 3)");
  const prepare = vi.spyOn(engine.database, "prepare");
  for (const [where, found] of [
    ["b = 9007199254740993 OR c = 'y'", [1, 2]],
    ["(b IS NULL OR d = 2) AND a > 0", [2, 3]],
    ["b IN (2, 9007199254740993) OR c LIKE '3%'", [1, 2, 3]],
    ["b BETWEEN 9007199254740992 AND 9007199254740994 OR NOT d < 3", [1, 3]],
    ["(a = 1 AND b = 9007199254740993) OR (a = 2 AND b = 3)", [1]],
  ] as const) {
    expect(engine.rows(`SELECT a FROM t WHERE ${where}`), where).toEqual(found.map((a) => ({ a })));
    const [sql = ""] = prepare.mock.lastCall ?? [];
    const [plan] = engine.database.exec(`EXPLAIN QUERY PLAN ${sql}`);
    expect(JSON.stringify(plan?.values), where).not.toContain("MULTI-INDEX OR");
  }
});

it("limits the tests for the rows of a large table", () => {
  const engine = createGridTable();
  const where = (count: number) => Array.from({ length: count }, (_, at) => `d != ${at + 2}`).join(" AND ");
  const count = (tests: number) =>
    engine.rows(`SELECT COUNT(*) FROM grid WHERE ${where(tests)} ALLOW FILTERING`);
  expect(count(1000)).toEqual([{ count: 2500 }]);
  for (let c = 0; c < 3; c += 1)
    engine.query(
      `INSERT INTO grid VALUES ${Array.from({ length: 3000 }, (_, at) => `(${at}, 99, ${c}, 1)`).join(",")}`,
    );
  expect(count(20)).toEqual([{ count: 11_500 }]);
  for (const statement of [
    "SELECT * FROM grid",
    "SELECT COUNT(*) FROM grid",
    "UPDATE grid SET d = 2",
    "DELETE FROM grid",
  ])
    expect(
      engine.refusal(() => engine.query(`${statement} WHERE ${where(1000)} ALLOW FILTERING`)),
    ).toMatchObject({
      code: "SQL_VALIDATION_ERROR",
      message: expect.stringMatching(
        /^the condition has too many comparisons \(1000\) for a table with 11500 rows/,
      ) as string,
    });
});

it("limits the comparisons with long values", () => {
  const engine = new TestSqlEngine();
  engine.execute("CREATE TABLE t (a INT PRIMARY KEY, b TEXT)");
  for (let a = 0; a < 20; a += 1) engine.query("INSERT INTO t VALUES (?, ?)", [a, "x".repeat(1_000_000)]);
  const where = (count: number) => Array.from({ length: count }, (_, at) => `b != 'x${at}'`).join(" AND ");
  const count = (tests: number) =>
    engine.rows(`SELECT COUNT(*) FROM t WHERE ${where(tests)} ALLOW FILTERING`);
  expect(count(30)).toEqual([{ count: 20 }]);
  expect(engine.refusal(() => count(40))).toMatchObject({
    code: "SQL_VALIDATION_ERROR",
    details: expect.stringContaining("at most 31 are allowed") as string,
  });
});

it("limits the counted columns of a large table", () => {
  const engine = createGridTable();
  const columns = Array.from({ length: 200 }, (_, at) => `c${at}`);
  for (const column of columns) engine.execute(`ALTER TABLE grid ADD ${column} TEXT`);
  const counts = columns.map((column) => `COUNT(${column}) AS ${column}`).join(", ");
  const count = (where: string) => engine.rows(`SELECT ${counts} FROM grid ${where}`);
  expect(count("")).toMatchObject([{ c0: 0, c199: 0 }]);
  for (let c = 0; c < 20; c += 1)
    engine.query(
      `INSERT INTO grid (a, b, c, d) VALUES ${Array.from({ length: 3000 }, (_, at) => `(${at}, 99, ${c}, 1)`).join(",")}`,
    );
  for (const where of ["", "WHERE a = 1"])
    expect(engine.refusal(() => count(where)).message).toContain("counted columns (20");
  expect(engine.rows("SELECT COUNT(c0) AS n, COUNT(*) FROM grid")).toHaveLength(1);
});

it("limits the bytes that a short statement writes into many rows", () => {
  const engine = new TestSqlEngine();
  engine.execute(`CREATE TABLE t (a INT PRIMARY KEY, b TEXT DEFAULT '${"x".repeat(50_000)}')`);
  const rows = (count: number) => Array.from({ length: count }, (_, at) => `(${at})`).join(",");
  const refused = {
    code: "SQL_VALIDATION_ERROR",
    message: expect.stringContaining("into many rows") as string,
  };
  expect(engine.refusal(() => engine.query(`INSERT INTO t (a) VALUES ${rows(400)}`))).toMatchObject(refused);
  engine.query(`INSERT INTO t (a) VALUES ${rows(10)}`);
  engine.query("UPDATE t SET b = 'y' WHERE a >= 0");
  engine.query("DELETE FROM t WHERE a >= 0");
  engine.query(`INSERT INTO t (a, b) VALUES ${rows(1000).replaceAll(")", ", 'z')")}`);
  expect(
    engine.refusal(() => engine.query("UPDATE t SET b = ? WHERE a >= 0", ["w".repeat(50_000)])),
  ).toMatchObject(refused);
  expect(
    engine.refusal(() => engine.execute(`ALTER TABLE t ADD COLUMN c TEXT DEFAULT '${"v".repeat(50_000)}'`)),
  ).toMatchObject(refused);
  expect(engine.rows("SELECT b FROM t WHERE a = 5")).toEqual([{ b: "z" }]);
  // the limit does not apply to a value that is written only once
  engine.query("UPDATE t SET b = ? WHERE a = 5", ["w".repeat(20 * 1024 * 1024)]);
});

it("ends a page of very long rows before its limit, and goes on after it", () => {
  const engine = new TestSqlEngine();
  engine.execute("CREATE TABLE t (a INT PRIMARY KEY, b TEXT)");
  for (let a = 0; a < 5; a += 1) engine.query("INSERT INTO t VALUES (?, ?)", [a, "x".repeat(6_000_000)]);
  for (const sql of ["SELECT * FROM t", "SELECT * FROM t LIMIT 4"]) {
    const first = engine.query(sql);
    expect(first.rowCount).toBe(3);
    const { rowCount, nextPageToken } = engine.query(sql, {}, { pageToken: first.nextPageToken ?? "" });
    expect({ rowCount, nextPageToken }).toEqual({ rowCount: sql.endsWith("4") ? 1 : 2, nextPageToken: null });
  }
});

it("limits the indexes of a table", () => {
  const engine = new TestSqlEngine();
  engine.execute("CREATE TABLE t (a INT PRIMARY KEY, b INT)");
  for (let at = 0; at < 32; at += 1) engine.execute(`CREATE INDEX i${at} ON t (b)`);
  expect(engine.refusal(() => engine.execute("CREATE INDEX more ON t (b)"))).toMatchObject({
    code: "SQL_VALIDATION_ERROR",
    details: "A table can have at most 32 indexes.",
  });
});
