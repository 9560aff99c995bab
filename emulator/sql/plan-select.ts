import { assertAdvance } from "../domain/cursor.js";
import { writeJson } from "../json/write-json.js";
import { upTo } from "../sqlite/markers.js";
import { compileSlot, type Slot } from "./check-value.js";
import { columnNamed, compileWhere } from "./check-where.js";
import { fingerprint, readPageToken, writePageToken } from "./page-token.js";
import { rowOrder } from "./row-order.js";
import { invalid } from "./grammar/sql-error.js";
import type { Plan, SqlProfile, SqlQuery, SqlStore } from "./sql-request.js";
import type { Select, Selection, SqlType } from "./grammar/syntax.js";
import { printType, type Table, typeName } from "./table.js";
import type { Given, Stored, Codec } from "./types/codec.js";
import { describeGiven } from "./types/describe-given.js";
import { columnCodecOf } from "./types/column-codec.js";
import { type JsonValue, JsonNumber } from "../json/json-value.js";
import type { Row } from "./statement-cache.js";

interface Selected extends ResultColumn {
  readonly type: string;
  readonly sql: string;
  readonly counts: boolean;
}

/** Compiles SELECT. @throws SqlError SQL_VALIDATION_ERROR */
export function planSelect(store: SqlStore, table: Table, select: Select, profile: SqlProfile): Plan {
  const columns = selectedColumns(table, select.selection, profile);
  const filtering = select.allowFiltering || profile["sql-filtering"] === "always";
  const where = compileWhere(table, select.where, filtering);
  const order = rowOrder(table, select.orderBy, where.fixed);
  const limitSlot = select.limit && compileSlot(select.limit, rowLimit);
  const write = rowWriter(columns);
  const answerColumns = columns.map(({ name, type }) => ({ name, type }));
  const from = `FROM ${table.sqlName} ${where.sql}`;

  if (columns.some((column) => column.counts)) {
    const sql = `SELECT ${columns.map((column) => column.sql).join(", ")} ${from}`;
    const wholeTable = where.sql === "" && columns.every((column) => column.sql === countAll);
    return ({ query, parameters }) => {
      if (query.pageToken !== undefined) throw noFurtherPage();
      const none = limitSlot?.(parameters) === 0;
      const row = wholeTable
        ? columns.map(() => store.catalog.sizeOf(table).rows)
        : (store.statements.first(sql, evaluate(where.slots, parameters)) ?? []);
      return {
        rowsJson: none ? "[]" : `[${write(row)}]`,
        rowCount: none ? 0 : 1,
        columns: answerColumns,
        nextPageToken: null,
        ...nothingWritten,
      };
    };
  }

  const reads = columns.map((column) => column.sql);
  // the page token is made of the columns of the order: those that are not selected follow unseen
  const places = order.columns.map((column) => {
    const read = column.codec.read(column.sqlName);
    const place = reads.indexOf(read);
    return place >= 0 ? place : reads.push(read) - 1;
  });
  const head = `SELECT ${reads.join(", ")} ${from}`;
  const firstPage = `${head} ${order.sql} ${upTo}`;
  const nextPage = `${head} ${where.sql === "" ? "WHERE" : "AND"} ${order.after} ${order.sql} ${upTo}`;

  return ({ query, parameters }) => {
    const limit = limitSlot === null ? null : limitSlot(parameters);
    const statement = (): string => fingerprint(table.id, query.sql, writeParameters(parameters));
    const position =
      query.pageToken === undefined ? undefined : readPageToken(query.pageToken, statement(), order.columns);
    const remaining = position === undefined ? limit : position.remaining;
    const size = pageSize(query, profile);
    const wanted = remaining === null ? size + 1 : Math.min(size + 1, remaining);
    const values: Stored[] = evaluate(where.slots, parameters);
    if (position !== undefined) values.push(...order.afterValues(position.values));
    values.push(wanted);
    const rows = store.statements.all(position === undefined ? firstPage : nextPage, values);
    const shown = Math.min(rows.length, size);
    let rowsJson = "[";
    for (let index = 0; index < shown; index += 1)
      rowsJson += (index === 0 ? "" : ",") + write(rows[index] ?? []);
    const last = rows.length > size ? rows[size - 1] : undefined;
    const end = last && (places.map((place) => last[place]) as Stored[]);
    if (position !== undefined && end !== undefined) assertAdvance(order.compare(end, position.values));
    return {
      rowsJson: `${rowsJson}]`,
      rowCount: shown,
      columns: answerColumns,
      nextPageToken:
        end === undefined
          ? null
          : writePageToken(statement(), {
              remaining: remaining === null ? null : remaining - shown,
              values: end,
            }),
      ...nothingWritten,
    };
  };
}

