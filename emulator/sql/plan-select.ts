import type { Profile } from "../../openapi/gaps/profile.js";
import { stringifyJson } from "../json/stringify-json.js";
import { limitClause } from "../sqlite/markers.js";
import { compileValue, type ValueGetter } from "./compile-value.js";
import { getColumn, compileWhere, rejectTooManyComparisons } from "./compile-where.js";
import { decodePageToken, encodePageToken } from "./page-token.js";
import { assertSqlNameLength, maxColumns } from "./define-table.js";
import { compileRowOrder } from "./row-order.js";
import { createSqlValidationError } from "./grammar/sql-error.js";
import {
  bytesOfPlanColumn,
  type StatementPlan,
  type SqlQuery,
  type SqlResult,
  type SqlStore,
} from "./sql-request.js";
import type { Select, Selection, SqlType } from "./grammar/syntax.js";
import type { Column, Table } from "./table.js";
import {
  buildReadSql,
  type Codec,
  describeInput,
  type InputValue,
  maxRowLength,
  type StoredValue,
} from "./types/codec.js";
import { getColumnCodec } from "./types/get-codec.js";
import { type JsonValue, JsonNumber } from "../json/json-value.js";
import type { Row } from "./statement-cache.js";
import { ValueBudget } from "./value-budget.js";

interface Selected {
  readonly name: string;
  readonly codec: Codec;
  readonly sql: string;
  readonly counts: boolean;
}

/** What a selection reads of each row and how it is answered. */
interface CompiledSelection {
  readonly counts: boolean;
  /** What is read of a row, each once. */
  readonly reads: readonly string[];
  readonly write: (row: Row) => string;
  readonly answerColumns: SqlResult["columns"];
}

/** What `SELECT *` of a table needs, which all its plans share. */
const wholeSelections = new WeakMap<Table, CompiledSelection>();

/** Characters after which a page ends before its limit. */
const maxPageLength = 32 * 1024 * 1024;

/** Compiles SELECT. @throws SqlError SQL_VALIDATION_ERROR */
export function planSelect(store: SqlStore, table: Table, select: Select, profile: Profile): StatementPlan {
  const { counts, reads, write, answerColumns } = getSelection(table, select.selection, profile);
  const filtering = select.allowFiltering || profile["sql-filtering"] === "always";
  const where = compileWhere(table, select.where, filtering);
  const order = compileRowOrder(table, select.orderBy, where.fixed);
  const limitSlot = select.limit && compileValue(select.limit, parseRowLimit);
  const from = `FROM ${table.sqlName} ${where.sql}`;
  // a plan of `SELECT *` has no columns of its own
  const ownColumns = select.selection.kind === "all" ? 0 : answerColumns.length;

  if (counts) {
    const sql = `SELECT ${reads.join(", ")} ${from}`;
    const wholeTable = where.sql === "" && reads.every((read) => read === countAll);
    const run: StatementPlan["run"] = ({ query, parameters }) => {
      if (query.pageToken !== undefined)
        throw createSqlValidationError(
          "`pageToken` is not allowed: the statement's result has only one page",
          "Omit `pageToken`.",
        );
      const none = limitSlot?.(parameters) === 0;
      rejectTooManyComparisons(where, store, table);
      const row = wholeTable
        ? reads.map(() => store.catalog.getSize(table).rows)
        : (store.statements.first(sql, evaluateValues(where.slots, parameters, new ValueBudget(query))) ??
          []);
      return {
        rowsJson: none ? "[]" : `[${write(row)}]`,
        rowCount: none ? 0 : 1,
        columns: answerColumns,
        nextPageToken: null,
        ...noWrites,
      };
    };
    return { run, bytes: sql.length + bytesOfPlanColumn * ownColumns };
  }

  // the page token is made of the columns of the order: those that are not selected follow unseen
  const { allReads, places } = addReads(reads, order.columns);
  const head = `SELECT ${allReads.join(", ")} ${from}`;
  const firstPage = `${head} ${order.sql} ${limitClause}`;
  const nextPage = `${head} ${where.sql === "" ? "WHERE" : "AND"} ${order.after} ${order.sql} ${limitClause}`;

  const run: StatementPlan["run"] = ({ query, parameters }) => {
    const limit = limitSlot === null ? null : limitSlot(parameters);
    // parameters of a request are JSON
    const statement = (): string =>
      `sql/${table.id}/${query.sql}/${stringifyJson(parameters as readonly JsonValue[])}`;
    const position =
      query.pageToken === undefined
        ? undefined
        : decodePageToken(query.pageToken, statement(), order.columns);
    const remaining = position === undefined ? limit : position.remaining;
    const size = getPageSize(query, profile);
    const wanted = remaining === null ? size + 1 : Math.min(size + 1, remaining);
    const values: StoredValue[] = evaluateValues(where.slots, parameters, new ValueBudget(query));
    if (position !== undefined) values.push(...order.afterValues(position.values));
    values.push(wanted);
    rejectTooManyComparisons(where, store, table);
    const sql = position === undefined ? firstPage : nextPage;
    const page = { rows: [] as string[], length: 0, last: [] as Row };
    const hasMore = store.statements.visit(sql, values, (row) => {
      if (page.rows.length === size || page.length > maxPageLength) return false;
      const json = write(row);
      page.rows.push(json);
      page.length += json.length;
      page.last = row;
      return true;
    });
    const end = hasMore ? (places.map((place) => page.last[place]) as StoredValue[]) : undefined;
    return {
      rowsJson: `[${page.rows.join(",")}]`,
      rowCount: page.rows.length,
      columns: answerColumns,
      nextPageToken:
        end === undefined
          ? null
          : encodePageToken(statement(), {
              remaining: remaining === null ? null : remaining - page.rows.length,
              values: end,
            }),
      ...noWrites,
    };
  };
  const bytes = firstPage.length + nextPage.length + bytesOfPlanColumn * (ownColumns + order.columns.length);
  return { run, bytes };
}

