import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { getPropertyRuns } from "../../testing/property-runs.js";
import { parseSql } from "./parse-sql.js";
import { printSql } from "../../testing/print-sql.js";
import { SqlError } from "./sql-error.js";
import { statements } from "./testing/syntax.arbitrary.js";
import { measureProcessorMs } from "../../testing/measure-processor-ms.js";

function refusal(text: string): SqlError {
  try {
    parseSql(text);
  } catch (error) {
    if (error instanceof SqlError) return error;
    throw error;
  }
  throw new Error(`parsed: ${text}`);
}

describe("the round trip", () => {
  it("parses what is printed to the same tree", () => {
    fc.assert(
      fc.property(statements, (statement) => {
        expect(parseSql(printSql(statement)).statement).toEqual(statement);
      }),
      { numRuns: getPropertyRuns(300) },
    );
  });

  it("numbers markers in the order of the text, outside quotes and comments", () => {
    const { statement, parameterCount } = parseSql(
      `INSERT INTO t (a, "?", c) VALUES (?, '?', ?) /* ? */ , (?, 'it''s ?', [?]) -- ?`,
    );
    expect(parameterCount).toBe(4);
    expect(JSON.stringify(statement).match(/"index":\d/g)).toEqual(
      [0, 1, 2, 3].map((index) => `"index":${index}`),
    );
  });
});

describe("words", () => {
  it("folds names without quotes and keeps names in quotes", () => {
    expect(parseSql(`select Aa, "Aa", "a""b" from T`).statement).toEqual(
      parseSql(`SELECT "aa", "Aa", "a""b" FROM "t"`).statement,
    );
    expect(parseSql("select Aa from T", "exact").statement).toEqual(
      parseSql(`SELECT "Aa" FROM "T"`).statement,
    );
  });

  it.each([
    "key",
    "count",
    "date",
    "time",
    "timestamp",
    "list",
    "index",
    "if",
    "text",
    "filtering",
    "column_1",
    "set_",
  ])("takes %s as a name", (name) => {
    expect(parseSql(`SELECT ${name} FROM ${name} WHERE ${name} < 1 AND ${name} > 2`).statement).toEqual(
      parseSql(`SELECT "${name}" FROM "${name}" WHERE "${name}" < 1 AND "${name}" > 2`).statement,
    );
  });

  it("reads comments as white space, and a semicolon at the end", () => {
    expect(parseSql("-- first\nSELECT/**/a/* * / */FROM t-- last\n ; -- after").statement).toEqual(
      parseSql("SELECT a FROM t").statement,
    );
  });

  it.each([
    ["TEXT", "VARCHAR"],
    ["string", "VARCHAR"],
    ["Integer", "INT"],
    ["LONG", "BIGINT"],
    ["SHORT", "SMALLINT"],
    ["BYTE", "TINYINT"],
    ["REAL", "FLOAT"],
    ["NUMERIC", "DECIMAL"],
    ["BOOL", "BOOLEAN"],
    ["DATETIME", "TIMESTAMP"],
    ["BINARY", "BLOB"],
    ["GUID", "UUID"],
    ["list<set<long>>", "LIST<SET<BIGINT>>"],
  ])("reads the type %s as %s", (alias, name) => {
    expect(parseSql(`ALTER TABLE t ADD a ${alias}`)).toEqual(parseSql(`ALTER TABLE t ADD a ${name}`));
  });
});

