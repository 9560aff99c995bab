import type { ClauseId } from "../../../openapi/clauses/register.js";
import { eventually } from "../../steps/eventually.js";
import type { Sql } from "../../steps/sql/calls.js";

/** Asserts that the list of tables says how many rows a table has; nothing says that it does at once. */
export async function assertRowCount(
  sql: Sql,
  table: string,
  expected: number,
  clause: ClauseId = "SQL-28",
): Promise<void> {
  const listed = await eventually(
    sql.context,
    async () => (await sql.listed(table))?.rowCount,
    (rowCount) => rowCount === expected,
  );
  sql.context.assertEqual(clause, listed, expected, "rowCount of the table");
}
