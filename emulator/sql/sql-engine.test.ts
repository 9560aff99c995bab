import { encodeCursor } from "../domain/cursor.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { getPropertyRuns } from "../testing/property-runs.js";
import { JsonNumber } from "../json/json-value.js";
import { printSql } from "../testing/print-sql.js";
import { SqlError } from "./grammar/sql-error.js";
import { names, statements } from "./grammar/testing/syntax.arbitrary.js";
import { TestSqlEngine } from "../testing/test-sql-engine.js";

function orders(profile: ConstructorParameters<typeof TestSqlEngine>[0] = {}): TestSqlEngine {
  const engine = new TestSqlEngine(profile);
  engine.execute(
    "CREATE TABLE orders (customer TEXT, placed DATE, line INT, total DECIMAL, note TEXT DEFAULT 'none', paid BOOLEAN NOT NULL DEFAULT FALSE, PRIMARY KEY (customer, placed, line))",
  );
  return engine;
}

function filled(profile: ConstructorParameters<typeof TestSqlEngine>[0] = {}): TestSqlEngine {
  const engine = orders(profile);
  for (const customer of ["a", "b"])
    for (let line = 0; line < 5; line += 1)
      engine.query(
        "INSERT INTO orders (customer, placed, line, total) VALUES (?, '2030-01-0" +
          `${1 + (line % 2)}', ?, ?)`,
        [customer, line, line + 0.5],
      );
  return engine;
}

const insertOne = "INSERT INTO orders (customer, placed, line) VALUES ('a', '2030-01-01', 1)";

