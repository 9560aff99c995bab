import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import type { ClauseId } from "../../../openapi/clauses/register.js";
import type { ApiResponse } from "../../client/client.js";
import type { CheckContext } from "../../check/context.js";
import { anyText, foldText, maxPortableKeyBytes } from "../../generators/sql.js";
import { createTableSpec } from "../../models/sql-table.js";
import { type SqlLiteral, type SqlValue, toSqlValue } from "../../models/sql-types.js";
import {
  assertSqlError,
  defineSqlChecks,
  getErrorCode,
  type SqlClient,
  type SqlStatement,
} from "../../steps/sql/sql-client.js";
import {
  type TableUnderTest,
  toCanonicalRow,
  whereEqual,
  withTable,
} from "../../steps/sql/table-under-test.js";

/** Creates a value from a JSON text that a column cannot store. */
const createInvalidValue = (json: string): SqlValue => ({ json, canonical: null });

const spec = createTableSpec({ p: "VARCHAR", n: "INT", v: "INT", w: "VARCHAR" }, ["p"], ["n"]);

/** Creates a table with three rows. */
async function withRows(sql: SqlClient, work: (table: TableUnderTest) => Promise<void>): Promise<void> {
  await withTable(sql, spec, async (table) => {
    for (const n of [1, 2, 3]) await table.insert({ p: "a", n, v: n % 2, w: "w" });
    await work(table);
  });
}

