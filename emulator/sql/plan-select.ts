import { limits } from "../../openapi/clauses/limits.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { stringifyJson } from "../json/stringify-json.js";
import { limitClause } from "../sqlite/markers.js";
import { maxPageBytes } from "../sqlite/statement.js";
import { compileValue } from "./compile-value.js";
import { getColumn, compileWhere, rejectTooManyComparisons } from "./compile-where.js";
import { decodePageToken, encodePageToken, type PagePosition } from "./page-token.js";
import { assertSqlNameLength, maxColumns } from "./define-table.js";
import { compileRowOrder } from "./row-order.js";
import { createSqlValidationError } from "./grammar/sql-error.js";
import {
  planBytesPerColumn,
  type StatementPlan,
  type SqlQuery,
  type SqlResult,
  type SqlStore,
} from "./sql-request.js";
import type { Select, Selection } from "./grammar/syntax.js";
import type { Column, Table } from "./table.js";
import {
  buildReadSql,
  type Codec,
  describeInput,
  type InputValue,
  maxRowLength,
  type StoredValue,
} from "./types/codec.js";
import { getCodec } from "./types/get-codec.js";
import { type JsonValue, JsonNumber } from "../json/json-value.js";
import type { Row } from "./statement-cache.js";
import { ValueBudget } from "./value-budget.js";

/** A column of a result. */
interface ResultColumn {
  readonly name: string;
  readonly codec: Codec;
  readonly sql: string;
  readonly isCount: boolean;
}

interface CompiledSelection {
  readonly isCount: boolean;
  /** SQL of the values that are read of a row, without duplicates. */
  readonly expressions: readonly string[];
  /** Writes a row as a JSON object. */
  readonly write: (row: Row) => string;
  readonly columns: SqlResult["columns"];
}

/** The compiled `SELECT *` of a table, which all its plans share. */
const wholeSelections = new WeakMap<Table, CompiledSelection>();

const noWrites = { bytesDelta: 0, bytesWritten: 0 };

const countAll = "count(*)";

/** Compiles SELECT. @throws SqlError SQL_VALIDATION_ERROR */
export function planSelect(store: SqlStore, table: Table, select: Select, profile: Profile): StatementPlan {
  const selection = compileSelection(table, select.selection);
  const where = compileWhere(table, select, profile);
  const getRowLimit = select.limit && compileValue(select.limit, parseRowLimit);
  const from = `FROM ${table.sqlName} ${where.sql}`;
  // A plan of `SELECT *` has no columns of its own.
  const ownColumns = select.selection.kind === "all" ? 0 : selection.columns.length;
  const order = compileRowOrder(table, select.orderBy, where.fixedColumns);

  if (selection.isCount) {
    const { expressions, write, columns } = selection;
    const sql = `SELECT ${expressions.join(", ")} ${from}`;
    const countedColumns = expressions.filter((expression) => expression !== countAll).length;
    const countsTable = where.sql === "" && countedColumns === 0;
    const run: StatementPlan["run"] = (query, parameters) => {
      rejectPageToken(query);
      const isEmpty = getRowLimit?.(parameters) === 0;
      rejectTooManyComparisons(where, store, table, countedColumns);
      const values = new ValueBudget(query).evaluate(where.values, parameters);
      const row = countsTable
        ? expressions.map(() => store.catalog.getSize(table).rows)
        : (store.statements.first(sql, values) ?? []);
      return {
        rowsJson: isEmpty ? "[]" : `[${write(row)}]`,
        rowCount: isEmpty ? 0 : 1,
        columns,
        nextPageToken: null,
        ...noWrites,
      };
    };
    return { run, bytes: sql.length + planBytesPerColumn * ownColumns };
  }

  // The page token consists of the columns that order the rows, which are read even if they are not selected.
  const orderExpressions = order.columns.map((column) => buildReadSql(column.codec, column.sqlName));
  const expressions = [...new Set([...selection.expressions, ...orderExpressions])];
  const orderIndexes = orderExpressions.map((expression) => expressions.indexOf(expression));
  const head = `SELECT ${expressions.join(", ")} ${from}`;
  const firstPage = `${head} ${order.sql} ${limitClause}`;
  const nextPage = `${head} ${where.sql === "" ? "WHERE" : "AND"} ${order.after} ${order.sql} ${limitClause}`;

  const run: StatementPlan["run"] = (query, parameters) => {
    const limit = getRowLimit === null ? null : getRowLimit(parameters);
    // The parameters of a request are JSON.
    const getScope = () =>
      `sql/${table.id}/${query.sql}/${stringifyJson(parameters as readonly JsonValue[])}`;
    const position =
      query.pageToken === undefined ? undefined : decodePageToken(query.pageToken, getScope(), order.columns);
    const remaining = position === undefined ? limit : position.remaining;
    const size = getPageSize(query, profile);
    const values = new ValueBudget(query).evaluate(where.values, parameters);
    if (position !== undefined) values.push(...order.getAfterValues(position.values));
    values.push(remaining === null ? size + 1 : Math.min(size + 1, remaining));
    rejectTooManyComparisons(where, store, table);
    const page = { rows: [] as string[], length: 0, last: [] as Row };
    const hasMore = store.statements.visit(position === undefined ? firstPage : nextPage, values, (row) => {
      if (page.rows.length === size || page.length > maxPageBytes) return false;
      const json = selection.write(row);
      page.rows.push(json);
      page.length += json.length;
      page.last = row;
      return true;
    });
    const getEnd = (): PagePosition => ({
      remaining: remaining === null ? null : remaining - page.rows.length,
      values: orderIndexes.map((index) => page.last[index]) as StoredValue[],
    });
    return {
      rowsJson: `[${page.rows.join(",")}]`,
      rowCount: page.rows.length,
      columns: selection.columns,
      nextPageToken: hasMore ? encodePageToken(getScope(), getEnd()) : null,
      ...noWrites,
    };
  };
  const bytes = firstPage.length + nextPage.length + planBytesPerColumn * (ownColumns + order.columns.length);
  return { run, bytes };
}

