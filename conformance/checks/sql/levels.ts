import { isRefused } from "../../client/is-refused.js";
import { type Scope, scopes } from "../../../openapi/schemas/roles.js";
import { defineChecks } from "../../check/check.js";
import type { Answer, Caller } from "../../client/client.js";
import type { CheckContext } from "../../check/context.js";
import { type TableSpec, tableSpec } from "../../models/sql-table.js";
import { int } from "../../models/sql-types.js";
import { codeOf, Sql, type Table } from "../../steps/sql/calls.js";
import { ownName } from "../../steps/sql/rows-of.js";
import { schemaNow } from "./schema-now.js";

const spec: TableSpec = tableSpec({ k: "INT", v: "INT" }, ["k"]);

/** A table with one row, at the owner's disposal. */
async function withRow(context: CheckContext, work: (table: Table) => Promise<void>): Promise<void> {
  const sql = await Sql.of(context);
  await sql.withTable(spec, async (table) => {
    await table.fill([{ k: int(1), v: int(1) }]);
    await work(table);
  });
}

async function assertSelects(context: CheckContext, caller: Caller): Promise<void> {
  await withRow(context, async (table) => {
    const statements = [
      `SELECT * FROM ${table.name}`,
      `SELECT v FROM ${table.name} WHERE k = 1`,
      `SELECT COUNT(*) FROM ${table.name}`,
    ];
    for (const sql of statements) {
      const { rows } = await table.sql.rows({ sql }, undefined, { as: caller }, "SQL-43");
      context.assertEqual("SQL-43", rows.length, 1, `rows for ${caller.name}`);
    }
  });
}

/** Three writes; each is seen to be done. */
async function assertWrites(context: CheckContext, caller: Caller): Promise<void> {
  await withRow(context, async (table) => {
    const send = async (sql: string) =>
      context.assertStatus("SQL-44", await table.sql.query({ sql }, { as: caller }), 200);
    await send(`INSERT INTO ${table.name} (k, v) VALUES (2, 2)`);
    table.model.insert({ k: "2", v: "2" });
    await send(`UPDATE ${table.name} SET v = 3 WHERE k = 1`);
    table.model.insert({ k: "1", v: "3" });
    await table.assertRows("SQL-44", [], `rows after writes of ${caller.name}`);
    await send(`DELETE FROM ${table.name} WHERE k = 1`);
    table.model.delete(table.whereKey({ k: int(1) }));
    await table.assertRows("SQL-44", [], `rows after writes of ${caller.name}`);
  });
}

/** Three writes that are denied and change nothing. */
async function assertNoWrites(context: CheckContext, caller: Caller): Promise<void> {
  await withRow(context, async (table) => {
    for (const sql of [
      `INSERT INTO ${table.name} (k, v) VALUES (2, 2)`,
      `UPDATE ${table.name} SET v = 3 WHERE k = 1`,
      `DELETE FROM ${table.name} WHERE k = 1`,
    ]) {
      const answer = await table.sql.query({ sql }, { as: caller, intent: "invalid" });
      assertDenied(context, "SQL-44", answer, caller);
      await table.assertRows("SQL-44", [], `rows after the denied write of ${caller.name}`);
    }
  });
}

/** CREATE, ALTER and DROP of a table; each is seen to be done. */
async function assertDefines(context: CheckContext, caller: Caller): Promise<void> {
  const sql = await Sql.of(context);
  const name = context.resources.letters();
  await context.resources.make({ kind: "table", name, parent: sql.databaseId }, undefined, async () =>
    context.assertStatus(
      "SQL-45",
      await sql.execute(`CREATE TABLE ${name} (k INT, PRIMARY KEY (k))`, { as: caller }),
      200,
    ),
  );
  let altered = await sql.execute(`ALTER TABLE ${name} ADD COLUMN more INT`, { as: caller });
  if (altered.status !== 200) altered = await sql.execute(`ALTER TABLE ${name} ADD more INT`, { as: caller });
  context.assertStatus("SQL-45", altered, 200);
  const schema = context.assertStatus("SQL-45", await sql.schema(name), 200);
  const columns = (schema.body.columns as { name: string }[]).map((column) => ownName(column.name));
  context.assertEqual("SQL-45", columns.sort(), ["k", "more"], "columns of the table");
  context.assertStatus("SQL-45", await sql.execute(`DROP TABLE ${name}`, { as: caller }), 200);
  context.assertEqual("SQL-45", await sql.listed(name), undefined, "no table");
  await context.resources.remove("table", name);
}

/** CREATE, ALTER and DROP of a table are denied and change nothing. */
async function assertNoDefines(context: CheckContext, caller: Caller): Promise<void> {
  await withRow(context, async (table) => {
    const add = await table.sql.alter(table.name, "ADD", "more INT");
    const before = await schemaNow(table.sql, table.name);
    for (const sql of [`${add} another INT`, `DROP TABLE ${table.name}`]) {
      const answer = await table.sql.execute(sql, { as: caller, intent: "invalid" });
      assertDenied(context, "SQL-45", answer, caller);
      const after = await schemaNow(table.sql, table.name);
      context.assertEqual("SQL-45", after, before, `the schema after the denied statement of ${caller.name}`);
      await table.assertRows("SQL-45", [], `rows after the denied statement of ${caller.name}`);
    }
    const name = context.resources.letters();
    const answer = await context.resources.make(
      { kind: "table", name, parent: table.sql.databaseId },
      undefined,
      () =>
        table.sql.execute(`CREATE TABLE ${name} (k INT, PRIMARY KEY (k))`, { as: caller, intent: "invalid" }),
    );
    assertDenied(context, "SQL-45", answer, caller);
    context.assertEqual("SQL-45", await table.sql.listed(name), undefined, "no table");
  });
}

