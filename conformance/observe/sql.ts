import type { sqlGaps } from "../../openapi/gaps/sql.js";
import { toLowerCaseName } from "../steps/sql/sql-client.js";
import type { ApiResponse, CallOptions } from "../client/client.js";
import {
  createAcceptanceObserver,
  requireObjectArray,
  createChoiceObserver,
  findRouteAnswer,
  createObserver,
} from "./create-observers.js";
import type { GapObservers } from "./observer.js";
import type { ObserverContext } from "./observer-context.js";

const needed = ["database", "sql"] as const;

/** Sends a statement to `query`. */
async function query(context: ObserverContext, sql: string, call: CallOptions = {}): Promise<ApiResponse> {
  const path = { databaseId: await context.database() };
  return context.tryCall("runSqlQuery", { path, body: { sql }, ...call });
}

/** Sends a statement that must succeed for the observation to continue. */
async function run(context: ObserverContext, sql: string, parameters?: object): Promise<ApiResponse> {
  return context.requireSuccess(query(context, sql, parameters && { body: { sql, parameters } }), sql);
}

/** Creates a table with a key `k` and a column `v`. */
function table(context: ObserverContext): Promise<string> {
  return context.resources.createTable("k INT, v INT, PRIMARY KEY (k)");
}

/** Returns the value of `v` in the row with a key; undefined if there is no such row. */
async function selectValue(context: ObserverContext, name: string, k: number): Promise<unknown> {
  const [row] = getRows(await run(context, `SELECT v FROM ${name} WHERE k = ${k}`));
  return row?.v;
}

/** Returns the rows of a response with column names in lower case, because their case is left open. */
function getRows(response: ApiResponse): readonly Readonly<Record<string, unknown>>[] {
  return (response.body.rows as readonly object[]).map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [toLowerCaseName(name), value as unknown])),
  );
}

/** Returns the name of the only column of a result. */
function getOnlyColumn(context: ObserverContext, response: ApiResponse): string {
  const { columns } = response.body as { readonly columns: unknown };
  const [column, ...others] = requireObjectArray(context, columns, "the columns of a result");
  if (column === undefined || others.length > 0) return context.other(columns, "one column");
  return String(column.name);
}

/** Returns `accepted`, or the code of a refusal. */
function getOutcome(context: ObserverContext, response: ApiResponse): string {
  return context.isAccepted(response) ? "accepted" : String(response.body?.code);
}

export const sqlObservers = {
  "list-tables-route": createObserver(needed, async (context) =>
    findRouteAnswer(context, "list-tables-route", "listSqlTables", {
      path: { databaseId: await context.database() },
    }),
  ),
  "sql-insert-existing": createChoiceObserver(
    needed,
    { SQL_VALIDATION_ERROR: ["SQL_VALIDATION_ERROR", 1], overwrite: ["accepted", 2] },
    async (context) => {
      const name = await table(context);
      await run(context, `INSERT INTO ${name} (k, v) VALUES (1, 1)`);
      const code = getOutcome(context, await query(context, `INSERT INTO ${name} (k, v) VALUES (1, 2)`));
      const value = await selectValue(context, name, 1);
      return [code, value];
    },
  ),
  "sql-filtering": createObserver(needed, async (context) => {
    const name = await table(context);
    const select = `SELECT k FROM ${name} WHERE v = 1`;
    const [plainly, allowed] = [
      await query(context, select),
      await query(context, `${select} ALLOW FILTERING`),
    ];
    if (context.isAccepted(plainly)) return "always";
    return context.isAccepted(allowed)
      ? "with-allow-filtering"
      : context.other(allowed.text, "a statement that ends with ALLOW FILTERING succeeds");
  }),
  "sql-parameter-order": createChoiceObserver(
    needed,
    { document: [1, 0, 1, 0, 1], name: [0, 1, 0, 1, 1] },
    async (context) => {
      const name = await context.resources.createTable("p INT, c INT, PRIMARY KEY (p, c)");
      await run(context, `INSERT INTO ${name} (p, c) VALUES (1, 2)`);
      const find = async (parameters: object) =>
        getRows(await run(context, `SELECT c FROM ${name} WHERE p = ? AND c = ?`, parameters)).length;
      return [
        await find({ b: 1, a: 2 }),
        await find({ b: 2, a: 1 }),
        await find({ p10: 1, p2: 2 }),
        await find({ p10: 2, p2: 1 }),
        // Parameters with the names of columns are bound in their order as well.
        await find({ c: 1, p: 2 }),
      ];
    },
  ),
  "sql-readonly-user": createAcceptanceObserver(
    [...needed, "readonly"],
    ["everything", "select"],
    async (context) => {
      const name = await table(context);
      const as = await context.actor("readonly");
      return query(context, `INSERT INTO ${name} (k, v) VALUES (1, 1)`, { as });
    },
  ),
  "sql-identifier-case": createChoiceObserver(
    needed,
    {
      lower: ["mixed", "mixed", "mixed"],
      upper: ["MIXED", "MIXED", "MIXED"],
      exact: ["MiXed", "MiXed", "refused"],
    },
    async (context) => {
      const name = await context.resources.createTable("k INT, MiXed INT, PRIMARY KEY (k)");
      const path = { databaseId: await context.database() };
      // The deployment may change the case of the table name as well.
      const schemas: ApiResponse[] = [];
      for (const tableName of [name, name.toUpperCase()])
        schemas.push(await context.tryCall("getSqlTableSchema", { path: { ...path, tableName } }));
      const schema = schemas.find((response) => context.isAccepted(response));
      const columns = requireObjectArray(context, schema?.body?.columns, "the columns of a table");
      const other = await query(context, `SELECT mIxEd FROM ${name}`);
      return [
        // A result may repeat the spelling of the request.
        columns.find(({ name: column }) => String(column).toLowerCase() === "mixed")?.name,
        getOnlyColumn(context, await run(context, `SELECT MiXed FROM ${name}`)),
        context.isAccepted(other) ? getOnlyColumn(context, other) : "refused",
      ];
    },
  ),
} as const satisfies GapObservers<typeof sqlGaps>;
