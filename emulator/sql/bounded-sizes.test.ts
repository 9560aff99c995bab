import { describe, expect, it, vi } from "vitest";
import type { JsonValue } from "../json/json-value.js";
import { parseJson } from "../json/parse-json.js";
import { TestSqlEngine } from "../testing/test-sql-engine.js";
import { getCodec } from "./types/get-codec.js";

/** Formats the rows of an INSERT into one column: `(0),(1),…`. */
const keys = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => `(${from + at})`).join(",");

function expectRefused(
  engine: TestSqlEngine,
  method: "query" | "execute",
  statements: readonly string[],
  error: object,
): void {
  for (const sql of statements)
    expect(
      engine.refusal(() => engine[method](sql)),
      sql,
    ).toMatchObject(error);
}

describe("collections in collections", () => {
  it("are nested at most 4 levels deep", () => {
    const engine = new TestSqlEngine();
    engine.execute("CREATE TABLE t (a INT PRIMARY KEY, b MAP<SET<LIST<SET<INT>>>, TEXT>)");
    const refused = {
      code: "SQL_VALIDATION_ERROR",
      message: 'column "c" has collections nested 5 levels deep',
      details: "Collections can be nested at most 4 levels deep.",
    };
    for (const type of ["SET<SET<SET<SET<SET<INT>>>>>", "MAP<INT, MAP<LIST<LIST<LIST<INT>>>, INT>>"]) {
      expect(
        engine.refusal(() => engine.execute(`CREATE TABLE u (a INT PRIMARY KEY, c ${type})`)),
      ).toMatchObject(refused);
      expect(engine.refusal(() => engine.execute(`ALTER TABLE t ADD c ${type}`))).toMatchObject(refused);
    }
  });

  it.each([
    ["SET<SET<SET<SET<INT>>>>", "[[[[1], [2]], [[1]]], [[[1], [3]]]]", 5],
    ["MAP<SET<SET<SET<INT>>>, INT>", '{"[[[1], [2]], [[1]]]": 1, "[[[1], [3]]]": 2}', 7],
  ])("of type %s are not encoded again to be compared", (type, value, leaves) => {
    const engine = new TestSqlEngine();
    engine.execute(`CREATE TABLE t (a INT PRIMARY KEY, b ${type})`);
    const encode = vi.spyOn(getCodec({ kind: "scalar", name: "INT" }), "encode");
    engine.query(`INSERT INTO t VALUES (1, ?)`, parseJson(`[${value}]`, { maxDepth: 9 }) as JsonValue[]);
    // the key once, and each leaf once
    expect(encode.mock.calls.length).toBe(1 + leaves);
    encode.mockRestore();
  });

  it("of many DECIMALs are not encoded again to be compared", () => {
    const engine = new TestSqlEngine();
    engine.execute("CREATE TABLE t (a INT PRIMARY KEY, b SET<LIST<DECIMAL>>)");
    const lists = Array.from({ length: 100 }, (_, at) => [1, 1, 1, (at * 37) % 100]);
    const encode = vi.spyOn(getCodec({ kind: "scalar", name: "DECIMAL" }), "encode");
    engine.query(`INSERT INTO t VALUES (1, ?)`, [lists]);
    expect(encode.mock.calls.length).toBe(400);
    encode.mockRestore();
    const byText = (one: readonly number[], other: readonly number[]) =>
      JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
    expect(engine.rows("SELECT b FROM t")).toEqual([{ b: lists.toSorted(byText) }]);
  });
});

