import { getColumn } from "./compile-where.js";
import { assertSqlNameLength, createDefinitionResult } from "./define-table.js";
import { measureTable } from "./plan-change.js";
import { rejectTooManyIndexBytes } from "./write-result.js";
import { createSqlValidationError, rejectRepeatedColumn } from "./grammar/sql-error.js";
import type { SqlContext, DefinitionResult, SqlStore } from "./sql-request.js";
import { UniqueViolationError } from "./statement-cache.js";
import type { CreateIndex, DropIndex } from "./grammar/syntax.js";
import { buildIndexSql } from "./table.js";

const maxIndexColumns = 16;
/** Writing a row also writes to every index. */
const maxIndexes = 32;

/** CREATE INDEX. The names of a database's indexes are unique. @throws SqlError TABLE_NOT_FOUND, SQL_VALIDATION_ERROR */
export function createIndex(
  store: SqlStore,
  statement: CreateIndex,
  { databaseId }: SqlContext,
): DefinitionResult {
  const { index: name, unique, ifNotExists } = statement;
  const shown = JSON.stringify(name);
  assertSqlNameLength("index", name);
  const table = store.catalog.get(databaseId, statement.table);
  if (store.catalog.findIndexTable(databaseId, name) !== undefined) {
    if (ifNotExists)
      return createDefinitionResult(`Index ${shown} already exists; the statement had no effect.`);
    throw createSqlValidationError(
      `index ${shown} already exists`,
      "Choose another name, or use IF NOT EXISTS.",
    );
  }
  if (table.indexes.length >= maxIndexes)
    throw createSqlValidationError(
      `table ${JSON.stringify(table.name)} has ${table.indexes.length} indexes`,
      `A table can have at most ${maxIndexes} indexes.`,
    );
  if (statement.columns.length > maxIndexColumns)
    throw createSqlValidationError(
      `index ${shown} has ${statement.columns.length} columns`,
      `An index can have at most ${maxIndexColumns} columns.`,
    );
  const columns = statement.columns.map((columnName) => {
    const column = getColumn(table, columnName);
    if (!column.codec.isScalar)
      throw createSqlValidationError(
        `column ${JSON.stringify(columnName)} cannot be indexed`,
        `${column.codec.type} is a collection.`,
      );
    return column;
  });
  rejectRepeatedColumn(`index ${shown} contains`, statement.columns);
  // An index entry consists of the index's columns and the key of the row.
  const { bytes } = measureTable(store, table, [...new Set([...columns, ...table.key])]);
  rejectTooManyIndexBytes(bytes);
  store.reserve(bytes);
  const columnIds = columns.map((column) => column.id);
  const id = store.catalog.addIndex(databaseId, name, table, columnIds, unique);
  try {
    store.statements.define(buildIndexSql({ id, columnIds, unique }, table));
  } catch (error) {
    store.catalog.removeIndex(id);
    if (!(error instanceof UniqueViolationError)) throw error;
    throw createSqlValidationError(
      `index ${shown} cannot be unique`,
      "Some rows have the same values in the index's columns.",
    );
  }
  return createDefinitionResult(`Index ${shown} was created.`);
}

/** DROP INDEX. @throws SqlError SQL_VALIDATION_ERROR if the index does not exist */
export function dropIndex(
  store: SqlStore,
  statement: DropIndex,
  { databaseId }: SqlContext,
): DefinitionResult {
  const shown = JSON.stringify(statement.index);
  const tableName = store.catalog.findIndexTable(databaseId, statement.index);
  if (tableName === undefined) {
    if (statement.ifExists)
      return createDefinitionResult(`There is no index ${shown}; the statement had no effect.`);
    throw createSqlValidationError(`there is no index ${shown}`, "To ignore a missing index, use IF EXISTS.");
  }
  const table = store.catalog.get(databaseId, tableName);
  const index = table.indexes.find((known) => known.name === statement.index);
  if (index === undefined) throw new Error(`the catalog has no index ${shown} for table ${table.id}`);
  store.statements.define(`DROP INDEX ${index.sqlName}`);
  store.catalog.removeIndex(index.id);
  return createDefinitionResult(`Index ${shown} was dropped.`);
}