/** Checks of SQL statements and of refused statements (part 4.8 rules 1, 2 and 4, and part 7). */
export const sqlStatementChecks = defineSqlChecks(
  {
    id: "sql/paths",
    title: "The SQL interface's paths contain no version",
    clauses: ["SQL-51"],
    run: async (sql, context: CheckContext) => {
      await withTable(sql, spec, async (table) => {
        const as = await context.actor("owner");
        const prefix = `/databases/${encodeURIComponent(sql.databaseId)}/sql`;
        const body = { sql: `SELECT * FROM ${table.name}` };
        for (const [method, target, call] of [
          ["POST", "/query", { body }],
          ["POST", "/execute", { body: { sql: `CREATE INDEX i_${table.name} ON ${table.name} (v)` } }],
          ["GET", `/tables/${table.name}/schema`, {}],
        ] as const) {
          const response = await context.client.send(method, prefix + target, { as, ...call });
          context.assertStatus("SQL-51", response, 200);
        }
      });
    },
  },
  {
    id: "sql/endpoints",
    title:
      "`query` runs row statements, `execute` runs table and index definitions; a rejected statement has no effect",
    clauses: ["SQL-04", "SQL-05", "SQL-06", "SQL-07", "SQL-08"],
    run: async (sql, context: CheckContext) => {
      const { resources } = context;
      const [name, other] = [resources.createPlainName(), resources.createPlainName()];
      const assertDefined = (response: ApiResponse) => {
        context.assertStatus("SQL-06", response, 200);
        context.assertEqual("SQL-08", response.body.success, true, "success");
      };
      assertDefined(await sql.createTable(name, "p VARCHAR, n INT, v INT, PRIMARY KEY (p, n)"));
      const index = `CREATE INDEX i_${name} ON ${name} (v)`;
      assertDefined(await sql.execute(index));
      await sql.dropIndex(`i_${name}`, name);
      assertDefined(await sql.execute(index));
      const add = await sql.addColumn(name, "w INT");
      for (const statement of [
        `INSERT INTO ${name} (p, n, v, w) VALUES ('a', 1, 2, 3)`,
        `SELECT *\n\tFROM ${name}\r\nWHERE p='a' AND n=1`,
        `SELECT * FROM ${name} WHERE p = 'join the group by the river, or select another'`,
        `UPDATE ${name} SET v = 3 WHERE n = 1 AND p = 'a'`,
        `DELETE FROM ${name} WHERE p = 'a' AND n = 1`,
        `INSERT INTO ${name} (p, n, v, w) VALUES ('it''s (a), b', 1, 4, NULL)`,
        `INSERT INTO ${name} (p, n, v, w) VALUES ('a', 1, 4, 5)`,
      ])
        await sql.write("SQL-04", statement);
      const keys = (await sql.select(`SELECT p FROM ${name}`)).rows.map(({ p }) => p).sort();
      context.assertEqual("SQL-04", keys, ["a", "it's (a), b"], "the keys of the rows");
      const readState = async () => {
        const isThere = (await sql.findTable(name)) !== undefined;
        const rows = isThere ? (await sql.select(`SELECT * FROM ${name}`)).rows.map(normalizeNumbers) : [];
        const hasOther = (await sql.findTable(other)) !== undefined;
        const schema = isThere ? await sql.readSchema(name) : undefined;
        return { isThere, hasOther, schema, rows };
      };
      let before = await readState();
      // An endpoint may execute statements that belong to the other one, but must then have the
      // effect that it reports.
      for (const [clause, endpoint, statement] of [
        ["SQL-05", "query", `CREATE TABLE ${other} (k INT, PRIMARY KEY (k))`],
        ["SQL-05", "query", `${add} more INT`],
        ["SQL-05", "query", `CREATE INDEX j_${name} ON ${name} (w)`],
        ["SQL-05", "query", `DROP INDEX i_${name}`],
        ["SQL-07", "execute", `INSERT INTO ${name} (p, n, v, w) VALUES ('a', 2, 2, 2)`],
        ["SQL-07", "execute", `UPDATE ${name} SET v = 9 WHERE p = 'a' AND n = 1`],
        ["SQL-07", "execute", `DELETE FROM ${name} WHERE p = 'a' AND n = 1`],
        ["SQL-05", "query", `DROP TABLE ${name}`],
      ] as const) {
        const response = await sql[endpoint](statement, { intent: "may-be-refused" });
        if (response.status !== 200)
          context.assertRefused(clause, response, "the statement is executed or refused");
        const after = await readState();
        if (response.status !== 200)
          context.assertEqual(clause, after, before, `no change from ${statement}`);
        else {
          const isChanged = !isDeepStrictEqual(after, before);
          context.assert(clause, isChanged, `a change from ${statement}, which was accepted`, after);
        }
        before = after;
      }
      await resources.remove("table", other);
      if (before.isThere) assertDefined(await sql.dropTable(name));
    },
  },
  {
    id: "sql/parameters",
    title: "Markers are bound in order, and bound values are never parsed as SQL",
    clauses: ["SQL-09"],
    run: async (sql, context: CheckContext) => {
      const columns = Array.from({ length: 14 }, (_, index) => `c${index}`);
      const wide = createTableSpec(
        Object.fromEntries(columns.map((column) => [column, "INT"])),
        ["c0"],
        ["c1"],
      );
      await withTable(sql, wide, async (table) => {
        // More than ten markers, each with a different value.
        for (const start of [0, 100]) {
          await table.insert(
            Object.fromEntries(columns.map((column, index) => [column, start + index])),
            "SQL-09",
          );
          await table.assertRows("SQL-09", [], "each value in the column of its marker");
        }
        await table.update(whereEqual({ c0: 100, c1: 101 }), { c5: 1, c4: 2, c13: 3 }, "SQL-09");
        const swapped = whereEqual({ c0: 101, c1: 100 });
        await table.assertRows("SQL-09", swapped, "no row: the keys are swapped");
      });
      const words = createTableSpec({ k: "VARCHAR", v: "VARCHAR", w: "VARCHAR" }, ["k"]);
      await context.property(
        {
          keys: fc.uniqueArray(
            anyText.filter((word) => word !== "" && Buffer.byteLength(word) <= maxPortableKeyBytes),
            { minLength: 1, maxLength: 4, selector: foldText },
          ),
          word: anyText,
        },
        async ({ keys, word }) => {
          await withTable(sql, words, async (table) => {
            for (const k of keys) await table.insert({ k, v: word, w: "w" }, "SQL-09");
            await table.assertRows("SQL-09", [], "the bound texts, unchanged");
            for (const k of keys)
              await table.assertRows("SQL-09", whereEqual({ k }), "the row with this text");
            for (const [index, k] of keys.entries()) {
              await table.update(whereEqual({ k: keys[index + 1] ?? k }), { v: k }, "SQL-09");
              await table.delete(whereEqual({ k }), "SQL-09");
            }
          });
        },
        {
          examples: [
            { keys: ["a", "b ", " c", "D", "'"], word: " b " },
            {
              keys: ["' OR '1'='1", "' OR 1=1 --", "x', w = 'stolen", "\\' OR 1=1 --", "x'); --"],
              word: "'; --",
            },
            { keys: ["?", ":k", "$1", "NULL"], word: "?" },
          ],
        },
      );
      await withTable(sql, words, async (table) => {
        // A question mark in quotes is not a marker.
        const quoted = `INSERT INTO ${table.name} (k, v, w) VALUES (?, 'what?', ?)`;
        await sql.write("SQL-09", { sql: quoted, values: ["quoted", "why"] });
        table.model.insert(toCanonicalRow({ k: "quoted", v: "what?", w: "why" }));
        await table.assertRows("SQL-09", [], "the bound texts, unchanged");
        // A missing value must not be NULL for a key.
        const missing = { sql: `INSERT INTO ${table.name} (v, w, k) VALUES (?, ?, ?)`, values: ["a", "b"] };
        const response = await sql.query(missing, { intent: "invalid" });
        context.assertRefused("SQL-09", response, "the key's marker has no value");
        await table.assertRows("SQL-09", [], "rows after a statement with missing values");
      });
    },
  },
  {
    id: "sql/refused-forms",
    title: "Joins, subqueries, grouping, expressions and aggregates are rejected",
    clauses: ["SQL-16", "SQL-20", "SQL-21", "SQL-22", "SQL-23", "SQL-24"],
    run: async (sql) => {
      await withRows(sql, async (a) => {
        await withRows(sql, async ({ name: b }) => {
          await sql.define(`CREATE INDEX i_${a.name} ON ${a.name} (v)`);
          for (const [clause, statements] of Object.entries(listForbiddenForms(a.name, b)))
            await assertRefusals(sql, clause as ClauseId, undefined, statements);
          await a.assertRows("SQL-48", [], "rows after the refused statements");
        });
      });
    },
  },
  {
    id: "sql/syntax-errors",
    title: "A statement that cannot be parsed is a syntax error and changes nothing",
    clauses: ["SQL-46", "SQL-47"],
    run: async (sql, context: CheckContext) => {
      await withRows(sql, async (table) => {
        const { name } = table;
        await assertRefusals(sql, "SQL-47", "SQL_SYNTAX_ERROR", [
          `SELECT * ${name}`,
          "SELECT * FROM",
          `SELECT * FROM ${name} WHERE`,
          `SELECT * FROM ${name} WHERE p =`,
          `SELECT * FROM ${name} WHERE p = 'a' AND`,
          `SELECT * FROM ${name} WHERE p = 'a`,
          `SELECT * FROM ${name} WHERE (p = 'a'`,
          `SELECT * FROM ${name} ORDER n`,
          `SELECT * FROM ${name} LIMIT`,
          `SELECT COUNT(* FROM ${name}`,
          `SELECT p, FROM ${name}`,
          `INSERT INTO ${name} (p, n VALUES ('b', 1)`,
          `INSERT INTO ${name} (p, n) VALUES ('b', 1`,
          `INSERT INTO (p, n) VALUES ('b', 1)`,
          `UPDATE ${name} v = 9 WHERE p = 'a' AND n = 1`,
          `UPDATE ${name} SET WHERE p = 'a' AND n = 1`,
          `UPDATE ${name} SET v = WHERE p = 'a' AND n = 1`,
          "DELETE FROM",
          `DELETE FROM ${name} WHERE p = 'a' AND n = = 1`,
        ]);
        const other = context.resources.createPlainName();
        await assertRefusals(sql, "SQL-47", "SQL_SYNTAX_ERROR", [
          `CREATE TABLE ${other} (k INT, PRIMARY KEY (k)`,
          `CREATE TABLE ${other} (k INT, PRIMARY KEY k)`,
          `CREATE TABLE (k INT, PRIMARY KEY (k))`,
          `CREATE TABLE ${other} k INT, PRIMARY KEY (k)`,
          `ALTER TABLE ${name} ADD`,
          "ALTER TABLE",
          "DROP TABLE",
          `CREATE INDEX ON (v)`,
          `CREATE INDEX i_${name} ON ${name}`,
          "DROP INDEX",
        ]);
        context.assertEqual("SQL-47", await sql.findTable(other), undefined, "no table");
        await context.property(
          {
            template: fc.constantFrom(...validStatements),
            place: fc.nat(100),
            garbage: fc.constantFrom(")", ") (", "= ="),
          },
          async ({ template, place, garbage }) => {
            const words = template.split(" ");
            words.splice(1 + (place % words.length), 0, garbage);
            const statement = words.join(" ").replace("{table}", name);
            await sql.assertRefusal("SQL-47", statement, "SQL_SYNTAX_ERROR");
          },
          { share: 3 },
        );
        await table.assertRows("SQL-47", [], "rows after statements that cannot be parsed");
      });
    },
  },
  {
    id: "sql/constraints",
    title: "Valid SQL that violates a constraint is rejected as a constraint violation and changes nothing",
    clauses: ["SQL-46", "SQL-48"],
    run: async (sql, context: CheckContext) => {
      await withRows(sql, async (table) => {
        const { name } = table;
        const insert = (n: SqlLiteral, v: SqlLiteral, p: SqlLiteral = "b"): SqlStatement => ({
          sql: `INSERT INTO ${name} (p, n, v) VALUES (?, ?, ?)`,
          values: [p, n, v],
        });
        const violations: readonly SqlStatement[] = [
          { sql: `INSERT INTO ${name} (p, v) VALUES ('b', 1)` },
          { sql: `INSERT INTO ${name} (n, v) VALUES (1, 1)` },
          insert(null, 1),
          insert(1, 1, null),
        ];
        // The specification leaves open the code for a value that does not belong to the type of its column.
        const text = createInvalidValue('"no number"');
        const wrongTypes: readonly SqlStatement[] = [
          insert(1, text),
          insert(text, 1),
          insert(1, createInvalidValue("[1]")),
          insert(1, createInvalidValue('{"a":1}')),
          { sql: `UPDATE ${name} SET v = ? WHERE p = 'a' AND n = 1`, values: [text] },
          { sql: `UPDATE ${name} SET w = 'changed', v = ? WHERE p = 'a' AND n = 1`, values: [text] },
        ];
        for (const statement of [...violations, ...wrongTypes]) {
          const because = `${statement.sql} with ${JSON.stringify(statement.values?.map((value) => toSqlValue(value).json) ?? [])}`;
          const code = wrongTypes.includes(statement) ? undefined : "SQL_VALIDATION_ERROR";
          await sql.assertRefusal("SQL-48", statement, code, because);
          await table.assertRows("SQL-48", [], "rows after the refused write");
        }
        // The specification leaves open the code for names that do not exist.
        const named = [
          `SELECT nothing FROM ${name}`,
          `SELECT * FROM ${name} WHERE p = 'a' AND nothing = 1`,
          `INSERT INTO ${name} (p, n, nothing) VALUES ('b', 1, 1)`,
          `UPDATE ${name} SET nothing = 1 WHERE p = 'a' AND n = 1`,
        ];
        await assertRefusals(sql, "SQL-48", undefined, named, () =>
          table.assertRows("SQL-48", [], "rows after the refused statement"),
        );
        const schema = await sql.readSchema(name);
        const definitions = [
          `CREATE TABLE ${name} (k INT, PRIMARY KEY (k))`,
          `CREATE TABLE x_${name} (k INT, PRIMARY KEY (other))`,
          `CREATE TABLE x_${name} (k INT, k INT, PRIMARY KEY (k))`,
          `CREATE INDEX i_${name} ON ${name} (nothing)`,
          `ALTER TABLE ${name} DROP COLUMN nothing`,
          `ALTER TABLE ${name} ADD COLUMN v INT`,
          `DROP INDEX i_${name}`,
        ];
        await assertRefusals(sql, "SQL-48", undefined, definitions, async () =>
          context.assertEqual("SQL-48", await sql.readSchema(name), schema, "the schema, unchanged"),
        );
        context.assertEqual("SQL-48", await sql.findTable(`x_${name}`), undefined, "no table");
        await table.assertRows("SQL-48", [], "rows after the refused definitions");
      });
    },
  },
  {
    id: "sql/unknown-table",
    title: "Every statement on a table that does not exist is rejected with TABLE_NOT_FOUND",
    clauses: ["SQL-46", "SQL-49"],
    run: async (sql, context: CheckContext) => {
      const name = context.resources.createPlainName();
      await assertRefusals(sql, "SQL-49", "TABLE_NOT_FOUND", [
        `SELECT * FROM ${name}`,
        `SELECT v FROM ${name} WHERE k = 1`,
        `SELECT COUNT(*) FROM ${name}`,
        `INSERT INTO ${name} (k, v) VALUES (1, 1)`,
        `UPDATE ${name} SET v = 1 WHERE k = 1`,
        `DELETE FROM ${name} WHERE k = 1`,
        `CREATE INDEX i_${name} ON ${name} (v)`,
        `DROP TABLE ${name}`,
      ]);
      const because = "the table does not exist";
      const altered = await sql.execute(`ALTER TABLE ${name} ADD COLUMN v INT`, { intent: "invalid" });
      // The specification does not define the syntax of ALTER TABLE.
      if (getErrorCode(altered) !== "SQL_SYNTAX_ERROR")
        assertSqlError(context, "SQL-49", altered, "TABLE_NOT_FOUND", because);
      const schema = await sql.getSchema(name, { intent: "invalid" });
      assertSqlError(context, "SQL-49", schema, "TABLE_NOT_FOUND", because);
      context.assertEqual("SQL-49", await sql.findTable(name), undefined, "no table after these statements");
    },
  },
  {
    id: "sql/unknown-database",
    title: "Every statement with an invalid database id is rejected with DATABASE_NOT_FOUND",
    clauses: ["SQL-46", "SQL-50"],
    run: async (sql, context: CheckContext) => {
      // The first successful call finds the route of this operation.
      await sql.listTables();
      await context.property(
        { rest: fc.stringMatching(/^[a-z0-9]{1,20}$/) },
        async ({ rest }) => {
          const path = { databaseId: `${context.resources.run}-${rest}`, tableName: "anything" };
          for (const [operationId, sql] of [
            ["runSqlQuery", "SELECT * FROM anything"],
            ["executeSql", "CREATE TABLE anything (k INT, PRIMARY KEY (k))"],
            ["listSqlTables"],
            ["getSqlTableSchema"],
          ] as const) {
            const body = sql === undefined ? {} : { body: { sql } };
            const response = await context.call(operationId, { path, ...body, intent: "invalid" });
            assertSqlError(context, "SQL-50", response, "DATABASE_NOT_FOUND", "the database does not exist");
          }
        },
        { share: 0.5 },
      );
    },
  },
);

