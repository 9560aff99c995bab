import { getColumn } from "./compile-where.js";
import { assertSqlNameLength, toColumnRecord, maxColumns, createDefinitionResult } from "./define-table.js";
import { measureTable } from "./plan-change.js";
import { createSqlValidationError } from "./grammar/sql-error.js";
import type { SqlContext, DefinitionResult, SqlStore } from "./sql-request.js";
import type { AlterTable, ColumnDefinition } from "./grammar/syntax.js";
import { rejectTooManyChangedRows, rejectTooManyRepeatedBytes } from "./write-result.js";
import { getColumnSqlName, buildColumnSql, type Table } from "./table.js";

/** ALTER TABLE. @throws SqlError TABLE_NOT_FOUND, SQL_VALIDATION_ERROR */
export function alterTable(store: SqlStore, statement: AlterTable, context: SqlContext): DefinitionResult {
  const table = store.catalog.get(context.databaseId, statement.table);
  const { action } = statement;
  switch (action.kind) {
    case "add":
      return addColumn(store, table, context, action.column, action.ifNotExists);
    case "drop":
      return dropColumn(store, table, action.column, action.ifExists);
    case "rename":
      return renameColumn(store, table, action.from, action.to);
  }
}

function addColumn(
  store: SqlStore,
  table: Table,
  { databaseId, profile }: SqlContext,
  definition: ColumnDefinition,
  ifNotExists: boolean,
): DefinitionResult {
  const shown = JSON.stringify(definition.name);
  if (table.byName.has(definition.name)) {
    if (ifNotExists)
      return createDefinitionResult(`Column ${shown} already exists; the statement had no effect.`);
    throw createColumnExistsError(table, definition.name);
  }
  if (definition.primaryKey)
    throw createSqlValidationError(
      `column ${shown} cannot be added to the primary key`,
      "The primary key must be declared when the table is created.",
    );
  if (table.columns.length >= maxColumns)
    throw createSqlValidationError(
      `table ${JSON.stringify(table.name)} has ${table.columns.length} columns`,
      `A table can have at most ${maxColumns} columns.`,
    );
  const { record } = table;
  const column = toColumnRecord(definition, record.nextColumnId, false, profile);
  const size = store.catalog.getSize(table);
  const { rows } = size;
  if (!column.nullable && column.defaultJson === null && rows > 0)
    throw createSqlValidationError(
      `column ${shown} is NOT NULL and has no DEFAULT`,
      "The table's existing rows would have no value in this column.",
    );
  if (column.defaultJson !== null) {
    rejectTooManyChangedRows(rows, table.columns.length + 1, size);
    const repeatedBytes = rows * Buffer.byteLength(column.defaultJson);
    rejectTooManyRepeatedBytes(repeatedBytes);
    store.reserve(repeatedBytes);
  }
  store.statements.define(`ALTER TABLE ${table.sqlName} ADD COLUMN ${buildColumnSql(column)}`);
  store.catalog.changeTable(table, {
    ...record,
    nextColumnId: record.nextColumnId + 1,
    columns: [...record.columns, column],
  });
  const changed = store.catalog.get(databaseId, table.name);
  const added = getColumn(changed, definition.name);
  if (added.defaultValue === null || rows === 0) return createDefinitionResult(`Column ${shown} was added.`);
  store.statements.run(`UPDATE ${changed.sqlName} SET ${added.sqlName} = ?`, [added.defaultValue]);
  const { bytes } = measureTable(store, changed, [added]);
  store.catalog.grow(changed, 0, bytes);
  return createDefinitionResult(`Column ${shown} was added.`, bytes);
}

function dropColumn(store: SqlStore, table: Table, name: string, ifExists: boolean): DefinitionResult {
  const shown = JSON.stringify(name);
  if (ifExists && !table.byName.has(name))
    return createDefinitionResult(`There is no column ${shown}; the statement had no effect.`);
  const column = getColumn(table, name);
  if (column.key !== null)
    throw createSqlValidationError(
      `column ${shown} is part of the primary key`,
      "The primary key cannot be changed.",
    );
  const index = table.indexes.find((known) => known.columns.includes(column));
  if (index !== undefined)
    throw createSqlValidationError(
      `column ${shown} is in the index ${JSON.stringify(index.name)}`,
      "Drop this index first.",
    );
  const { bytes } = measureTable(store, table, [column]);
  store.statements.define(`ALTER TABLE ${table.sqlName} DROP COLUMN ${getColumnSqlName(column.id)}`);
  store.catalog.grow(table, 0, -bytes);
  store.catalog.changeTable(table, {
    ...table.record,
    columns: table.record.columns.filter((known) => known.id !== column.id),
  });
  return createDefinitionResult(`Column ${shown} was dropped.`, -bytes);
}

function renameColumn(store: SqlStore, table: Table, from: string, to: string): DefinitionResult {
  const column = getColumn(table, from);
  assertSqlNameLength("column", to);
  if (from !== to && table.byName.has(to)) throw createColumnExistsError(table, to);
  store.catalog.changeTable(table, {
    ...table.record,
    columns: table.record.columns.map((known) => (known.id === column.id ? { ...known, name: to } : known)),
  });
  return createDefinitionResult(`Column ${JSON.stringify(from)} is now named ${JSON.stringify(to)}.`);
}

function createColumnExistsError(table: Table, name: string): Error {
  return createSqlValidationError(
    `table ${JSON.stringify(table.name)} already has a column ${JSON.stringify(name)}`,
    "Column names must be unique.",
  );
}