describe("codes", () => {
  it.each([
    ["SELECT nothing FROM orders", "SQL_VALIDATION_ERROR", 'table "orders" has no column "nothing"'],
    ["SELECT * FROM missing", "TABLE_NOT_FOUND", 'there is no table "missing"'],
    ['SELECT * FROM "Orders"', "TABLE_NOT_FOUND", 'there is no table "Orders"'],
    ["SELEC * FROM orders", "SQL_SYNTAX_ERROR", "not supported: the statement SELEC"],
    [
      "SELECT * FROM orders WHERE note = 'x'",
      "SQL_VALIDATION_ERROR",
      'column "note" is neither part of the primary key nor indexed',
    ],
    [
      "SELECT * FROM orders ORDER BY customer",
      "SQL_VALIDATION_ERROR",
      'the result cannot be ordered by "customer"',
    ],
    [
      "SELECT * FROM orders ORDER BY total",
      "SQL_VALIDATION_ERROR",
      'the result cannot be ordered by "total"',
    ],
    [
      "SELECT * FROM orders WHERE customer = NULL",
      "SQL_VALIDATION_ERROR",
      'column "customer" is compared with NULL',
    ],
    [
      "SELECT * FROM orders WHERE line = 2147483648",
      "SQL_VALIDATION_ERROR",
      'the value 2147483648 does not fit column "line"',
    ],
    [
      "SELECT * FROM orders WHERE line = 'x'",
      "SQL_VALIDATION_ERROR",
      'the value "x" does not fit column "line"',
    ],
    [
      "SELECT * FROM orders WHERE line LIKE 'x%'",
      "SQL_VALIDATION_ERROR",
      'column "line" does not support LIKE',
    ],
    [
      "SELECT * FROM orders WHERE customer LIKE '%x'",
      "SQL_VALIDATION_ERROR",
      'the pattern "%x" is not supported',
    ],
    [
      "SELECT * FROM orders WHERE customer LIKE 'x_%'",
      "SQL_VALIDATION_ERROR",
      'the pattern "x_%" is not supported',
    ],
    [
      "SELECT customer, customer FROM orders",
      "SQL_VALIDATION_ERROR",
      'two result columns are named "customer"',
    ],
    [
      "SELECT customer, COUNT(*) FROM orders",
      "SQL_VALIDATION_ERROR",
      "COUNT is selected together with a column",
    ],
    [
      "SELECT * FROM orders WHERE customer = ?",
      "SQL_VALIDATION_ERROR",
      "the number of parameters (0) differs from the number of markers (1)",
    ],
    [
      "INSERT INTO orders (customer) VALUES ('a')",
      "SQL_VALIDATION_ERROR",
      'column "placed" must not be NULL',
    ],
    [
      "INSERT INTO orders (customer, line) VALUES ('a')",
      "SQL_VALIDATION_ERROR",
      'column "placed" must not be NULL',
    ],
    [
      "INSERT INTO orders VALUES ('a')",
      "SQL_VALIDATION_ERROR",
      "row 1: the number of values (1) differs from the number of columns (6)",
    ],
    [
      "INSERT INTO orders (customer, customer, placed, line) VALUES ('a', 'b', '2030-01-01', 1)",
      "SQL_VALIDATION_ERROR",
      'INSERT names column "customer" twice',
    ],
    ["UPDATE orders SET line = 1", "SQL_VALIDATION_ERROR", 'column "line" is part of the primary key'],
    ["UPDATE orders SET paid = NULL", "SQL_VALIDATION_ERROR", 'column "paid" must not be NULL'],
    [
      "DROP TABLE orders",
      "SQL_VALIDATION_ERROR",
      "DROP TABLE is not allowed on this endpoint; use execute instead",
    ],
  ])("query answers %s with %s", (sql, code, message) => {
    const engine = orders();
    expect(engine.refusal(() => engine.query(sql))).toMatchObject({ code, message });
  });

  it.each([
    ["CREATE TABLE orders (a INT PRIMARY KEY)", 'table "orders" already exists'],
    ["CREATE TABLE t (a INT)", 'table "t" has no primary key'],
    ["CREATE TABLE t (a INT PRIMARY KEY, b INT PRIMARY KEY)", 'table "t" has more than one primary key'],
    [
      "CREATE TABLE t (a INT, PRIMARY KEY (b))",
      'the primary key contains "b", which is not a column of table "t"',
    ],
    ["CREATE TABLE t (a LIST<INT> PRIMARY KEY)", 'column "a" cannot be part of the primary key'],
    ["CREATE TABLE t (a INT, a TEXT, PRIMARY KEY (a))", 'table "t" has two columns named "a"'],
    ["CREATE TABLE t (a INT DEFAULT 'x', PRIMARY KEY (a))", 'the value "x" does not fit column "a"'],
    ["ALTER TABLE orders ADD total INT", 'table "orders" already has a column "total"'],
    ["ALTER TABLE orders DROP customer", 'column "customer" is part of the primary key'],
    ["ALTER TABLE orders DROP total", 'column "total" is in the index "by_total"'],
    ["ALTER TABLE orders RENAME total TO note", 'table "orders" already has a column "note"'],
    ["ALTER TABLE orders ADD must INT NOT NULL", 'column "must" is NOT NULL and has no DEFAULT'],
    ["CREATE INDEX by_total ON orders (note)", 'index "by_total" already exists'],
    ["CREATE UNIQUE INDEX once ON orders (paid)", 'index "once" cannot be unique'],
    ["DROP INDEX missing", 'there is no index "missing"'],
    ["SELECT * FROM orders", "SELECT is not allowed on this endpoint; use query instead"],
  ])("execute refuses %s", (sql, message) => {
    const engine = filled();
    engine.execute("CREATE INDEX by_total ON orders (total)");
    expect(engine.refusal(() => engine.execute(sql))).toMatchObject({
      code: "SQL_VALIDATION_ERROR",
      message,
    });
  });

  it.each([["SELECT * FROM orders WHERE line = 'six'", "The value is not a number (column type: INT)."]])(
    "explains why a value does not fit: %s",
    (sql, details) => {
      const engine = orders();
      expect(engine.refusal(() => engine.engine.query({ sql }, engine.context("write")))).toMatchObject({
        details,
      });
    },
  );

  it("knows the tables that definitions need", () => {
    const engine = orders();
    for (const sql of [
      "DROP TABLE missing",
      "ALTER TABLE missing ADD a INT",
      "CREATE INDEX i ON missing (a)",
    ])
      expect(engine.refusal(() => engine.execute(sql)).code).toBe("TABLE_NOT_FOUND");
    for (const sql of [
      "DROP TABLE IF EXISTS missing",
      "DROP INDEX IF EXISTS missing",
      "CREATE TABLE IF NOT EXISTS orders (a INT PRIMARY KEY)",
    ])
      expect(engine.execute(sql).message).toContain("the statement had no effect");
  });

  it("denies statements that the access level does not allow", () => {
    const engine = orders();
    const run = (sql: string, may: "read" | "write") => () =>
      engine.engine.query({ sql }, engine.context(may));
    expect(run("SELECT * FROM orders", "read")().rowCount).toBe(0);
    expect(engine.refusal(run(insertOne, "read")).code).toBe("ACCESS_DENIED");
    expect(engine.refusal(run("DELETE FROM missing", "read")).code).toBe("ACCESS_DENIED");
    expect(run(insertOne, "write")().rowCount).toBe(1);
    for (const may of ["read", "write"] as const)
      expect(engine.refusal(() => engine.execute("DROP TABLE orders", may)).code).toBe("ACCESS_DENIED");
  });
});