describe("numbers with exponents in collections", () => {
  const given = (count: number) =>
    parseJson(`[${Array<string>(count).fill("1e300").join(",")}]`, { maxDepth: 9 });

  it("make the values of a statement at most 8 MiB longer", () => {
    const engine = new TestSqlEngine({ "sql-filtering": "always" });
    engine.execute("CREATE TABLE t (a INT PRIMARY KEY, b LIST<DECIMAL>, c LIST<DECIMAL>)");
    engine.query("INSERT INTO t VALUES (1, ?, NULL)", [given(27_000)]);
    expect(engine.rows("SELECT a FROM t WHERE b = ?", [given(27_000)])).toEqual([{ a: 1 }]);
    const refused = {
      code: "SQL_VALIDATION_ERROR",
      details:
        "Writing the numbers without exponents can add at most 8388608 characters. Use fewer values, or numbers with smaller exponents.",
    };
    const half = given(15_000);
    for (const sql of [
      "INSERT INTO t VALUES (2, ?, ?)",
      "INSERT INTO t VALUES (2, ?, NULL), (3, ?, NULL)",
      "UPDATE t SET b = ?, c = ?",
      "UPDATE t SET b = ? WHERE c = ?",
      "DELETE FROM t WHERE b IN (?, ?)",
      "SELECT * FROM t WHERE b IN (?, ?)",
      "SELECT COUNT(*) FROM t WHERE b IN (?, ?)",
    ])
      expect(
        engine.refusal(() => engine.query(sql, [half, half])),
        sql,
      ).toMatchObject(refused);
    expect(engine.rows("SELECT a FROM t")).toEqual([{ a: 1 }]);
  });

  it("do not limit values that are long in the request", () => {
    const engine = new TestSqlEngine();
    engine.execute("CREATE TABLE t (a INT PRIMARY KEY, b TEXT, c LIST<DECIMAL>)");
    engine.query("INSERT INTO t VALUES (1, ?, ?)", ["x".repeat(9 * 1024 * 1024), given(27_000)]);
    expect(engine.rows("SELECT a FROM t")).toEqual([{ a: 1 }]);
  });

  it.each([
    ["LIST<LIST<DECIMAL>>", (list: string) => `[${list},${list}]`],
    ["MAP<LIST<DECIMAL>, INT>", (list: string) => `{"${list}": 1, "[1,${list.slice(1)}": 2}`],
    ["MAP<INT, LIST<DECIMAL>>", (list: string) => `{"1": ${list}, "2": ${list}}`],
  ])("of type %s are not written beyond 64 MiB", (type, toValue) => {
    const engine = new TestSqlEngine();
    engine.execute(`CREATE TABLE t (a INT PRIMARY KEY, b ${type})`);
    const list = `[${Array<string>(120_000).fill("1e300").join(",")}]`;
    const value = parseJson(`[${toValue(list)}]`, { maxDepth: 9 }) as JsonValue[];
    const { code, details } = engine.refusal(() => engine.query("INSERT INTO t VALUES (1, ?)", value));
    expect(code).toBe("SQL_VALIDATION_ERROR");
    expect(details).toContain(
      "has more than 67108864 characters when its numbers are written without exponents",
    );
  });
});

describe("copies of a value in many rows", () => {
  const text = (bytes: number) => "x".repeat(bytes);

  it("have at most 16 MiB, regardless of the table", () => {
    const engine = new TestSqlEngine();
    engine.execute("CREATE TABLE t (a INT PRIMARY KEY, b TEXT, c TEXT, d TEXT)");
    engine.query(`INSERT INTO t (a) VALUES ${keys(1000)}`);
    for (const column of ["b", "c"]) engine.query(`UPDATE t SET ${column} = ?`, [text(16_000)]);
    expect(engine.refusal(() => engine.query("UPDATE t SET d = ?", [text(20_000)]))).toMatchObject({
      code: "SQL_VALIDATION_ERROR",
      details: "At most 16777216 bytes are allowed. Use fewer rows or shorter values.",
    });
    expect(
      engine.refusal(() => engine.execute(`ALTER TABLE t ADD e TEXT DEFAULT '${text(20_000)}'`)),
    ).toMatchObject({ code: "SQL_VALIDATION_ERROR" });
  });

  it("are reserved before they are written", () => {
    const engine = new TestSqlEngine();
    engine.execute(`CREATE TABLE t (a INT PRIMARY KEY, b TEXT, c TEXT DEFAULT '${text(200)}')`);
    const reserved = (work: () => unknown) => {
      engine.reserved.length = 0;
      work();
      return engine.reserved;
    };
    expect(reserved(() => engine.query(`INSERT INTO t (a) VALUES ${keys(10)}`))).toEqual([2000]);
    expect(reserved(() => engine.query("UPDATE t SET b = ?", [text(500)]))).toEqual([5000]);
    expect(reserved(() => engine.query("UPDATE t SET b = ?", [text(510)]))).toEqual([100]);
    expect(reserved(() => engine.query("UPDATE t SET b = ?", [text(5)]))).toEqual([]);
    expect(reserved(() => engine.execute(`ALTER TABLE t ADD d TEXT DEFAULT '${text(98)}'`))).toEqual([1000]);
    expect(reserved(() => engine.execute("CREATE INDEX i ON t (c)"))).toEqual([2000 + 40]);
  });
});