function assertDenied(
  context: CheckContext,
  clause: "SQL-44" | "SQL-45",
  answer: Answer,
  { name }: Caller,
): void {
  context.assert(
    clause,
    isRefused(answer) && codeOf(answer) === "ACCESS_DENIED",
    `ACCESS_DENIED for ${name}`,
    `status ${answer.status} with ${answer.text}`,
  );
  context.assertStatus("SQL-46", answer, 400);
}

type Level = "none" | "read" | "write" | "admin";

/** The level of a key: `*` grants everything (part 5), the target file may tell the others; else it is undefined. */
function toldLevel(context: CheckContext, scope: Scope): Level | undefined {
  if (scope === "*") return "admin";
  const told = context.known("sql-key-levels")?.find((entry) => entry.startsWith(`${scope} `));
  return told === undefined ? undefined : (told.slice(scope.length + 1) as Level);
}

/**
 * The level that a key shows by one statement of each kind, the mightiest first. From there on it is held to that level:
 * one that defines has to write and select as well, one that writes has to select.
 */
async function shownLevel(context: CheckContext, caller: Caller): Promise<Level> {
  const { resources } = context;
  const sql = await Sql.of(context);
  const name = resources.letters();
  const create = await resources.make({ kind: "table", name, parent: sql.databaseId }, undefined, () =>
    sql.execute(`CREATE TABLE ${name} (k INT, PRIMARY KEY (k))`, { as: caller }),
  );
  await resources.remove("table", name);
  if (create.status === 200) return "admin";
  let level: Level = "none";
  await withRow(context, async (table) => {
    const send = async (text: string) => (await sql.query({ sql: text }, { as: caller })).status === 200;
    if (await send(`UPDATE ${table.name} SET v = 1 WHERE k = 1`)) level = "write";
    else if (await send(`SELECT * FROM ${table.name}`)) level = "read";
  });
  return level;
}

/** A key without a level is refused whatever it asks for; how is not said. */
async function assertNothing(context: CheckContext, caller: Caller): Promise<void> {
  await withRow(context, async ({ sql, name }) => {
    for (const [clause, text] of [
      ["SQL-43", `SELECT * FROM ${name}`],
      ["SQL-43", `SELECT COUNT(*) FROM ${name}`],
      ["SQL-44", `INSERT INTO ${name} (k, v) VALUES (2, 2)`],
      ["SQL-44", `DELETE FROM ${name} WHERE k = 1`],
    ] as const) {
      const answer = await sql.query({ sql: text }, { as: caller, intent: "invalid" });
      context.assertRefused(clause, answer, `${caller.name} may not SELECT, so it may not do this`);
    }
    for (const text of [`ALTER TABLE ${name} ADD COLUMN more INT`, `DROP TABLE ${name}`]) {
      const answer = await sql.execute(text, { as: caller, intent: "invalid" });
      context.assertRefused("SQL-45", answer, `${caller.name} may not SELECT, so it may not do this`);
    }
    const { rows } = await sql.rows({ sql: `SELECT k FROM ${name}` });
    context.assertEqual("SQL-44", rows.length, 1, "rows after all that was refused");
  });
}

async function assertLevel(context: CheckContext, caller: Caller, level: Level): Promise<void> {
  if (level === "none") {
    await assertNothing(context, caller);
    return;
  }
  await assertSelects(context, caller);
  await (level === "read" ? assertNoWrites : assertWrites)(context, caller);
  await (level === "admin" ? assertDefines : assertNoDefines)(context, caller);
}

/** Which SQL level a scope has is open (gap `sql-key-levels`); what a level may do is not. */
const keyChecks = scopes.map((scope) => ({
  id: `sql/key-${scope.replace(":", "-").replace("*", "all")}` as const,
  title:
    scope === "*"
      ? "A key with the scope * selects, writes and defines"
      : `A key with the scope ${scope} may do what one SQL level allows, no more and no less`,
  clauses: ["SQL-43", "SQL-44", "SQL-45"] as const,
  needs: ["sql", "database", `key ${scope}`] as const,
  run: async (context: CheckContext) => {
    const caller = await context.actors.key(scope);
    const level = toldLevel(context, scope) ?? (await shownLevel(context, caller));
    await assertLevel(context, caller, level);
  },
}));

/** Part 4.8 rule 5. */
export const sqlLevelChecks = defineChecks(
  ...keyChecks,
  {
    id: "sql/jwt",
    title: "Owner, admin and member select, write and define with their JWT",
    clauses: ["SQL-43", "SQL-44", "SQL-45"],
    needs: ["sql", "database"],
    run: async (context: CheckContext) => {
      for (const name of ["owner", "admin", "member"] as const) {
        if (!context.offers(name)) continue;
        const caller = await context.actor(name);
        await assertSelects(context, caller);
        await assertWrites(context, caller);
        await assertDefines(context, caller);
      }
    },
  },
  {
    id: "sql/readonly-jwt",
    title: "A readonly user selects, and may do all of the rest or nothing of it",
    clauses: ["SQL-43", "SQL-44", "SQL-45"],
    needs: ["sql", "database", "readonly"],
    run: async (context: CheckContext) => {
      const caller = await context.actor("readonly");
      await assertSelects(context, caller);
      // gap `sql-readonly-user`
      await withRow(context, async (table) => {
        const update = { sql: `UPDATE ${table.name} SET v = 1 WHERE k = 1` };
        const { status } = await table.sql.query(update, { as: caller });
        await (status === 200 ? assertWrites : assertNoWrites)(context, caller);
        await (status === 200 ? assertDefines : assertNoDefines)(context, caller);
      });
    },
  },
);
