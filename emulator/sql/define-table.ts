import { compileValue, createColumnEncoder } from "./compile-value.js";
import { getColumn } from "./compile-where.js";
import { createSqlValidationError, rejectRepeatedColumn } from "./grammar/sql-error.js";
import type { SqlContext, DefinitionResult, SqlStore } from "./sql-request.js";
import type { AlterTable, ColumnDefinition, CreateTable, DropTable, PrimaryKey } from "./grammar/syntax.js";
import { measureTable } from "./plan-change.js";
import {
  buildColumnSql,
  buildTableSql,
  type ColumnRecord,
  getColumnSqlName,
  type Table,
  type TableRecord,
} from "./table.js";
import { rejectTooManyChangedRows, rejectTooManyRepeatedBytes } from "./write-result.js";
import { getCodec, getCollectionDepth, maxCollectionDepth } from "./types/get-codec.js";

export const maxColumns = 256;
const maxNameLength = 128;

/** CREATE TABLE. @throws SqlError SQL_VALIDATION_ERROR */
export function createTable(store: SqlStore, statement: CreateTable, context: SqlContext): DefinitionResult {
  const { table: name, columns: definitions } = statement;
  const shown = JSON.stringify(name);
  assertSqlNameLength("table", name);
  if (store.catalog.find(context.databaseId, name) !== undefined) {
    if (statement.ifNotExists)
      return createDefinitionResult(`Table ${shown} already exists; the statement had no effect.`);
    throw createSqlValidationError(
      `table ${shown} already exists`,
      "Choose another name, or use IF NOT EXISTS.",
    );
  }
  if (definitions.length > maxColumns)
    throw createSqlValidationError(
      `table ${shown} has ${definitions.length} columns`,
      `A table can have at most ${maxColumns} columns.`,
    );
  const key = getPrimaryKey(statement);
  const keyNames = [...key.partition, ...key.clustering];
  const columns = definitions.map((definition, id) => {
    if (definitions.findIndex((other) => other.name === definition.name) !== id)
      throw createSqlValidationError(
        `table ${shown} has two columns named ${JSON.stringify(definition.name)}`,
        "Column names must be unique.",
      );
    return toColumnRecord(definition, id, keyNames.includes(definition.name));
  });
  const getColumnId = (keyName: string): number => {
    const column = columns.find((known) => known.name === keyName);
    if (column === undefined)
      throw createSqlValidationError(
        `the primary key contains ${JSON.stringify(keyName)}, which is not a column of table ${shown}`,
        "Declare the column.",
      );
    const codec = getCodec(column.type);
    if (!codec.isScalar)
      throw createSqlValidationError(
        `column ${JSON.stringify(keyName)} cannot be part of the primary key`,
        `${codec.type} is a collection.`,
      );
    return column.id;
  };
  const record: TableRecord = {
    nextColumnId: columns.length,
    columns,
    partition: key.partition.map(getColumnId),
    clustering: key.clustering.map(getColumnId),
  };
  const id = store.catalog.addTable(context.databaseId, name, record, context.now);
  store.statements.define(buildTableSql(id, record));
  return createDefinitionResult(`Table ${shown} was created.`);
}

/** DROP TABLE. @throws SqlError TABLE_NOT_FOUND */
export function dropTable(
  store: SqlStore,
  statement: DropTable,
  { databaseId }: SqlContext,
): DefinitionResult {
  const shown = JSON.stringify(statement.table);
  if (statement.ifExists && store.catalog.find(databaseId, statement.table) === undefined)
    return createDefinitionResult(`There is no table ${shown}; the statement had no effect.`);
  const table = store.catalog.get(databaseId, statement.table);
  const { bytes } = store.catalog.getSize(table);
  store.statements.define(`DROP TABLE ${table.sqlName}`);
  store.catalog.removeTable(table);
  return createDefinitionResult(`Table ${shown} was dropped.`, -bytes);
}

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
  { databaseId }: SqlContext,
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
  const column = toColumnRecord(definition, record.nextColumnId, false);
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

export function createDefinitionResult(message: string, bytesDelta = 0): DefinitionResult {
  return { message, bytesDelta };
}

/** Checks the definition of a column, and converts it for the catalog. @throws SqlError SQL_VALIDATION_ERROR */
function toColumnRecord(definition: ColumnDefinition, id: number, isInKey: boolean): ColumnRecord {
  const { name, type, notNull, defaultValue } = definition;
  assertSqlNameLength("column", name);
  if (getCollectionDepth(type) > maxCollectionDepth)
    throw createSqlValidationError(
      `column ${JSON.stringify(name)} has collections nested ${getCollectionDepth(type)} levels deep`,
      `Collections can be nested at most ${maxCollectionDepth} levels deep.`,
    );
  const record: ColumnRecord = { id, name, type, nullable: !notNull && !isInKey, defaultJson: null };
  if (defaultValue === null || defaultValue.kind === "null") return record;
  const codec = getCodec(type);
  const stored = compileValue(defaultValue, createColumnEncoder({ ...record, codec, key: null }))([]);
  return { ...record, defaultJson: stored === null ? null : codec.toJson(stored) };
}

/** @throws SqlError SQL_VALIDATION_ERROR for names that are too long */
export function assertSqlNameLength(
  what: "table" | "column" | "index" | "result column",
  name: string,
): void {
  if (name.length > maxNameLength)
    throw createSqlValidationError(
      `the name of a ${what} has ${name.length} characters`,
      `Names can have at most ${maxNameLength} characters.`,
    );
}

function getPrimaryKey({ table, columns, primaryKey }: CreateTable): PrimaryKey {
  const inline = columns.filter((column) => column.primaryKey).map((column) => column.name);
  const [first] = inline;
  if (primaryKey === null && first === undefined)
    throw createSqlValidationError(
      `table ${JSON.stringify(table)} has no primary key`,
      "Declare PRIMARY KEY (partition key columns, clustering columns).",
    );
  if (inline.length > (primaryKey === null ? 1 : 0))
    throw createSqlValidationError(
      `table ${JSON.stringify(table)} has more than one primary key`,
      "Declare a key with several columns in one clause: PRIMARY KEY ((a, b), c).",
    );
  const key = primaryKey ?? { partition: inline, clustering: [] };
  rejectRepeatedColumn("the primary key contains", [...key.partition, ...key.clustering]);
  return key;
}
