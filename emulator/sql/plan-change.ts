import type { Profile } from "../../openapi/gaps/profile.js";
import { compileValue, createColumnEncoder } from "./compile-value.js";
import { type CompiledWhere, getColumn, compileWhere, rejectTooManyComparisons } from "./compile-where.js";
import { runWrite } from "./plan-insert.js";
import { createSqlValidationError, rejectRepeatedColumn } from "./grammar/sql-error.js";
import type { StatementPlan, SqlStore } from "./sql-request.js";
import type { Delete, Update } from "./grammar/syntax.js";
import { type Column, countIndexesOnColumn, type Table } from "./table.js";
import { countStoredBytes, buildStoredBytesSql, type StoredValue } from "./types/codec.js";
import { ValueBudget } from "./value-budget.js";
import {
  createWriteResult,
  maxChangedEntries,
  rejectTooManyChangedEntries,
  rejectTooManyChangedRows,
  rejectTooManyIndexBytes,
  rejectTooManyRepeatedBytes,
} from "./write-result.js";

/** Compiles UPDATE. @throws SqlError SQL_VALIDATION_ERROR */
export function planUpdate(store: SqlStore, table: Table, update: Update, profile: Profile): StatementPlan {
  const assigned = update.assignments.map(({ column: name, value }) => {
    const column = getColumn(table, name);
    if (column.key !== null)
      throw createSqlValidationError(
        `column ${JSON.stringify(name)} is part of the primary key`,
        "A primary key cannot be changed. Insert a new row and delete the old one.",
      );
    return {
      column,
      copies: countIndexesOnColumn(table, column),
      getValue: compileValue(value, createColumnEncoder(column)),
    };
  });
  rejectRepeatedColumn(
    "UPDATE names column",
    update.assignments.map(({ column }) => column),
  );
  const where = compileWhere(table, update, profile);
  const columns = assigned.map(({ column }) => column);
  const measure = createMeasure(store, table, columns, where);
  const changedIndexes = table.indexes.filter((index) =>
    columns.some((column) => index.columns.includes(column)),
  ).length;
  const changes = columns.map(({ sqlName }) => `${sqlName} = ?`).join(", ");
  const sql = `UPDATE ${table.sqlName} SET ${changes} ${where.sql}`;
  const run: StatementPlan["run"] = (query, parameters) => {
    const budget = new ValueBudget(query);
    const values = assigned.map(({ getValue }) => budget.spend(getValue(parameters)));
    const whereValues = budget.evaluate(where.values, parameters);
    rejectTooManyComparisons(where, store, table);
    const { rows, bytes: oldBytes, indexBytes: oldIndexBytes } = measure(whereValues, 2 * changedIndexes);
    if (rows === 0) return createWriteResult(0, { bytesDelta: 0, bytesWritten: 0 });
    let newBytes = 0;
    let indexBytes = 0;
    for (const [index, { column, copies }] of assigned.entries()) {
      const bytes = countStoredBytes(column.codec, values[index] ?? null);
      newBytes += bytes;
      indexBytes += rows * bytes * copies;
    }
    rejectTooManyRepeatedBytes((rows - 1) * newBytes);
    rejectTooManyIndexBytes(indexBytes + oldIndexBytes);
    const bytesDelta = rows * newBytes - oldBytes;
    const growth = Math.max(0, bytesDelta) + indexBytes;
    if (growth > 0) store.reserve(growth);
    runWrite(store, table, sql, [...values, ...whereValues]);
    store.catalog.grow(table, 0, bytesDelta);
    return createWriteResult(rows, { bytesDelta, bytesWritten: rows * newBytes });
  };
  return { run, bytes: measure.bytes + sql.length };
}