/** Sends statements, and asserts that each is refused, with a code if one is given. */
async function assertRefusals(
  sql: SqlClient,
  clause: ClauseId,
  code: string | undefined,
  statements: readonly string[],
  assertUnchanged?: () => Promise<void>,
): Promise<void> {
  for (const statement of statements) {
    await sql.assertRefusal(clause, statement, code);
    await assertUnchanged?.();
  }
}

/** Statements that other SQL dialects accept, by the clause that forbids them. */
function listForbiddenForms(a: string, b: string): Readonly<Partial<Record<ClauseId, readonly string[]>>> {
  return {
    "SQL-20": [
      `SELECT * FROM ${a} JOIN ${b} ON ${a}.p = ${b}.p`,
      `SELECT * FROM ${a} INNER JOIN ${b} ON ${a}.p = ${b}.p`,
      `SELECT * FROM ${a} LEFT JOIN ${b} ON ${a}.p = ${b}.p`,
      `SELECT * FROM ${a} LEFT OUTER JOIN ${b} ON ${a}.p = ${b}.p`,
      `SELECT * FROM ${a} CROSS JOIN ${b}`,
      `SELECT * FROM ${a} NATURAL JOIN ${b}`,
      `SELECT * FROM ${a} JOIN ${b} USING (p)`,
      `SELECT * FROM ${a}, ${b}`,
      `SELECT COUNT(*) FROM ${a} JOIN ${b} ON ${a}.p = ${b}.p WHERE p = 'a'`,
    ],
    "SQL-21": [
      `SELECT * FROM ${a} WHERE p IN (SELECT p FROM ${b})`,
      `SELECT * FROM ${a} WHERE p = (SELECT p FROM ${b} LIMIT 1)`,
      `SELECT * FROM ${a} WHERE p = 'a' AND n = (SELECT n FROM ${b} LIMIT 1)`,
      `SELECT * FROM ${a} WHERE EXISTS (SELECT * FROM ${b})`,
      `SELECT * FROM (SELECT * FROM ${b})`,
      `SELECT p, (SELECT COUNT(*) FROM ${b}) FROM ${a}`,
      `UPDATE ${a} SET v = (SELECT v FROM ${b} LIMIT 1) WHERE p = 'a' AND n = 1`,
      `DELETE FROM ${a} WHERE p IN (SELECT p FROM ${b})`,
    ],
    "SQL-22": [
      `SELECT p, COUNT(*) FROM ${a} GROUP BY p`,
      `SELECT COUNT(*) FROM ${a} GROUP BY v`,
      `SELECT p FROM ${a} GROUP BY p`,
      `SELECT COUNT(*) FROM ${a} WHERE p = 'a' GROUP BY n`,
      `SELECT p, COUNT(*) FROM ${a} GROUP BY p HAVING COUNT(*) > 1`,
    ],
    "SQL-23": [
      `SELECT n + 1 FROM ${a}`,
      `SELECT n * 2 FROM ${a} WHERE p = 'a'`,
      `SELECT n - v FROM ${a}`,
      `SELECT v / n FROM ${a}`,
      `SELECT (n + v) * 2 FROM ${a}`,
      `SELECT p || w FROM ${a}`,
      `SELECT UPPER(p) FROM ${a}`,
      `SELECT CASE WHEN n > 1 THEN 'many' ELSE 'one' END FROM ${a}`,
      `SELECT p, n + 1 FROM ${a} WHERE p = 'a' AND n = 1`,
    ],
    "SQL-24": [
      `SELECT SUM(n) FROM ${a}`,
      `SELECT AVG(n) FROM ${a} WHERE p = 'a'`,
      `SELECT MIN(n) FROM ${a}`,
      `SELECT MAX(n) FROM ${a} WHERE p = 'a'`,
      `SELECT COUNT(*), SUM(n) FROM ${a}`,
      `SELECT max(v) FROM ${a}`,
    ],
    "SQL-16": [
      `SELECT * FROM ${a} WHERE p = 'a' ORDER BY v`,
      `SELECT * FROM ${a} WHERE p = 'a' ORDER BY w DESC`,
      `SELECT * FROM ${a} WHERE p = 'a' ORDER BY p`,
      `SELECT * FROM ${a} WHERE p = 'a' ORDER BY n, v`,
      `SELECT * FROM ${a} WHERE p = 'a' ORDER BY v ASC LIMIT 1`,
    ],
  };
}

/**
 * Valid statements with a space between any two tokens; other tokens in place of a space make them invalid. `{table}`
 * stands for the table, whose name differs between runs.
 */
const validStatements = [
  "SELECT * FROM {table} WHERE p = 'a' AND n = 1",
  "SELECT p , n FROM {table} WHERE p = 'a' ORDER BY n DESC LIMIT 3",
  "INSERT INTO {table} ( p , n , v ) VALUES ( 'b' , 1 , 2 )",
  "UPDATE {table} SET v = 9 WHERE p = 'a' AND n = 1",
  "DELETE FROM {table} WHERE p = 'a' AND n = 1",
] as const;

/** Converts the numbers in a row of texts and small numbers, which may be in any notation. */
function normalizeNumbers(row: Readonly<Record<string, unknown>>): unknown {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value === null || typeof value === "string" ? value : Number(value),
    ]),
  );
}