/** Rejects a page token for a statement whose result has only one page. */
export function rejectPageToken({ pageToken }: SqlQuery): void {
  if (pageToken !== undefined)
    throw createSqlValidationError(
      "`pageToken` is not allowed: the statement's result has only one page",
      "Omit `pageToken`.",
    );
}

function compileSelection(table: Table, selection: Selection): CompiledSelection {
  const known = selection.kind === "all" ? wholeSelections.get(table) : undefined;
  if (known !== undefined) return known;
  const columns = resolveSelection(table, selection);
  const expressions = [...new Set(columns.map((column) => column.sql))];
  const compiled = {
    isCount: columns.some((column) => column.isCount),
    expressions,
    write: createRowWriter(columns, expressions),
    columns: columns.map(({ name, codec }) => ({ name, type: codec.type })),
  };
  if (selection.kind === "all") wholeSelections.set(table, compiled);
  return compiled;
}

function resolveSelection(table: Table, selection: Selection): ResultColumn[] {
  const toResultColumn = ({ codec, sqlName }: Column, name: string): ResultColumn => ({
    name,
    codec,
    sql: buildReadSql(codec, sqlName),
    isCount: false,
  });
  if (selection.kind === "all") return table.columns.map((column) => toResultColumn(column, column.name));
  if (selection.items.length > maxColumns)
    throw createSqlValidationError(
      `the result has ${selection.items.length} columns`,
      `A result can have at most ${maxColumns} columns.`,
    );
  const countCodec = getCodec({ kind: "scalar", name: "BIGINT" });
  const columns = selection.items.map(({ kind, column: columnName, alias }): ResultColumn => {
    const column = columnName === null ? null : getColumn(table, columnName);
    if (alias !== null) assertSqlNameLength("result column", alias);
    if (kind === "column" && column !== null) return toResultColumn(column, alias ?? column.name);
    const sql = column === null ? countAll : `count(${column.sqlName})`;
    return { name: alias ?? "count", codec: countCodec, sql, isCount: true };
  });
  const names = columns.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined)
    throw createSqlValidationError(
      `two result columns are named ${JSON.stringify(repeated)}`,
      "Give one of these columns an alias with AS.",
    );
  if (columns.some(({ isCount }) => isCount) && columns.some(({ isCount }) => !isCount))
    throw createSqlValidationError(
      "COUNT is selected together with a column",
      "GROUP BY is not supported, so COUNT can be selected only together with other COUNTs.",
    );
  return columns;
}

function parseRowLimit(given: InputValue): number {
  const value = given instanceof JsonNumber ? given.value : given;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw createSqlValidationError(
    `LIMIT is ${describeInput(given)}`,
    "LIMIT must be a whole number of at least 0.",
  );
}

function getPageSize(query: SqlQuery, profile: Profile): number {
  const largest = profile["page-limit-max"];
  const { limit = limits.defaultPageSize } = query;
  if (limit > largest && profile["page-limit-over"] === "reject")
    throw createSqlValidationError(`\`limit\` is ${limit}`, `A page can have at most ${largest} rows.`);
  return Math.min(limit, largest);
}

/** Creates a function that writes a row as a JSON object. @param expressions the SQL of the values of a row */
function createRowWriter(
  columns: readonly ResultColumn[],
  expressions: readonly string[],
): (row: Row) => string {
  const fields = columns.map(({ name, codec, sql }, index) => ({
    start: `${index === 0 ? "{" : ","}${JSON.stringify(name)}:`,
    codec,
    index: expressions.indexOf(sql),
  }));
  return (row) => {
    let text = "";
    for (const { start, codec, index } of fields) {
      const value = row[index];
      text += start + (value === null || value === undefined ? "null" : codec.toJson(value));
      if (text.length > maxRowLength)
        throw createSqlValidationError(
          `a result row has more than ${maxRowLength} characters`,
          "Select fewer columns.",
        );
    }
    return `${text}}`;
  };
}