describe("what is not supported", () => {
  it.each([
    ["SELECT a FROM t JOIN u ON a = b", "JOIN", 17],
    ["SELECT a FROM t LEFT OUTER JOIN u", "LEFT OUTER JOIN", 17],
    ["SELECT a FROM t, u", "a JOIN (several tables in FROM)", 16],
    ["SELECT a FROM t AS x", "an alias of a table", 17],
    ["SELECT t.a FROM t", "a name qualified with a dot", 9],
    ["SELECT a + 1 FROM t", "an expression", 10],
    ["SELECT 1 FROM t", "an expression in SELECT", 8],
    ["SELECT CASE WHEN a THEN 1 END FROM t", "an expression in SELECT", 8],
    ["SELECT SUM(a) FROM t", "the aggregate function SUM", 8],
    ["SELECT a, avg (b) FROM t", "the aggregate function AVG", 11],
    ["SELECT MIN(a) FROM t", "the aggregate function MIN", 8],
    ["SELECT MAX(a) FROM t", "the aggregate function MAX", 8],
    ["SELECT lower(a) FROM t", "the function lower", 8],
    ["SELECT DISTINCT a FROM t", "DISTINCT", 8],
    ["SELECT COUNT(DISTINCT a) FROM t", "DISTINCT", 14],
    ["SELECT a FROM t GROUP  BY a", "GROUP BY", 17],
    ["SELECT a FROM t WHERE a = 1 HAVING b", "HAVING", 29],
    ["SELECT a FROM t UNION SELECT a FROM u", "UNION", 17],
    ["SELECT a FROM (SELECT a FROM t)", "a subquery", 15],
    ["SELECT a FROM t WHERE a IN (SELECT a FROM u)", "a subquery", 29],
    ["SELECT a FROM t WHERE a = (SELECT 1)", "a subquery", 27],
    ["SELECT a FROM t WHERE EXISTS (SELECT 1)", "a subquery (EXISTS)", 23],
    ["SELECT a FROM t LIMIT 1 OFFSET 2", "OFFSET", 25],
    ["SELECT a FROM t; DROP TABLE t", "several statements in one request", 18],
    ["SELECT a FROM t WHERE a = b", '"b" as a value: a column or an expression', 27],
    ["SELECT a FROM t WHERE a = 1 + 1", "an expression", 29],
    ["SELECT a FROM t WHERE a + 1 = 2", "an expression", 25],
    ["SELECT a FROM t WHERE 1 = a", "a condition that does not start with a column", 23],
    ["SELECT a FROM t WHERE a = now()", "the function now", 27],
    ["UPDATE t SET a = a + 1", '"a" as a value: a column or an expression', 18],
    ["INSERT INTO t SELECT a FROM u", "a subquery", 15],
    ["INSERT INTO t (a) VALUES (1) ON CONFLICT DO NOTHING", "ON CONFLICT", 30],
    ["CREATE TABLE t (a VARCHAR(20) PRIMARY KEY)", "a length or precision of a type", 26],
    ["CREATE TABLE t (a JSON PRIMARY KEY)", "the type JSON", 19],
    ["CREATE TABLE t (a INT UNIQUE)", "the column constraint UNIQUE", 23],
    ["CREATE TABLE t (a INT, FOREIGN KEY (a))", "the table constraint FOREIGN", 24],
    ["CREATE TABLE t (a INT PRIMARY KEY) WITH x", "WITH", 36],
    ["CREATE VIEW v AS SELECT 1", "CREATE VIEW", 1],
    ["ALTER TABLE t RENAME TO u", "renaming a table", 22],
    ["TRUNCATE t", "the statement TRUNCATE", 1],
    ["PRAGMA user_version", "the statement PRAGMA", 1],
  ])("refuses %s and names it", (text, what, column) => {
    const { code, message, details } = refusal(text);
    expect({ code, message, details }).toEqual({
      code: "SQL_SYNTAX_ERROR",
      message: `not supported: ${what}`,
      details: `line 1, column ${column}`,
    });
  });
});