describe("the rows of a result", () => {
  const refusedWith = (details: string) => ({ code: "SQL_VALIDATION_ERROR", details });

  it("have at most 256 columns with names of at most 128 characters", () => {
    const engine = new TestSqlEngine();
    engine.execute("CREATE TABLE t (a INT PRIMARY KEY)");
    engine.query("INSERT INTO t VALUES (1)");
    const select = (count: number, of = "a") =>
      `SELECT ${Array.from({ length: count }, (_, at) => `${of} AS x${at}`).join(",")} FROM t`;
    expect(engine.query(select(256)).columns.length).toBe(256);
    for (const of of ["a", "COUNT(a)"])
      expect(engine.refusal(() => engine.query(select(257, of)))).toMatchObject(
        refusedWith("A result can have at most 256 columns."),
      );
    engine.query(`SELECT a AS ${"x".repeat(128)} FROM t`);
    expect(engine.refusal(() => engine.query(`SELECT a AS ${"x".repeat(129)} FROM t`))).toMatchObject(
      refusedWith("Names can have at most 128 characters."),
    );
  });

  it("are read once, even if a column is selected several times", () => {
    const engine = new TestSqlEngine();
    engine.execute("CREATE TABLE t (a INT PRIMARY KEY, b TEXT)");
    engine.query("INSERT INTO t VALUES (1, 'x')");
    const prepare = vi.spyOn(engine.database, "prepare");
    expect(engine.rows("SELECT b, a AS c, b AS d, a FROM t")).toEqual([{ b: "x", c: 1, d: "x", a: 1 }]);
    expect(engine.rows("SELECT COUNT(b), COUNT(*) AS n, COUNT(b) AS m FROM t")).toEqual([
      { count: 1, n: 1, m: 1 },
    ]);
    const texts = prepare.mock.calls.map(([text]) => text);
    for (const read of ["SELECT c1, c0 FROM ", "SELECT count(c1), count(*) FROM "])
      expect(texts).toContainEqual(expect.stringContaining(read));
  });

  it("are refused if one is too large, rather than written", () => {
    const engine = new TestSqlEngine();
    engine.execute("CREATE TABLE t (a INT PRIMARY KEY, b TEXT)");
    engine.query("INSERT INTO t VALUES (1, ?)", ["x".repeat(15_000_000)]);
    const select = (count: number) =>
      `SELECT ${Array.from({ length: count }, (_, at) => `b AS x${at}`).join(",")} FROM t`;
    expect(engine.query(select(4)).rowsJson.length).toBeGreaterThan(60_000_000);
    expect(engine.refusal(() => engine.query(select(5)))).toMatchObject({
      ...refusedWith("Select fewer columns."),
      message: "a result row has more than 67108864 characters",
    });
  });

  it("end the page after 32 MiB of JSON, including names and numbers", () => {
    const engine = new TestSqlEngine();
    const name = (at: number) => `"${"\u0001".repeat(120)}${at}"`;
    const columns = Array.from({ length: 250 }, (_, at) => `${name(at)} INT`);
    engine.execute(`CREATE TABLE t (a INT PRIMARY KEY, ${columns.join(",")})`);
    engine.query(`INSERT INTO t (a) VALUES ${keys(500)}`);
    const { rowCount, rowsJson, nextPageToken } = engine.query("SELECT * FROM t", {}, { limit: 500 });
    expect(rowCount).toBeLessThan(250);
    expect(rowsJson.length).toBeLessThan(33 * 1024 * 1024);
    expect(nextPageToken).not.toBeNull();
  });
});

