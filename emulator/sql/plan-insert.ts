import type { Profile } from "../../openapi/gaps/profile.js";
import { compileValue, createColumnEncoder, createNotNullError, type ValueGetter } from "./compile-value.js";
import { getColumn } from "./compile-where.js";
import { createSqlValidationError, rejectRepeatedColumn, type SqlError } from "./grammar/sql-error.js";
import { planBytesPerColumn, type StatementPlan, type SqlStore } from "./sql-request.js";
import { type Row, UniqueViolationError } from "./statement-cache.js";
import type { Insert } from "./grammar/syntax.js";
import { type Column, countIndexesOnColumn, type Table } from "./table.js";
import { type InputValue, type StoredValue, countStoredBytes, buildStoredBytesSql } from "./types/codec.js";
import { ValueBudget } from "./value-budget.js";
import {
  createWriteResult,
  rejectTooManyChangedEntries,
  rejectTooManyIndexBytes,
  rejectTooManyRepeatedBytes,
} from "./write-result.js";

/** Returns the values of the written columns in a row, once the parameters are known. @throws SqlError */
type RowGetter = (parameters: readonly InputValue[], budget: ValueBudget) => Row;

/** Compiles INSERT. @throws SqlError SQL_VALIDATION_ERROR */
export function planInsert(store: SqlStore, table: Table, insert: Insert, profile: Profile): StatementPlan {
  const given = insert.columns?.map((name) => getColumn(table, name)) ?? table.columns;
  rejectRepeatedColumn("INSERT names column", insert.columns ?? []);
  for (const column of table.columns)
    if (!given.includes(column) && column.defaultValue === null && !column.nullable)
      throw createNotNullError(column);
  const defaultBytes = table.columns
    .filter((column) => !given.includes(column))
    .reduce((sum, column) => sum + countStoredBytes(column.codec, column.defaultValue), 0);
  const repeatedBytes = insert.rows.length * defaultBytes;
  rejectTooManyRepeatedBytes(repeatedBytes);
  const overwrite = profile["sql-insert-existing"] === "overwrite";
  rejectTooManyChangedEntries(insert.rows.length, (overwrite ? 2 : 1) * table.indexes.length);
  // Columns that stay NULL are omitted, so that wide tables cost no more than narrow ones.
  const written = table.columns.filter((column) => given.includes(column) || column.defaultValue !== null);
  const places = written.map((column) => given.indexOf(column));
  const copies = written.map((column) => countIndexesOnColumn(table, column));
  const encoders = given.map(createColumnEncoder);
  const rows = insert.rows.map((values, number): RowGetter => {
    if (values.length !== given.length)
      throw createSqlValidationError(
        `row ${number + 1}: the number of values (${values.length}) differs from the number of columns (${given.length})`,
        "Give one value per column.",
      );
    const getters: ValueGetter<StoredValue | null>[] = [];
    for (const [index, encode] of encoders.entries()) {
      const value = values[index];
      if (value !== undefined) getters.push(compileValue(value, encode));
    }
    return (parameters, budget) =>
      written.map((column, index) => {
        const getValue = getters[places[index] ?? -1];
        return getValue === undefined ? column.defaultValue : budget.spend(getValue(parameters));
      });
  });
  const { write, sqlLength } = overwrite
    ? createOverwriter(store, table, written)
    : createInserter(store, table, written);
  const run: StatementPlan["run"] = (query, parameters) => {
    const budget = new ValueBudget(query);
    if (repeatedBytes > 0) store.reserve(repeatedBytes);
    let added = 0;
    let bytesDelta = 0;
    let bytesWritten = 0;
    let indexBytes = 0;
    for (const getRow of rows) {
      const row = getRow(parameters, budget);
      const bytes = countRowBytes(written, row);
      if (table.indexes.length > 0) {
        const copied = countRowBytes(written, row, copies);
        indexBytes += copied;
        rejectTooManyIndexBytes(indexBytes);
        store.reserve(copied);
      }
      const replaced = write(row);
      if (replaced === undefined) added += 1;
      bytesDelta += bytes - (replaced ?? 0);
      bytesWritten += bytes;
    }
    store.catalog.grow(table, added, bytesDelta);
    return createWriteResult(rows.length, { bytesDelta, bytesWritten });
  };
  return { run, bytes: sqlLength + planBytesPerColumn * written.length };
}