describe("texts that are not statements", () => {
  it.each([
    ["", "unexpected end of the statement", "line 1, column 1: expected SELECT"],
    ["SELECT a\n FROM select", 'unexpected "select"', "line 2, column 7: expected "],
    [
      "SELECT a FROM t WHERE a = :sku AND b = ?",
      'unexpected ":"',
      "line 1, column 27: expected a value; write ? instead of :sku",
    ],
    ["SELECT a FROM t WHERE a = 'x", `unexpected "'"`, "line 1, column 27: expected a value"],
    ["SELECT a FROM t /* open", 'unexpected "/"', "line 1, column 17: expected "],
    [
      "SELECT a FROM t WHERE (a = 1",
      "unexpected end of the statement",
      "line 1, column 29: expected AND or OR or )",
    ],
    ["SELECT a FROM t WHERE a IN ()", 'unexpected ")"', "line 1, column 29: "],
    ["SELECT a FROM t LIMIT -1", 'unexpected "-"', "line 1, column 23: expected a whole number or ?"],
  ])("says where %j goes wrong", (text, message, details) => {
    const error = refusal(text);
    expect(error).toMatchObject({ code: "SQL_SYNTAX_ERROR", message });
    expect(error.details).toContain(details);
  });

  it.each([
    ["parentheses", `SELECT a FROM t WHERE ${"(".repeat(20_000)}a = 1${")".repeat(20_000)}`],
    ["parentheses between comparisons", `SELECT a FROM t WHERE ${"a > 1 AND (".repeat(5000)}a = 1`],
    ["NOT", `SELECT a FROM t WHERE ${"NOT ".repeat(15_000)}a = 1`],
    ["types", `CREATE TABLE t (a ${"LIST<".repeat(10_000)}INT`],
    ["types with white space", `CREATE TABLE t (a ${"MAP <INT, ".repeat(6000)}INT`],
    ["lists", `SELECT a FROM t WHERE a = ${"[".repeat(30_000)}`],
    ["maps", `INSERT INTO t VALUES (${"{1: ".repeat(10_000)}`],
  ])("refuses %s nested without end", (_, text) => {
    expect(refusal(text)).toMatchObject({
      code: "SQL_SYNTAX_ERROR",
      message: "the statement is nested more than 64 levels deep",
    });
  });

  it.each([
    ["sets", "{", "}"],
    ["keys", "{", ": 1}"],
    ["lists that do not end", "[{", ""],
  ])("reads %s nested to the bound at once", (_, open, close) => {
    const depth = 60 / open.length;
    const parsing = measureProcessorMs(() => {
      try {
        parseSql(`INSERT INTO t VALUES (${open.repeat(depth)}1${close.repeat(depth)})`);
      } catch (error) {
        expect(error).toBeInstanceOf(SqlError);
      }
    });
    expect(parsing).toBeLessThan(2000);
  });

  it("accepts long chains", () => {
    const chain = (word: string): string => `SELECT a FROM t WHERE a = 1${` ${word} list < 5`.repeat(4000)}`;
    expect(parseSql(chain("AND")).statement).toMatchObject({ where: { kind: "and" } });
    expect(parseSql(chain("OR")).statement).toMatchObject({ where: { kind: "or" } });
  });

  it("refuses texts over the limit", () => {
    expect(refusal(`SELECT a FROM t -- ${"x".repeat(65_536)}`).code).toBe("SQL_SYNTAX_ERROR");
  });

  it("throws only SqlError, in bounded time", () => {
    const pieces = fc.constantFrom(
      ..."SELECT FROM WHERE AND OR NOT ( ) [ ] { } , ; ? * = < > <= != 'a' ' \" \"q\" -- /* */ 1 -1.5e3 X'00' a b t".split(
        " ",
      ),
      ..."INSERT INTO VALUES UPDATE SET DELETE CREATE TABLE INDEX UNIQUE ALTER ADD DROP RENAME TO PRIMARY KEY".split(
        " ",
      ),
      ..."LIST< SET< MAP< INT TEXT COUNT ( IN BETWEEN LIKE IS NULL ORDER BY LIMIT ALLOW FILTERING \n \0 é 𝄞".split(
        " ",
      ),
    );
    const mutated = fc
      .tuple(statements.map(printSql), fc.nat(), fc.nat(20), fc.oneof(pieces, fc.string({ unit: "binary" })))
      .map(([text, at, cut, piece]) => {
        const start = at % (text.length + 1);
        return text.slice(0, start) + piece + text.slice(start + cut);
      });
    const random = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.array(pieces, { maxLength: 60 }).map((words) => words.join(" ")),
      mutated,
    );
    fc.assert(
      fc.property(random, (text) => {
        const parsing = measureProcessorMs(() => {
          try {
            parseSql(text);
          } catch (error) {
            if (!(error instanceof SqlError)) throw error;
            if (error.code !== "SQL_SYNTAX_ERROR") throw new Error(`refused with ${error.code}`);
          }
        });
        if (parsing >= 1000) throw new Error(`took ${parsing} ms`);
      }),
      { numRuns: getPropertyRuns(800) },
    );
  });
});
