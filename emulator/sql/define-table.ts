import type { Profile } from "../../openapi/gaps/profile.js";
import { compileValue, createColumnEncoder } from "./compile-value.js";
import { createSqlValidationError, rejectRepeatedColumn } from "./grammar/sql-error.js";
import type { SqlContext, DefinitionResult, SqlStore } from "./sql-request.js";
import type { ColumnDefinition, CreateTable, DropTable, PrimaryKey } from "./grammar/syntax.js";
import {
  type Column,
  getColumnSqlName,
  type ColumnRecord,
  type TableRecord,
  buildTableSql,
} from "./table.js";
import { getCodec, getCollectionDepth, getColumnCodec, maxCollectionDepth } from "./types/get-codec.js";

/** Limits that keep a table within those of SQLite. */
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
    return toColumnRecord(definition, id, keyNames.includes(definition.name), context.profile);
  });
  const idOf = (keyName: string): number => {
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
    partition: key.partition.map(idOf),
    clustering: key.clustering.map(idOf),
  };
  const id = store.catalog.addTable(context.databaseId, name, record, context.now);
  store.statements.define(buildTableSql(id, record));
  return createDefinitionResult(`Table ${shown} was created.`);
}

/** DROP TABLE: its rows, columns and indexes. @throws SqlError TABLE_NOT_FOUND */
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

/** The answer to a definition. */
export function createDefinitionResult(message: string, bytesDelta = 0): DefinitionResult {
  return { message, affectedRows: 0, bytesDelta, bytesWritten: 0 };
}

/** Checks the definition of a column and converts it for the catalog. @throws SqlError SQL_VALIDATION_ERROR */
export function toColumnRecord(
  definition: ColumnDefinition,
  id: number,
  inKey: boolean,
  profile: Profile,
): ColumnRecord {
  const { name, type, notNull, defaultValue } = definition;
  assertSqlNameLength("column", name);
  if (getCollectionDepth(type) > maxCollectionDepth)
    throw createSqlValidationError(
      `column ${JSON.stringify(name)} has collections nested ${getCollectionDepth(type)} levels deep`,
      `Collections can be nested at most ${maxCollectionDepth} levels deep.`,
    );
  const codec = getColumnCodec(type, profile);
  const record: ColumnRecord = { id, name, type, nullable: !notNull && !inKey, defaultJson: null };
  if (defaultValue === null || defaultValue.kind === "null") return record;
  const column: Column = {
    ...record,
    codec,
    defaultValue: null,
    key: null,
    sqlName: getColumnSqlName(id),
  };
  const stored = compileValue(defaultValue, createColumnEncoder(column))([]);
  // the catalog outlives the profile
  return { ...record, defaultJson: stored === null ? null : getCodec(type).toJson(stored) };
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