describe("rows", () => {
  it("separates databases", () => {
    const engine = filled();
    engine.databaseId = "db_2";
    expect(engine.refusal(() => engine.query("SELECT * FROM orders")).code).toBe("TABLE_NOT_FOUND");
    engine.execute("CREATE TABLE orders (a INT PRIMARY KEY)");
    expect(engine.query("SELECT * FROM orders").rowCount).toBe(0);
    engine.engine.dropDatabase("db_1");
    expect(engine.engine.listTables("db_1")).toEqual([]);
    expect(engine.query("SELECT COUNT(*) FROM orders").rowsJson).toBe('[{"count":0}]');
    engine.databaseId = "db_1";
    expect(engine.refusal(() => engine.query("SELECT * FROM orders")).code).toBe("TABLE_NOT_FOUND");
  });

  it("undoes a statement that fails in its second row", () => {
    const engine = orders();
    const sql =
      "INSERT INTO orders (customer, placed, line) VALUES ('a', '2030-01-01', 1), ('a', '2030-01-01', 1)";
    expect(engine.refusal(() => engine.query(sql)).message).toBe(
      'table "orders" already has a row with this primary key',
    );
    expect(engine.engine.listTables("db_1")).toMatchObject([{ rowCount: 0 }]);
    expect(engine.rows("SELECT * FROM orders")).toEqual([]);
  });

  it("forgets a definition that was rolled back", () => {
    const engine = new TestSqlEngine();
    expect(() =>
      engine.transaction(() => {
        engine.engine.execute("CREATE TABLE t (a INT PRIMARY KEY)", engine.context());
        throw new Error("later");
      }),
    ).toThrow("later");
    expect(engine.refusal(() => engine.query("SELECT * FROM t")).code).toBe("TABLE_NOT_FOUND");
    engine.execute("CREATE TABLE t (b TEXT PRIMARY KEY)");
    expect(engine.query("SELECT * FROM t").columns).toEqual([{ name: "b", type: "VARCHAR" }]);
  });

  it("follows the changes of a table", () => {
    const engine = filled();
    engine.execute("ALTER TABLE orders ADD COLUMN tags SET<TEXT> NOT NULL DEFAULT {'x'}");
    engine.execute("ALTER TABLE orders RENAME total TO amount");
    engine.execute("ALTER TABLE orders DROP note");
    engine.execute("CREATE UNIQUE INDEX once ON orders (amount, customer)");
    expect(engine.query("SELECT * FROM orders WHERE customer = 'b' AND line = 3").rowsJson).toBe(
      '[{"customer":"b","placed":"2030-01-02","line":3,"amount":3.5,"paid":false,"tags":["x"]}]',
    );
    expect(engine.engine.tableSchema("ORDERS", engine.context())).toMatchObject({
      columns: [
        { name: "customer", isPartitionKey: true, isNullable: false },
        { name: "placed", isClusteringKey: true },
        { name: "line", isClusteringKey: true },
        { name: "amount", type: "DECIMAL", isNullable: true, defaultValue: null },
        { name: "paid", isNullable: false, defaultValue: false },
        { name: "tags", type: "SET<VARCHAR>", defaultValue: ["x"] },
      ],
      primaryKey: { partitionKeys: ["customer"], clusteringKeys: ["placed", "line"] },
      indexes: [{ name: "once", columns: ["amount", "customer"], isUnique: true }],
    });
    const twice = "UPDATE orders SET amount = 1.5 WHERE customer = 'a'";
    expect(engine.refusal(() => engine.query(twice)).message).toBe(
      'the unique index "once" already has an entry with these values',
    );
    const before = engine.countBytes();
    expect(engine.query("UPDATE orders SET tags = {} WHERE customer = 'a'").bytesDelta).toBe(5 * -3);
    expect(engine.countBytes()).toBe(before - 15);
    expect(engine.execute("DROP TABLE orders").bytesDelta).toBe(15 - before);
  });

  it("selects by prefix, treating case and wildcards as characters", () => {
    const engine = new TestSqlEngine();
    engine.execute("CREATE TABLE t (a TEXT PRIMARY KEY)");
    for (const text of [
      "",
      "A%",
      "a",
      "a%b",
      "a_",
      "ab",
      "b",
      "\uffff",
      "\u{10ffff}",
      "\u{10ffff}\u{10ffff}x",
    ])
      engine.query("INSERT INTO t (a) VALUES (?)", [text]);
    const found = (pattern: string) =>
      (engine.rows("SELECT a FROM t WHERE a LIKE ?", [pattern]) as readonly { a: string }[]).map(
        (row) => row.a,
      );
    expect(found("a%")).toEqual(["a", "a%b", "a_", "ab"]);
    expect(found("a\\%%")).toEqual(["a%b"]);
    expect(found("a\\_%")).toEqual(["a_"]);
    expect(found("\u{10ffff}%")).toEqual(["\u{10ffff}", "\u{10ffff}\u{10ffff}x"]);
    expect(found("%")).toHaveLength(10);
  });

  it("accepts the longest conditions", () => {
    const engine = filled();
    const many = Array.from({ length: 3000 }, (_, line) => `line = ${line}`).join(" OR ");
    expect(engine.query(`SELECT COUNT(*) FROM orders WHERE ${many}`).rowsJson).toBe('[{"count":10}]');
    const list = Array.from({ length: 9000 }, () => "?").join();
    expect(
      engine.query(
        `SELECT * FROM orders WHERE line IN (${list})`,
        Array.from({ length: 9000 }, () => 1),
      ).rowCount,
    ).toBe(2);
  });

  it("transfers 64 bits and long decimals in both directions", () => {
    const engine = new TestSqlEngine();
    engine.execute("CREATE TABLE t (a BIGINT PRIMARY KEY, b DECIMAL)");
    engine.query("INSERT INTO t VALUES (?, ?), (-9223372036854775808, 0.10000000000000000000000001)", [
      new JsonNumber("9223372036854775807"),
      new JsonNumber("123456789012345678901234567890.5"),
    ]);
    expect(
      engine.query("SELECT * FROM t WHERE a > ?", [new JsonNumber("9223372036854775806")]).rowsJson,
    ).toBe('[{"a":9223372036854775807,"b":123456789012345678901234567890.5}]');
    expect(
      engine.query("SELECT b FROM t WHERE a IN (?)", [new JsonNumber("-9223372036854775808")]).rowsJson,
    ).toBe('[{"b":0.10000000000000000000000001}]');
  });
});