const nothingWritten = { affectedRows: 0, bytesDelta: 0, bytesWritten: 0 };

/** The stored values of all slots. */
export function evaluate(slots: readonly Slot[], parameters: readonly Given[]): Stored[] {
  return slots.map((slot) => slot(parameters));
}

const countAll = "count(*)";

const countType: SqlType = { kind: "scalar", name: "BIGINT" };

function selectedColumns(table: Table, selection: Selection, profile: SqlProfile): Selected[] {
  const counted = {
    type: printType(countType),
    codec: columnCodecOf(countType, profile),
    counts: true,
  };
  if (selection.kind === "all")
    return table.columns.map((column) => ({
      name: column.name,
      type: typeName(column),
      codec: column.codec,
      sql: column.codec.read(column.sqlName),
      counts: false,
    }));
  const names = new Set<string>();
  const selected = selection.items.map((item): Selected => {
    const column = item.column === null ? null : columnNamed(table, item.column);
    const counts = item.kind === "count";
    const name = item.alias ?? (counts ? "count" : (column?.name ?? ""));
    if (names.has(name))
      throw invalid(
        `two columns of the result are called ${JSON.stringify(name)}`,
        "Give one of them an alias with AS.",
      );
    names.add(name);
    if (column === null) return { name, ...counted, sql: countAll };
    if (counts) return { name, ...counted, sql: `count(${column.sqlName})` };
    return {
      name,
      type: typeName(column),
      codec: column.codec,
      sql: column.codec.read(column.sqlName),
      counts,
    };
  });
  if (selected.some((item) => item.counts) && selected.some((item) => !item.counts))
    throw invalid(
      "COUNT stands beside a column",
      "Without GROUP BY, COUNT can stand only with other COUNTs.",
    );
  return selected;
}

function rowLimit(given: Given): number {
  const value = given instanceof JsonNumber ? given.value : given;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw invalid(`LIMIT is ${describeGiven(given)}`, "It is a whole number of rows, 0 or more.");
}

function pageSize(query: SqlQuery, profile: SqlProfile): number {
  const largest = profile["page-limit-max"];
  const { limit } = query;
  if (limit === undefined) return Math.min(profile["sql-page-size"], largest);
  if (limit > largest && profile["page-limit-over"] === "reject")
    throw invalid(`\`limit\` is ${limit}`, `A page has ${largest} rows at most.`);
  return Math.min(limit, largest);
}

function writeParameters(parameters: readonly Given[]): string {
  // parameters of a request are JSON
  return writeJson(parameters as readonly JsonValue[]);
}

function noFurtherPage(): Error {
  return invalid("`pageToken` is given for a statement that has one page", "Leave it out.");
}

/** A column of a result. */
interface ResultColumn {
  readonly name: string;
  readonly codec: Codec;
}

/** Compiles a function that writes a row as the JSON text of an object, one member per column. */
function rowWriter(columns: readonly ResultColumn[]): (row: Row) => string {
  const members = columns.map(({ name, codec }, index) => ({
    lead: `${index === 0 ? "{" : ","}${JSON.stringify(name)}:`,
    codec,
  }));
  return (row) => {
    let text = "";
    for (let index = 0; index < members.length; index += 1) {
      const member = members[index];
      const value = row[index];
      if (member !== undefined)
        text += member.lead + (value === null || value === undefined ? "null" : member.codec.toJson(value));
    }
    return `${text}}`;
  };
}
