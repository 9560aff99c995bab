import { compileSlot, content } from "./check-value.js";
import { columnNamed, compileWhere } from "./check-where.js";
import { duplicate, planInsert } from "./plan-insert.js";
import { evaluate } from "./plan-select.js";
import { invalid } from "./grammar/sql-error.js";
import type { Plan, SqlProfile, SqlStore } from "./sql-request.js";
import type { Condition, Delete, Update } from "./grammar/syntax.js";
import type { Column, Table } from "./table.js";
import { storedBytes, storedBytesOf } from "./types/codec.js";
import { written } from "./written.js";

/** Compiles UPDATE. @throws SqlError SQL_VALIDATION_ERROR */
export function planUpdate(store: SqlStore, table: Table, update: Update, profile: SqlProfile): Plan {
  const assigned = update.assignments.map(({ column: name, value }, index) => {
    const column = columnNamed(table, name);
    if (column.key !== null)
      throw invalid(
        `column ${JSON.stringify(name)} is part of the primary key`,
        "A key does not change: insert another row and delete this one.",
      );
    if (update.assignments.findIndex((other) => other.column === name) !== index)
      throw invalid(`UPDATE names column ${JSON.stringify(name)} twice`, "Name each column once.");
    return { column, slot: compileSlot(value, content(column)) };
  });
  const filtering = update.allowFiltering || profile["sql-filtering"] === "always";
  const where = compileWhere(table, update.where, filtering);
  const measure = measureText(
    table,
    assigned.map(({ column }) => column),
    where.sql,
  );
  const changes = assigned.map(({ column }) => `${column.sqlName} = ?`).join(", ");
  const sql = `UPDATE ${table.sqlName} SET ${changes} ${where.sql}`;
  const otherwise = namesKey(table, update) ? planMissing(store, table, update, profile) : undefined;
  return ({ query, parameters }) => {
    const values = assigned.map(({ slot }) => slot(parameters));
    const selecting = evaluate(where.slots, parameters);
    const [rows, oldBytes] = store.statements.first(measure, selecting) as [number, number];
    if (rows === 0)
      return otherwise?.({ query, parameters }) ?? written(0, { bytesDelta: 0, bytesWritten: 0 }, profile);
    try {
      store.statements.run(sql, [...values, ...selecting]);
    } catch (error) {
      throw duplicate(error, table);
    }
    let newBytes = 0;
    for (const [index, { column }] of assigned.entries())
      newBytes += storedBytes(column.codec, values[index] ?? null);
    const bytesDelta = rows * newBytes - oldBytes;
    store.catalog.grow(table, 0, bytesDelta);
    return written(rows, { bytesDelta, bytesWritten: rows * newBytes }, profile);
  };
}

/** What UPDATE does where its WHERE names a key that no row has (gap `sql-update-missing`). */
function planMissing(store: SqlStore, table: Table, update: Update, profile: SqlProfile): Plan | undefined {
  const answer = profile["sql-update-missing"];
  if (answer === "nothing") return undefined;
  if (answer !== "upsert")
    return () => {
      throw invalid(
        `table ${JSON.stringify(table.name)} has no row with this primary key`,
        "UPDATE changes rows that are there.",
      );
    };
  const given = [...equalities(update), ...update.assignments];
  return planInsert(
    store,
    table,
    {
      kind: "insert",
      table: update.table,
      columns: given.map(({ column }) => column),
      rows: [given.map(({ value }) => value)],
    },
    profile,
  );
}

/** Whether the condition says `=` of each column of the key, and no more. */
function namesKey(table: Table, update: Update): boolean {
  const equal = equalities(update);
  const named = new Set(equal.map(({ column }) => column));
  return (
    equal.length === testsOf(update).length &&
    named.size === equal.length &&
    named.size === table.key.length &&
    table.key.every(({ name }) => named.has(name))
  );
}

function equalities(update: Update): readonly Extract<Condition, { kind: "compare" }>[] {
  return testsOf(update).flatMap((test) => (test.kind === "compare" && test.operator === "=" ? [test] : []));
}

function testsOf({ where }: Update): readonly Condition[] {
  return where === null ? [] : where.kind === "and" ? where.operands : [where];
}

/** Compiles DELETE. @throws SqlError SQL_VALIDATION_ERROR */
export function planDelete(store: SqlStore, table: Table, statement: Delete, profile: SqlProfile): Plan {
  const filtering = statement.allowFiltering || profile["sql-filtering"] === "always";
  const where = compileWhere(table, statement.where, filtering);
  const measure = measureText(table, table.columns, where.sql);
  const sql = `DELETE FROM ${table.sqlName} ${where.sql}`;
  return ({ parameters }) => {
    const selecting = evaluate(where.slots, parameters);
    const [rows, bytes] = store.statements.first(measure, selecting) as [number, number];
    if (rows > 0) store.statements.run(sql, selecting);
    store.catalog.grow(table, -rows, -bytes);
    return written(rows, { bytesDelta: -bytes, bytesWritten: bytes }, profile);
  };
}

/** SQL for the number of rows that a condition selects and the bytes that some columns take in them. */
export function measureText(table: Table, columns: readonly Column[], where: string): string {
  const sizes = columns.map((column) => storedBytesOf(column.codec, column.sqlName));
  return `SELECT count(*), coalesce(sum(${sizes.join(" + ")}), 0) FROM ${table.sqlName} ${where}`;
}