describe("pages", () => {
  it("continues after the last row, whatever is written in between", () => {
    const engine = filled();
    const sql = "SELECT line FROM orders WHERE customer = 'a' AND placed = '2030-01-01'";
    const first = engine.query(sql, {}, { limit: 2 });
    expect(first.rowsJson).toBe('[{"line":0},{"line":2}]');
    engine.query("DELETE FROM orders WHERE customer = 'a' AND line = 2");
    engine.query(
      "INSERT INTO orders (customer, placed, line) VALUES ('a', '2030-01-01', 1), ('a', '2030-01-01', 3)",
    );
    const second = engine.query(sql, {}, { limit: 2, pageToken: first.nextPageToken ?? "" });
    expect(second.rowsJson).toBe('[{"line":3},{"line":4}]');
    expect(second.nextPageToken).toBeNull();
  });

  it("refuses tokens of other statements, and invalid texts", () => {
    const engine = filled();
    const sql = "SELECT * FROM orders WHERE customer = ?";
    const { nextPageToken } = engine.query(sql, ["a"], { limit: 1 });
    const use = (text: string, parameters: string[], pageToken: string) =>
      engine.refusal(() => engine.query(text, parameters, { pageToken })).code;
    const token = nextPageToken ?? "";
    expect(use(sql, ["b"], token)).toBe("SQL_VALIDATION_ERROR");
    expect(use("SELECT * FROM orders", [], token)).toBe("SQL_VALIDATION_ERROR");
    expect(use("SELECT COUNT(*) FROM orders", [], token)).toBe("SQL_VALIDATION_ERROR");
    expect(use(insertOne, [], token)).toBe("SQL_VALIDATION_ERROR");
    for (const text of ["", "x", "W10", token.slice(0, -4), "eyJhIjoxfQ"])
      expect(use(sql, ["a"], text)).toBe("SQL_VALIDATION_ERROR");
    const forge = (...keys: (string | number)[]) => encodeCursor(`sql/1/${sql}/["a"]`, [null, ...keys]);
    expect(engine.query(sql, ["a"], { pageToken: forge("2030-01-01", 0) }).rowCount).toBeGreaterThan(0);
    for (const keys of [["\ud800", 0], ["2030-01-01", 1.5], ["2030-01-01", 1e300], ["2030-01-01"]])
      expect(use(sql, ["a"], forge(...keys))).toBe("SQL_VALIDATION_ERROR");
    engine.execute("DROP TABLE orders");
    engine.execute(
      "CREATE TABLE orders (customer TEXT, placed DATE, line INT, PRIMARY KEY (customer, placed, line))",
    );
    expect(use(sql, ["a"], token)).toBe("SQL_VALIDATION_ERROR");
  });

  it("limits the page", () => {
    const engine = filled({ "page-limit-max": 4 });
    expect(engine.refusal(() => engine.query("SELECT * FROM orders", {}, { limit: 5 })).code).toBe(
      "SQL_VALIDATION_ERROR",
    );
    engine.profile = { ...engine.profile, "page-limit-over": "clamp" };
    expect(engine.query("SELECT * FROM orders", {}, { limit: 5 }).rowCount).toBe(4);
    expect(engine.query("SELECT * FROM orders LIMIT ?", [2], { limit: 4 })).toMatchObject({
      rowCount: 2,
      nextPageToken: null,
    });
    expect(engine.query("SELECT * FROM orders LIMIT 0", {}, { limit: 4 })).toMatchObject({
      rowCount: 0,
      nextPageToken: null,
    });
  });
});