describe("INSERT", () => {
  it("writes only columns that have a value", () => {
    const engine = new TestSqlEngine();
    engine.execute("CREATE TABLE t (a INT, b INT, c INT DEFAULT 7, d INT, e INT DEFAULT 8, PRIMARY KEY (d))");
    for (const answer of ["SQL_VALIDATION_ERROR", "overwrite"] as const) {
      engine.profile = { ...engine.profile, "sql-insert-existing": answer };
      const prepare = vi.spyOn(engine.database, "prepare");
      engine.query("DELETE FROM t");
      engine.query("INSERT INTO t (e, d) VALUES (NULL, 1), (2, 3)");
      const texts = prepare.mock.calls.map(([text]) => text);
      expect(texts).toContainEqual(expect.stringContaining("(c2, c3, c4) VALUES (?, ?, ?)"));
      expect(engine.rows("SELECT * FROM t")).toEqual([
        { a: null, b: null, c: 7, d: 1, e: null },
        { a: null, b: null, c: 7, d: 3, e: 2 },
      ]);
      prepare.mockRestore();
    }
    engine.query("INSERT INTO t (d, a) VALUES (1, 5)");
    engine.query("INSERT INTO t (d, b) VALUES (1, 6)");
    expect(engine.rows("SELECT * FROM t WHERE d = 1")).toEqual([{ a: null, b: 6, c: 7, d: 1, e: 8 }]);
  });

  it("keeps the plan of one row, but not of many", () => {
    const engine = new TestSqlEngine({ "sql-insert-existing": "overwrite" });
    engine.execute("CREATE TABLE t (a INT PRIMARY KEY)");
    const encode = vi.spyOn(getCodec({ kind: "scalar", name: "INT" }), "encode");
    const countEncoded = (sql: string) => {
      encode.mockClear();
      for (let round = 0; round < 3; round += 1) engine.query(sql);
      return encode.mock.calls.length;
    };
    expect(countEncoded("INSERT INTO t VALUES (1)")).toBe(1);
    expect(countEncoded("INSERT INTO t VALUES (1), (2)")).toBe(3 * 2);
    encode.mockRestore();
  });
});

describe("copies of values in indexes", () => {
  function createIndexed(indexes: number): TestSqlEngine {
    const engine = new TestSqlEngine();
    engine.execute("CREATE TABLE t (a INT PRIMARY KEY, b TEXT, c INT)");
    for (let at = 0; at < indexes; at += 1) engine.execute(`CREATE INDEX i${at} ON t (b)`);
    engine.reserved.length = 0;
    return engine;
  }

  it("are reserved before they are written", () => {
    const engine = createIndexed(3);
    engine.query("INSERT INTO t VALUES (1, '0123456789', 7), (2, '', 7)");
    expect(engine.reserved).toEqual([3 * (4 + 10), 3 * 4]);
    engine.query("UPDATE t SET b = '01234', c = 8");
    expect(engine.reserved[2]).toBe(2 * 3 * 5);
    engine.query("UPDATE t SET c = 9");
    expect(engine.reserved.length).toBe(3);
  });

  it("have at most 8 MiB in one statement", () => {
    const text = "x".repeat(512 * 1024);
    const few = createIndexed(15);
    few.query("INSERT INTO t VALUES (1, ?, 7)", [text]);
    const refused = {
      code: "SQL_VALIDATION_ERROR",
      details:
        "A statement can write or remove at most 8388608 bytes of index entries. Use fewer indexes or shorter values.",
    };
    const many = createIndexed(17);
    many.query("INSERT INTO t VALUES (1, '', 7)");
    for (const sql of ["INSERT INTO t VALUES (2, ?, 7)", "UPDATE t SET b = ?"])
      expect(many.refusal(() => many.query(sql, [text]))).toMatchObject(refused);
    expect(many.rows("SELECT a, b FROM t")).toEqual([{ a: 1, b: "" }]);
  });

  it("have at most 8 MiB where they are removed or an index is created", () => {
    const engine = createIndexed(1);
    const fill = () => {
      for (let at = 0; at < 9; at += 1) engine.query("INSERT INTO t VALUES (?, ?, 7)", [at, "x".repeat(1e6)]);
    };
    fill();
    const refused = {
      code: "SQL_VALIDATION_ERROR",
      message: expect.stringContaining("too many bytes of index entries") as string,
    };
    expectRefused(engine, "query", ["UPDATE t SET b = ''", "DELETE FROM t WHERE a >= 0"], refused);
    expect(engine.refusal(() => engine.execute("CREATE INDEX other ON t (b)"))).toMatchObject(refused);
    engine.query("UPDATE t SET c = 8");
    engine.query("DELETE FROM t WHERE a < 2");
    engine.execute("CREATE INDEX other ON t (b)");
    engine.query("DELETE FROM t");
    expect(engine.rows("SELECT COUNT(*) FROM t")).toEqual([{ count: 0 }]);
  });
});

