import { isRefused } from "../../client/is-refused.js";
import type { ClauseId } from "../../../openapi/clauses/register.js";
import type { NewRow } from "../../generators/sql.js";
import type { Condition } from "../../models/sql-table.js";
import { canonicalRow, codeOf, type Statement, type Table, whereText } from "../../steps/sql/calls.js";

/**
 * UPDATE of columns that are no keys, with everything read back. Where WHERE names a key that no row has, the row may
 * be made, and nothing else (gap `sql-update-missing`).
 */
export async function update(
  table: Table,
  where: readonly Condition[],
  changes: NewRow,
  clause: ClauseId = "SQL-11",
): Promise<void> {
  const { sql, values = [] } = whereText(where);
  const columns = Object.keys(changes);
  if (columns.length === 0) return;
  const statement = {
    sql: `UPDATE ${table.name} SET ${columns.map((column) => `${column} = ?`).join(", ")}${sql}`,
    values: [...Object.values(changes), ...values],
  };
  const isMissing = namesOneRow(table, where) && table.model.select(where).length === 0;
  await change(table, clause, statement, where, isMissing, async () => {
    if (isMissing && (await isThere(table, where)))
      table.model.insert({ ...keyOf(where), ...canonicalRow(changes) });
    else table.model.update(where, canonicalRow(changes));
  });
}

/** DELETE, with everything read back. */
export async function remove(
  table: Table,
  where: readonly Condition[],
  clause: ClauseId = "SQL-12",
): Promise<void> {
  const { sql, values = [] } = whereText(where);
  const statement = { sql: `DELETE FROM ${table.name}${sql}`, values };
  await change(table, clause, statement, where, false, () => {
    table.model.delete(where);
    return Promise.resolve();
  });
}

/**
 * Sends a write whose WHERE may select several rows, and reads everything back. Whether a write may do with a part of
 * the key is open, and so is what is not there: where it is refused it changes nothing.
 */
async function change(
  table: Table,
  clause: ClauseId,
  statement: Statement,
  where: readonly Condition[],
  mayBeRefused: boolean,
  apply: () => Promise<void>,
): Promise<void> {
  const answer = await table.sql.query(statement);
  const isOpen =
    (mayBeRefused && isRefused(answer)) ||
    (!namesOneRow(table, where) &&
      ["SQL_VALIDATION_ERROR", "SQL_SYNTAX_ERROR"].includes(String(codeOf(answer))));
  // where the row is missing it may be made
  const most = Math.max(table.model.select(where).length, mayBeRefused ? 1 : 0);
  if (!isOpen) {
    table.sql.context.assertStatus(clause, answer, 200);
    await apply();
  }
  await table.assertRows(clause, [], isOpen ? "rows after the refused write" : "rows after the write");
  // the rows are what the write is about; its count comes after them
  if (!isOpen) table.sql.assertWritten(answer, most);
}

function namesOneRow(table: Table, where: readonly Condition[]): boolean {
  return table.model.key.every((column) =>
    where.some((condition) => condition.column === column && condition.operator === "="),
  );
}

async function isThere(table: Table, where: readonly Condition[]): Promise<boolean> {
  const { sql, values = [] } = whereText(where);
  return (await table.sql.rows({ sql: `SELECT * FROM ${table.name}${sql}`, values })).rows.length > 0;
}

function keyOf(where: readonly Condition[]) {
  return Object.fromEntries(where.map(({ column, value }) => [column, value.canonical]));
}
