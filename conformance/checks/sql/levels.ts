import { isSuccess } from "../../client/is-success.js";
import { scopes } from "../../../openapi/schemas/roles.js";
import { defineChecks } from "../../check/check.js";
import type { Caller } from "../../client/client.js";
import type { CheckContext } from "../../check/context.js";
import { createTableSpec } from "../../models/sql-table.js";
import { assertSqlError, SqlClient } from "../../steps/sql/sql-client.js";
import { type TableUnderTest, withTable } from "../../steps/sql/table-under-test.js";

/** SQL levels; each level includes the previous levels. */
const levels = ["none", "read", "write", "admin"] as const;
type Level = (typeof levels)[number];

/** Creates a table with one row, as the owner. The name of a column contains a word of SQL. */
async function withRow(context: CheckContext, work: (table: TableUnderTest) => Promise<void>): Promise<void> {
  const sql = await SqlClient.shared(context);
  await withTable(sql, createTableSpec({ k: "INT", updated: "INT" }, ["k"]), async (table) => {
    await table.fill([{ k: 1, updated: 1 }]);
    await work(table);
  });
}

/** Asserts that statements take effect if the level includes them, and are otherwise denied without effect. */
async function assertLevel(context: CheckContext, caller: Caller, level: Level): Promise<void> {
  await withRow(context, async (table) => {
    const { sql, name, model } = table;
    const other = context.resources.createPlainName();
    const add = await sql.addColumn(name, "more INT");
    const columns = ["k", "more", "updated"];
    const tables = new Set([name]);
    const statements: readonly [Level, "SQL-43" | "SQL-44" | "SQL-45", string, effect?: () => unknown][] = [
      ["read", "SQL-43", `SELECT * FROM ${name}`],
      ["read", "SQL-43", `SELECT updated FROM ${name} WHERE k = 1`],
      ["read", "SQL-43", `SELECT COUNT(*) FROM ${name}`],
      [
        "write",
        "SQL-44",
        `INSERT INTO ${name} (k, updated) VALUES (2, 2)`,
        () => model.insert({ k: "2", updated: "2" }),
      ],
      [
        "write",
        "SQL-44",
        `UPDATE ${name} SET updated = 3 WHERE k = 1`,
        () => model.insert({ k: "1", updated: "3" }),
      ],
      ["write", "SQL-44", `DELETE FROM ${name} WHERE k = 1`, () => model.delete(table.whereKey({ k: 1 }))],
      ["admin", "SQL-45", `${add} added INT`, () => columns.unshift("added")],
      ["admin", "SQL-45", `CREATE TABLE ${other} (k INT, PRIMARY KEY (k))`, () => tables.add(other)],
      ["admin", "SQL-45", `DROP TABLE ${name}`, () => tables.delete(name)],
    ];
    for (const [needed, clause, text, effect] of statements) {
      const isAllowed = levels.indexOf(level) >= levels.indexOf(needed);
      if (isAllowed && needed === "read") {
        const { rows } = await sql.select(text, { as: caller }, clause);
        context.assertEqual(clause, rows.length, 1, `rows for ${caller.name}`);
        continue;
      }
      const isDefinition = needed === "admin";
      const send = (statement: string, toExecute = isDefinition) => {
        const how = { as: caller, intent: isAllowed ? "valid" : "invalid" } as const;
        return toExecute ? sql.execute(statement, how) : sql.query(statement, how);
      };
      const response = await send(text);
      const because = `${caller.name} is not allowed to do this`;
      if (isAllowed) {
        context.assertStatus(clause, response, 200);
        effect?.();
      } else {
        // Other notations and the other endpoint must not help; they may have a different error.
        for (const odd of [
          await send(text.toLowerCase()),
          await send(`\n${text}`),
          await send(text, !isDefinition),
        ])
          context.assert(clause, !isSuccess(odd), because, odd.text);
        // A deployment may run only the first of two statements.
        for (const end of ["", ";"])
          await sql.query(`SELECT k FROM ${name}; ${text}${end}`, { as: caller, intent: "may-be-refused" });
        if (level === "none") context.assertRefused(clause, response, because);
        else assertSqlError(context, clause, response, "ACCESS_DENIED", because);
      }
      const what = `after ${text} by ${caller.name}, whose SQL level is ${level}`;
      for (const each of [name, other]) {
        const isListed = (await sql.findTable(each)) !== undefined;
        context.assertEqual(clause, isListed, tables.has(each), `whether ${each} is in the list ${what}`);
      }
      if (!tables.has(name)) continue;
      const schema = await sql.readSchema(name, clause);
      const seen = schema.columns.map((column) => column.name);
      context.assertEqual(clause, seen.sort(), columns, `columns ${what}`);
      await table.assertRows(clause, [], `rows ${what}`);
    }
    await context.resources.remove("table", other);
  });
}

/**
 * Finds the level of a key with one statement of each kind, the most powerful kind first. Further statements must match
 * this level: a key that may define must also be able to write and read.
 */
async function detectLevel(context: CheckContext, caller: Caller): Promise<Level> {
  const { resources } = context;
  const sql = await SqlClient.shared(context);
  const name = resources.createPlainName();
  const create = await sql.createTable(name, "k INT, PRIMARY KEY (k)", { as: caller });
  await resources.remove("table", name);
  if (create.status === 200) return "admin";
  let level: Level = "none";
  await withRow(context, async (table) => {
    const send = async (text: string) => (await sql.query(text, { as: caller })).status === 200;
    if (await send(`UPDATE ${table.name} SET updated = 1 WHERE k = 1`)) level = "write";
    else if (await send(`SELECT * FROM ${table.name}`)) level = "read";
  });
  return level;
}

const clauses = ["SQL-43", "SQL-44", "SQL-45"] as const;

/** The specification defines the rights of SQL levels, but leaves open which scope has which level. */
const keyChecks = scopes.map((scope) => ({
  id: `sql/key-${scope.replace(":", "-").replace("*", "all")}` as const,
  title:
    scope === "*"
      ? "An API key with the scope * can read rows, write rows and define tables"
      : `An API key with the scope ${scope} has exactly the rights of one SQL level`,
  clauses,
  needs: ["sql", "database", `key ${scope}`] as const,
  run: async (context: CheckContext) => {
    const caller = await context.actors.getKeyCaller(scope);
    // Part 5: `*` grants everything.
    const level = scope === "*" ? "admin" : await detectLevel(context, caller);
    await assertLevel(context, caller, level);
  },
}));

/** Checks of SQL access levels (part 4.8 rule 5). */
export const sqlLevelChecks = defineChecks(
  ...keyChecks,
  {
    id: "sql/jwt",
    title: "Owners, admins and members can read rows, write rows and define tables with a JWT",
    clauses,
    needs: ["sql", "database"],
    run: async (context: CheckContext) => {
      for (const name of ["owner", "admin", "member"] as const)
        if (context.offers(name)) await assertLevel(context, await context.actor(name), "admin");
    },
  },
  {
    id: "sql/readonly-jwt",
    title: "A readonly user can run SELECT, and either all other statements or none",
    clauses,
    needs: ["sql", "database", "readonly"],
    run: async (context: CheckContext) => {
      const caller = await context.actor("readonly");
      // gap `sql-readonly-user`
      await withRow(context, async ({ sql, name }) => {
        const { status } = await sql.query(`UPDATE ${name} SET updated = 1 WHERE k = 1`, { as: caller });
        await assertLevel(context, caller, status === 200 ? "admin" : "read");
      });
    },
  },
);