describe("answers to gaps", () => {
  it("overwrites whole rows if the profile says so", () => {
    const engine = filled({ "sql-insert-existing": "overwrite" });
    const bytes = engine.countBytes();
    expect(
      engine.query(
        "INSERT INTO orders (customer, placed, line, note) VALUES ('a', '2030-01-01', 0, 'longer')",
      ).rowCount,
    ).toBe(1);
    expect(engine.rows("SELECT total, note FROM orders WHERE customer = 'a' AND line = 0")).toEqual([
      { total: null, note: "longer" },
    ]);
    expect(engine.engine.listTables("db_1")).toMatchObject([{ rowCount: 10 }]);
    engine.query("DELETE FROM orders");
    expect(engine.countBytes()).toBe(0);
    expect(bytes).toBeGreaterThan(0);
  });

  it("filters with ALLOW FILTERING, with an index, or always", () => {
    const engine = filled();
    const sql = "SELECT COUNT(*) FROM orders WHERE total = 0.5";
    expect(engine.refusal(() => engine.query(sql)).code).toBe("SQL_VALIDATION_ERROR");
    expect(engine.refusal(() => engine.query("DELETE FROM orders WHERE total = 0.5")).code).toBe(
      "SQL_VALIDATION_ERROR",
    );
    expect(engine.query(`${sql} ALLOW FILTERING`).rowsJson).toBe('[{"count":2}]');
    engine.execute("CREATE INDEX i ON orders (total)");
    expect(engine.query(sql).rowsJson).toBe('[{"count":2}]');
    engine.execute("DROP INDEX i");
    engine.profile = { ...engine.profile, "sql-filtering": "always" };
    expect(engine.query(sql).rowsJson).toBe('[{"count":2}]');
  });

  it("takes parameters in the order of the document or of their names", () => {
    const engine = filled();
    const sql = "SELECT line FROM orders WHERE customer = ? AND line = ?";
    expect(
      engine.query(
        sql,
        new Map<string, string | number>([
          ["p10", "a"],
          ["p2", 3],
        ]),
      ).rowsJson,
    ).toBe('[{"line":3}]');
    engine.profile = { ...engine.profile, "sql-parameter-order": "name" };
    expect(
      engine.query(
        sql,
        new Map<string, string | number>([
          ["p10", 3],
          ["p2", "a"],
        ]),
      ).rowsJson,
    ).toBe('[{"line":3}]');
  });

  it("writes numbers, defaults and counts as numbers", () => {
    const engine = new TestSqlEngine();
    engine.execute("CREATE TABLE t (a BIGINT PRIMARY KEY, b DECIMAL DEFAULT 1.5, c INT DEFAULT 1)");
    expect(
      engine.query("INSERT INTO t (a) VALUES (?)", [new JsonNumber("9223372036854775807")]).rowCount,
    ).toBe(1);
    expect(engine.query("SELECT * FROM t").rowsJson).toBe('[{"a":9223372036854775807,"b":1.5,"c":1}]');
    expect(
      engine.engine.tableSchema("t", engine.context()).columns.map((column) => column.defaultValue),
    ).toEqual([null, 1.5, 1]);
  });
});