/** Adds the values of columns to what is read, each once. `places`: where they are. */
function addReads(reads: readonly string[], columns: readonly Column[]) {
  const added = columns.map((column) => buildReadSql(column.codec, column.sqlName));
  const allReads = [...new Set([...reads, ...added])];
  return { allReads, places: added.map((read) => allReads.indexOf(read)) };
}

const noWrites = { affectedRows: 0, bytesDelta: 0, bytesWritten: 0 };

/** The stored values of all slots. */
export function evaluateValues(
  slots: readonly ValueGetter[],
  parameters: readonly InputValue[],
  budget: ValueBudget,
): StoredValue[] {
  return slots.map((slot) => budget.spend(slot(parameters)));
}

const countAll = "count(*)";

const countType: SqlType = { kind: "scalar", name: "BIGINT" };

function getSelection(table: Table, selection: Selection, profile: Profile): CompiledSelection {
  const known = selection.kind === "all" ? wholeSelections.get(table) : undefined;
  if (known !== undefined) return known;
  const columns = resolveSelection(table, selection, profile);
  const reads = [...new Set(columns.map((column) => column.sql))];
  const compiled = {
    counts: columns.some((column) => column.counts),
    reads,
    write: createRowWriter(columns, reads),
    answerColumns: columns.map(({ name, codec }) => ({ name, type: codec.type })),
  };
  if (selection.kind === "all") wholeSelections.set(table, compiled);
  return compiled;
}

function resolveSelection(table: Table, selection: Selection, profile: Profile): Selected[] {
  const counted = { codec: getColumnCodec(countType, profile), counts: true };
  if (selection.kind === "all")
    return table.columns.map((column) => ({
      name: column.name,
      codec: column.codec,
      sql: buildReadSql(column.codec, column.sqlName),
      counts: false,
    }));
  if (selection.items.length > maxColumns)
    throw createSqlValidationError(
      `the result has ${selection.items.length} columns`,
      `A result can have at most ${maxColumns} columns.`,
    );
  const names = new Set<string>();
  const selected = selection.items.map((item): Selected => {
    const column = item.column === null ? null : getColumn(table, item.column);
    const counts = item.kind === "count";
    if (item.alias !== null) assertSqlNameLength("result column", item.alias);
    const name = item.alias ?? (counts ? "count" : (column?.name ?? ""));
    if (names.has(name))
      throw createSqlValidationError(
        `two result columns are named ${JSON.stringify(name)}`,
        "Give one of these columns an alias with AS.",
      );
    names.add(name);
    if (column === null) return { name, ...counted, sql: countAll };
    if (counts) return { name, ...counted, sql: `count(${column.sqlName})` };
    return {
      name,
      codec: column.codec,
      sql: buildReadSql(column.codec, column.sqlName),
      counts,
    };
  });
  if (selected.some((item) => item.counts) && selected.some((item) => !item.counts))
    throw createSqlValidationError(
      "COUNT is selected together with a column",
      "Without GROUP BY, COUNT can only be selected together with other COUNTs.",
    );
  return selected;
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
  const { limit } = query;
  if (limit === undefined) return Math.min(profile["sql-page-size"], largest);
  if (limit > largest && profile["page-limit-over"] === "reject")
    throw createSqlValidationError(`\`limit\` is ${limit}`, `A page can have at most ${largest} rows.`);
  return Math.min(limit, largest);
}

/**
 * Compiles a function that writes a row as the JSON text of an object, one member per column.
 * @param reads what the values of a row are, in their order
 */
function createRowWriter(columns: readonly Selected[], reads: readonly string[]): (row: Row) => string {
  const members = columns.map(({ name, codec, sql }, index) => ({
    lead: `${index === 0 ? "{" : ","}${JSON.stringify(name)}:`,
    codec,
    place: reads.indexOf(sql),
  }));
  return (row) => {
    let text = "";
    for (const { lead, codec, place } of members) {
      const value = row[place];
      text += lead + (value === null || value === undefined ? "null" : codec.toJson(value));
      if (text.length > maxRowLength)
        throw createSqlValidationError(
          `a result row has more than ${maxRowLength} characters`,
          "Select fewer columns.",
        );
    }
    return `${text}}`;
  };
}