interface RowWriter {
  /**
   * Writes a row: the values of the written columns in their order. Returns the size of the replaced row; undefined if
   * there was none.
   */
  readonly write: (row: Row) => number | undefined;
  readonly sqlLength: number;
}

function createInserter(store: SqlStore, table: Table, written: readonly Column[]): RowWriter {
  const sql = buildInsertSql(table, written);
  const write = (row: Row): undefined => runWrite(store, table, sql, row);
  return { write, sqlLength: sql.length };
}

function createOverwriter(store: SqlStore, table: Table, written: readonly Column[]): RowWriter {
  const sizes = table.columns.map((column) => buildStoredBytesSql(column.codec, column.sqlName));
  const match = table.key.map((column) => `${column.sqlName} = ?`).join(" AND ");
  const before = `SELECT ${sizes.join(" + ")} FROM ${table.sqlName} WHERE ${match}`;
  const changes = table.columns
    .filter((column) => column.key === null)
    .map((column) => `${column.sqlName} = excluded.${column.sqlName}`);
  const key = table.key.map((column) => column.sqlName).join(", ");
  const sql = `${buildInsertSql(table, written)} ON CONFLICT (${key}) DO ${changes.length === 0 ? "NOTHING" : `UPDATE SET ${changes.join(", ")}`}`;
  const keyPlaces = table.key.map((column) => written.indexOf(column));
  const write = (row: Row): number | undefined => {
    const old = store.statements.first(
      before,
      keyPlaces.map((place) => row[place] ?? null),
    );
    runWrite(store, table, sql, row);
    return old === undefined ? undefined : Number(old[0]);
  };
  return { write, sqlLength: before.length + sql.length };
}

function buildInsertSql(table: Table, written: readonly Column[]): string {
  const names = written.map((column) => column.sqlName).join(", ");
  return `INSERT INTO ${table.sqlName} (${names}) VALUES (${written.map(() => "?").join(", ")})`;
}

/** Counts the size of a row. @param copies how often each value counts; by default once */
function countRowBytes(written: readonly Column[], row: Row, copies?: readonly number[]): number {
  let bytes = 0;
  for (const [index, column] of written.entries())
    bytes += countStoredBytes(column.codec, row[index] ?? null) * (copies?.[index] ?? 1);
  return bytes;
}

/** Runs a statement that writes rows. @throws SqlError SQL_VALIDATION_ERROR for a duplicate */
export function runWrite(store: SqlStore, table: Table, sql: string, values: Row): undefined {
  try {
    store.statements.run(sql, values);
  } catch (error) {
    throw error instanceof UniqueViolationError ? createDuplicateError(error, table) : error;
  }
}

/** Creates the error for a duplicate key or index entry. SQLite names the columns: `…failed: t.c0, t.c1`. */
function createDuplicateError({ message }: UniqueViolationError, { name, key, indexes }: Table): SqlError {
  const violated = [...message.matchAll(/\.(c\d+)/g)].map(([, column]) => column).join();
  const hasColumns = (columns: readonly Column[]) =>
    columns.map((column) => column.sqlName).join() === violated;
  const index = hasColumns(key) ? undefined : indexes.find((one) => one.unique && hasColumns(one.columns));
  return index === undefined
    ? createSqlValidationError(
        `table ${JSON.stringify(name)} already has a row with this primary key`,
        `The primary key is (${key.map((column) => column.name).join(", ")}).`,
      )
    : createSqlValidationError(
        `the unique index ${JSON.stringify(index.name)} already has an entry with these values`,
        "No two rows may have the same values in the index's columns.",
      );
}