describe("injection", () => {
  it("treats any name and any text as data", () => {
    const texts = fc.oneof(
      names,
      fc.constantFrom("'; DROP TABLE sql_tables; --", "\0", "'", '"', "/*", "?1", ":a"),
    );
    fc.assert(
      fc.property(names, names, names, texts, (tableName, columnName, indexName, text) => {
        const engine = new TestSqlEngine();
        const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
        const [table, column] = [quoted(tableName), quoted(columnName)];
        engine.execute(`CREATE TABLE ${table} (${column} TEXT PRIMARY KEY)`);
        engine.execute(`CREATE INDEX ${quoted(indexName)} ON ${table} (${column})`);
        engine.query(`INSERT INTO ${table} VALUES ('${text.replaceAll("'", "''")}')`);
        const sql = `SELECT ${column} FROM ${table} WHERE ${column} = ?`;
        expect(JSON.parse(engine.query(sql, [text]).rowsJson)).toEqual([
          JSON.parse(`{${JSON.stringify(columnName)}:${JSON.stringify(text)}}`),
        ]);
        expect(engine.engine.listTables("db_1")).toMatchObject([{ name: tableName, rowCount: 1 }]);
        engine.database.close();
      }),
      { numRuns: getPropertyRuns(40) },
    );
  });

  it("answers any statement with one of the codes that callers can cause", () => {
    const engine = filled();
    fc.assert(
      fc.property(
        statements,
        fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { maxLength: 4 }),
        (statement, parameters) => {
          const renamed = JSON.parse(
            JSON.stringify(statement, (key, value: unknown) => (key === "table" ? "orders" : value)),
          ) as typeof statement;
          for (const run of [
            () => engine.query(printSql(renamed), parameters),
            () => engine.execute(printSql(renamed)),
          ])
            try {
              run();
            } catch (error) {
              if (!(error instanceof SqlError)) throw error;
              expect(["SQL_SYNTAX_ERROR", "SQL_VALIDATION_ERROR", "TABLE_NOT_FOUND"]).toContain(error.code);
            }
        },
      ),
      { numRuns: getPropertyRuns(250) },
    );
  });
});

describe("conditions of many tests", () => {
  const many = (test: string, times: number, connective: "AND" | "OR") =>
    `SELECT line FROM orders WHERE ${Array<string>(times).fill(test).join(` ${connective} `)} ALLOW FILTERING`;

  it.each(["AND", "OR"] as const)("are planned up to a thousand, joined by %s", (connective) => {
    const engine = orders();
    for (const [test, most] of [
      ["line > 1", 1000],
      ["note IS NULL", 1000],
      ["note LIKE 'a%'", 500],
      ["line BETWEEN 1 AND 2", 500],
      ["line IN (1, 2, 3)", 1000],
    ] as const) {
      expect(engine.rows(many(test, most, connective))).toEqual([]);
      expect(engine.refusal(() => engine.query(many(test, most + 1, connective)))).toMatchObject({
        code: "SQL_VALIDATION_ERROR",
        message: expect.stringContaining("more than 1000 comparisons") as string,
      });
    }
  });
});