describe("a statement", () => {
  const refused = {
    code: "SQL_VALIDATION_ERROR",
    details: "A statement can change at most 100000 rows and index entries. Use fewer rows or indexes.",
  };

  it("changes at most 100,000 rows", () => {
    const engine = new TestSqlEngine();
    engine.execute("CREATE TABLE t (a INT PRIMARY KEY, b INT)");
    const fill = (from: number, count: number) =>
      engine.query(`INSERT INTO t (a) VALUES ${keys(count, from)}`);
    for (let from = 0; from < 100_000; from += 5000) fill(from, 5000);
    engine.query("UPDATE t SET b = 1");
    engine.execute("ALTER TABLE t ADD c INT DEFAULT 1");
    engine.execute("CREATE INDEX i ON t (b)");
    fill(100_000, 1);
    expectRefused(engine, "query", ["UPDATE t SET c = 1", "DELETE FROM t WHERE a >= 0"], refused);
    expectRefused(
      engine,
      "execute",
      ["CREATE INDEX j ON t (c)", "ALTER TABLE t ADD d INT DEFAULT 1", "ALTER TABLE t DROP COLUMN c"],
      refused,
    );
    engine.query("DELETE FROM t");
  });

  const tooLarge = {
    code: "SQL_VALIDATION_ERROR",
    details:
      "A statement can change rows with at most 5000000 values and 134217728 bytes in total. Use fewer rows.",
  };

  it("changes rows with at most 5,000,000 values", () => {
    const engine = new TestSqlEngine();
    const names = Array.from({ length: 63 }, (_, at) => `c${at}`);
    engine.execute(`CREATE TABLE t (a INT PRIMARY KEY, ${names.map((name) => `${name} TEXT`).join(", ")})`);
    for (let from = 0; from < 80_000; from += 5000)
      engine.query(`INSERT INTO t (a) VALUES ${keys(5000, from)}`);
    const change = (sql: string) => () => engine.query(sql);
    expect(engine.refusal(change("DELETE FROM t WHERE a >= 0"))).toMatchObject({
      ...tooLarge,
      message: "the statement changes 80000 rows with 64 columns and about 320000 bytes",
    });
    // SQLite reads and writes complete rows
    for (const sql of ["UPDATE t SET c0 = 'x'", "UPDATE t SET c0 = 'x' WHERE a >= 0"])
      expect(engine.refusal(change(sql))).toMatchObject(tooLarge);
    for (const sql of ["ALTER TABLE t ADD d INT DEFAULT 1", "ALTER TABLE t DROP c1"])
      expect(engine.refusal(() => engine.execute(sql))).toMatchObject(tooLarge);
    engine.query("UPDATE t SET c0 = 'x' WHERE a < 78000");
    engine.execute("ALTER TABLE t ADD d INT");
    engine.query("DELETE FROM t WHERE a >= 78000");
    expect(engine.query("DELETE FROM t").rowCount).toBe(78_000);
  });

  it("changes rows with at most 128 MB", () => {
    const engine = new TestSqlEngine();
    engine.execute("CREATE TABLE t (a INT PRIMARY KEY, b TEXT, c INT)");
    const rows = 135;
    for (let at = 0; at < rows; at += 1)
      engine.query("INSERT INTO t (a, b) VALUES (?, ?)", [at, "x".repeat(1e6)]);
    expectRefused(
      engine,
      "query",
      ["UPDATE t SET c = 1", "UPDATE t SET c = 1 WHERE a >= 0", "DELETE FROM t WHERE a >= 0"],
      tooLarge,
    );
    expectRefused(
      engine,
      "execute",
      ["ALTER TABLE t ADD d INT DEFAULT 1", "ALTER TABLE t DROP c", "CREATE INDEX i ON t (c)"],
      tooLarge,
    );
    engine.query("UPDATE t SET c = 1 WHERE a < 30");
    expect(engine.query("DELETE FROM t").rowCount).toBe(rows);
  });

  it("changes at most 100,000 rows and index entries", () => {
    const engine = new TestSqlEngine();
    engine.execute("CREATE TABLE t (a INT PRIMARY KEY, b INT, c INT, d INT)");
    for (let at = 0; at < 32; at += 1) engine.execute(`CREATE INDEX i${at} ON t (b, c)`);
    const insert = (from: number, count: number) =>
      engine.query(`INSERT INTO t (a) VALUES ${keys(count, from)}`);
    expect(engine.refusal(() => insert(0, 3031))).toMatchObject(refused);
    insert(0, 3030);
    expectRefused(engine, "query", ["UPDATE t SET b = 1, c = 1", "UPDATE t SET c = 1"], refused);
    engine.query("UPDATE t SET b = 1, c = 1 WHERE a < 1538");
    engine.query("UPDATE t SET d = 1");
    insert(4000, 1);
    expect(engine.refusal(() => engine.query("DELETE FROM t WHERE a >= 0"))).toMatchObject(refused);
    engine.query("DELETE FROM t WHERE a > 0");
    engine.profile = { ...engine.profile, "sql-insert-existing": "overwrite" };
    expect(engine.refusal(() => insert(0, 1539))).toMatchObject(refused);
    insert(0, 1538);
  });
});