/** Compiles DELETE. @throws SqlError SQL_VALIDATION_ERROR */
export function planDelete(
  store: SqlStore,
  table: Table,
  statement: Delete,
  profile: Profile,
): StatementPlan {
  const where = compileWhere(table, statement, profile);
  const measure = createMeasure(store, table, table.columns, where);
  const sql = `DELETE FROM ${table.sqlName} ${where.sql}`;
  const run: StatementPlan["run"] = (query, parameters) => {
    const whereValues = new ValueBudget(query).evaluate(where.values, parameters);
    rejectTooManyComparisons(where, store, table);
    // Without a condition, SQLite removes all pages at once.
    const { rows, bytes, indexBytes } =
      where.sql === ""
        ? { ...store.catalog.getSize(table), indexBytes: 0 }
        : measure(whereValues, table.indexes.length);
    rejectTooManyIndexBytes(indexBytes);
    if (rows > 0) store.statements.run(sql, whereValues);
    store.catalog.grow(table, -rows, -bytes);
    return createWriteResult(rows, { bytesDelta: -bytes, bytesWritten: bytes });
  };
  return { run, bytes: measure.bytes + sql.length };
}

/** The number of selected rows, and the bytes of some of their columns, in the table and in the indexes. */
interface RowSizes {
  readonly rows: number;
  readonly bytes: number;
  readonly indexBytes: number;
}

/** The rows of larger tables are counted before they are measured, because measuring takes longer. */
const maxUncountedValues = 500_000;
const maxUncountedBytes = 16 * 1024 * 1024;

/**
 * Creates a function that measures the rows that a condition selects.
 *
 * @returns a function of the condition's values and of the number of index entries that each row changes; it throws an
 *   SqlError SQL_VALIDATION_ERROR if the statement would change too much
 */
function createMeasure(store: SqlStore, table: Table, columns: readonly Column[], where: CompiledWhere) {
  const sql = buildCountAndSizeSql(table, columns, where.sql);
  const countSql = `SELECT count(*) FROM (SELECT 1 FROM ${table.sqlName} ${where.sql} LIMIT ${maxChangedEntries + 1})`;
  const selectsOneRow = table.key.every((column) => where.fixedColumns.has(column));
  const measure = (whereValues: StoredValue[], indexEntries: number): RowSizes => {
    const size = selectsOneRow ? { rows: 1, bytes: 0 } : store.catalog.getSize(table);
    if (size.rows * table.columns.length > maxUncountedValues || size.bytes > maxUncountedBytes) {
      const [rows] = store.statements.first(countSql, whereValues) as [number];
      rejectTooManyChangedRows(rows, table.columns.length, size);
    }
    const sizes = readSizes(store, sql, whereValues);
    rejectTooManyChangedEntries(sizes.rows, indexEntries);
    return sizes;
  };
  return Object.assign(measure, { bytes: sql.length + countSql.length });
}

function readSizes(store: SqlStore, sql: string, whereValues: StoredValue[]): RowSizes {
  const [rows, bytes, indexBytes] = store.statements.first(sql, whereValues) as [number, number, number];
  return { rows, bytes, indexBytes };
}

/** Builds SQL that selects {@link RowSizes}. */
function buildCountAndSizeSql(table: Table, columns: readonly Column[], where: string): string {
  const sizes = columns.map((column) => buildStoredBytesSql(column.codec, column.sqlName));
  const inIndexes = columns.flatMap((column, place) => {
    const copies = countIndexesOnColumn(table, column);
    return copies === 0 ? [] : [`${copies} * (${sizes[place] ?? ""})`];
  });
  const sums = [sizes, inIndexes].map((summands) =>
    summands.length === 0 ? "0" : `coalesce(sum(${summands.join(" + ")}), 0)`,
  );
  return `SELECT count(*), ${sums.join(", ")} FROM ${table.sqlName} ${where}`;
}

/** Measures some columns of all rows of a table. @throws SqlError SQL_VALIDATION_ERROR if there are too many rows */
export function measureTable(store: SqlStore, table: Table, columns: readonly Column[]): RowSizes {
  const size = store.catalog.getSize(table);
  rejectTooManyChangedRows(size.rows, table.columns.length, size);
  return readSizes(store, buildCountAndSizeSql(table, columns, ""), []);
}