it("bounds the definitions of all tables together", () => {
  const engine = new TestSqlEngine();
  const create = (at: number) =>
    engine.execute(`CREATE TABLE t${at} (a INT PRIMARY KEY, b TEXT DEFAULT '${"x".repeat(60_000)}')`);
  for (let at = 0; at < 139; at += 1) create(at);
  const refused = {
    code: "SQL_VALIDATION_ERROR",
    details: "All table definitions together can have at most 8388608 bytes. Drop tables or columns.",
  };
  expect(engine.refusal(() => create(139))).toMatchObject(refused);
  engine.databaseId = "db_2";
  expect(engine.refusal(() => create(139))).toMatchObject(refused);
  engine.databaseId = "db_1";
  expect(
    engine.refusal(() => engine.execute(`ALTER TABLE t0 ADD c TEXT DEFAULT '${"x".repeat(60_000)}'`)),
  ).toMatchObject(refused);
  engine.execute("ALTER TABLE t0 RENAME a TO d");
  engine.execute("ALTER TABLE t0 DROP COLUMN b");
  create(139);
});

it("bounds the number of tables and indexes", () => {
  const engine = new TestSqlEngine();
  const create = (at: number) => engine.execute(`CREATE TABLE t${at} (a INT PRIMARY KEY)`);
  engine.transaction(() => {
    for (let at = 0; at < 1999; at += 1)
      engine.engine.execute(`CREATE TABLE t${at} (a INT PRIMARY KEY)`, engine.context());
  });
  engine.execute("CREATE INDEX i ON t0 (a)");
  const refused = {
    code: "SQL_VALIDATION_ERROR",
    details: "All databases together can have at most 2000 tables and indexes. Drop some.",
  };
  engine.databaseId = "db_2";
  expect(engine.refusal(() => create(0))).toMatchObject(refused);
  engine.databaseId = "db_1";
  expect(engine.refusal(() => engine.execute("CREATE INDEX j ON t0 (a)"))).toMatchObject(refused);
  engine.execute("DROP INDEX i");
  create(1999);
});

it("bounds the prepared statements of all namespaces together", () => {
  const [one, other] = [new TestSqlEngine(), new TestSqlEngine()] as const;
  for (const engine of [one, other]) engine.execute("CREATE TABLE t (a INT PRIMARY KEY)");
  const select = (at: number) => `SELECT a FROM t WHERE a IN (${"1,".repeat(9000)}${at})`;
  const prepare = vi.spyOn(one.database, "prepare");
  const countPrepared = () => {
    prepare.mockClear();
    one.query(select(0));
    return prepare.mock.calls.filter(([text]) => text.includes(" IN ")).length;
  };
  expect(countPrepared()).toBe(1);
  other.query(select(1));
  expect(countPrepared()).toBe(0);
  for (let at = 0; at < 48; at += 1) other.query(select(at));
  expect(countPrepared()).toBe(1);
  for (const engine of [one, other]) engine.engine.forget();
});
