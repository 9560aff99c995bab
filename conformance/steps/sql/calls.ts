import { isClientError } from "../../client/is-client-error.js";
import type { ClauseId } from "../../../openapi/clauses/register.js";
import type { components } from "../../../openapi/generated/service-types.js";
import type { ApiResponse, CallOptions } from "../../client/client.js";
import { JsonText } from "../../client/json-text.js";
import { defineChecksWithSubject } from "../../check/check.js";
import type { CheckContext } from "../../check/context.js";
import {
  type SqlCondition,
  type OrderItem,
  type Row,
  toSortedRowTexts,
  SqlTableModel,
  type TableSpec,
} from "../../models/sql-table.js";
import { encodeSqlValue, suiteValueFormats, type SqlValueFormats } from "../../models/sql-value-formats.js";
import { type SqlValue, parseKnownSqlType } from "../../models/sql-types.js";
import { type NewRow, plainKeyFamilies } from "../../generators/sql.js";
import { readUntil } from "../read-until.js";
import { isPossiblePageCount } from "../pages.js";
import { detectValueFormats } from "./detect-value-formats.js";
import { toLowerCaseName, parseRows } from "./parse-rows.js";

/** A statement with the values of its markers. */
export interface SqlStatement {
  readonly sql: string;
  readonly values?: readonly SqlValue[];
}

/** Fields of the request besides the statement. */
export interface QueryOptions extends Pick<CallOptions, "as" | "intent" | "setUp" | "skipValidation"> {
  readonly limit?: number;
  readonly pageToken?: string;
}

/** Maximum number of pages; more than any result of the suite has. */
const maxPages = 400;

/** Sends SQL requests to one database, by default the shared database, for one check. */
export class SqlCalls {
  #forms: SqlValueFormats = suiteValueFormats;
  readonly #knownForms = new Map<keyof SqlValueFormats, string>();

  constructor(
    readonly context: CheckContext,
    readonly databaseId: string,
  ) {}

  /** Creates calls for the database that all checks share. */
  static async shared(context: CheckContext): Promise<SqlCalls> {
    return new SqlCalls(context, await context.resources.getDatabase());
  }

  /** Sends a statement to `query`, with values as JSON text, so that no digits are lost. */
  query(
    statement: SqlStatement | string,
    { limit, pageToken, ...call }: QueryOptions = {},
  ): Promise<ApiResponse> {
    const { sql, values = [] } = typeof statement === "string" ? { sql: statement } : statement;
    // named by their markers and in the order of these, so that all ways to find the one for a marker are the same;
    // of more than nine all have two digits, since names may be put in the order of their characters
    const digits = String(values.length).length;
    const parameters = values.map(
      ({ json, type }, index) =>
        `"p${String(index + 1).padStart(digits, "0")}":${type === undefined ? json : encodeSqlValue(type, json, this.#forms)}`,
    );
    const members = [
      `"sql":${JSON.stringify(sql)}`,
      ...(values.length === 0 ? [] : [`"parameters":{${parameters.join(",")}}`]),
      ...(limit === undefined ? [] : [`"limit":${limit}`]),
      ...(pageToken === undefined ? [] : [`"pageToken":${JSON.stringify(pageToken)}`]),
    ];
    return this.context.call("runSqlQuery", {
      ...call,
      path: { databaseId: this.databaseId },
      rawBody: `{${members.join(",")}}`,
    });
  }

  /** Sends a statement to `execute`. */
  execute(sql: string, call: CallOptions = {}): Promise<ApiResponse> {
    return this.context.call("executeSql", {
      ...call,
      path: { databaseId: this.databaseId },
      body: { sql },
    });
  }

  /** Sends a definition, which must be accepted. */
  async define(sql: string): Promise<void> {
    this.context.assertStatus("SQL-06", await this.execute(sql), 200);
  }

  /**
   * Sends the ways to write a definition that the specification does not spell out, until one is taken. Returns its
   * number.
   */
  async defineInOneWay(...ways: readonly [string, ...string[]]): Promise<number> {
    for (const [index, sql] of ways.entries()) {
      const answer = await this.execute(sql);
      if (answer.status === 200) return index;
      if (index === ways.length - 1) this.context.assertStatus("SQL-06", answer, 200);
    }
    return 0;
  }

  /** Drops a column if the deployment supports this; the specification leaves the alterations of ALTER TABLE open. */
  async drops(table: string, column: string): Promise<boolean> {
    for (const word of [" COLUMN", ""]) {
      const answer = await this.execute(`ALTER TABLE ${table} DROP${word} ${column}`);
      if (answer.status === 200) return true;
      this.context.assertRefused("SQL-06", answer, "accepted, or unknown to the deployment");
    }
    return false;
  }

  /** Adds a column, with or without the word COLUMN. Returns the text before the column. */
  async addColumn(table: string, column: string): Promise<string> {
    const forms = [`ALTER TABLE ${table} ADD COLUMN`, `ALTER TABLE ${table} ADD`] as const;
    return forms[await this.defineInOneWay(`${forms[0]} ${column}`, `${forms[1]} ${column}`)] ?? forms[0];
  }

  /** Drops an index, with or without the name of its table. */
  async dropIndex(name: string, table: string): Promise<void> {
    await this.defineInOneWay(`DROP INDEX ${name}`, `DROP INDEX ${name} ON ${table}`);
  }

  /** Sends a write, which must be accepted. */
  async write(
    clause: ClauseId,
    statement: SqlStatement | string,
    options: QueryOptions = {},
  ): Promise<ApiResponse> {
    return this.context.assertStatus(clause, await this.query(statement, options), 200);
  }

  /** Sends a statement to `query`, and asserts that it is refused. */
  async assertRefused(clause: ClauseId, statement: SqlStatement | string, because: string): Promise<void> {
    this.context.assertRefused(clause, await this.query(statement, { intent: "invalid" }), because);
  }

  /** Asserts that a write does not count more rows than it wrote; it may count none (gap `sql-write-row-count`). */
  assertWritten({ body }: ApiResponse, most: number): void {
    const { rowCount } = body as { readonly rowCount: number };
    this.context.assert(
      "SQL-02",
      rowCount <= most,
      `a rowCount of at most ${most}, the number of rows written`,
      rowCount,
    );
  }

  /** Requests the schema of a table. */
  schema(tableName: string, call: CallOptions = {}): Promise<ApiResponse> {
    return this.context.call("getSqlTableSchema", {
      ...call,
      path: { databaseId: this.databaseId, tableName },
    });
  }

  /** Returns the fields of the schema of a table that the specification names, with names in lower case. */
  async ownSchema(table: string): Promise<ApiResponse> {
    const answer = await this.schema(table);
    if (answer.status !== 200) return answer;
    const { tableName, columns, primaryKey, indexes } =
      answer.body as components["schemas"]["SqlTableSchema"];
    const body: typeof answer.body = {
      tableName: toLowerCaseName(tableName),
      columns: columns.map(({ name, type, isPartitionKey, isClusteringKey, isNullable, defaultValue }) => ({
        name: toLowerCaseName(name),
        ...{ type, isPartitionKey, isClusteringKey, isNullable, defaultValue },
      })),
      primaryKey: {
        partitionKeys: primaryKey.partitionKeys.map(toLowerCaseName),
        clusteringKeys: primaryKey.clusteringKeys.map(toLowerCaseName),
      },
      indexes: indexes.map(({ name, columns, isUnique }) => ({
        name: toLowerCaseName(name),
        columns: columns.map(toLowerCaseName),
        isUnique,
      })),
    };
    return { ...answer, body };
  }

  list(): Promise<ApiResponse> {
    return this.context.call("listSqlTables", { path: { databaseId: this.databaseId } });
  }

  /** Returns the entry of a table in the list; undefined if there is none. */
  async listed(
    tableName: string,
  ): Promise<{ readonly rowCount: unknown; readonly createdAt: unknown } | undefined> {
    const answer = this.context.assertStatus("SQL-27", await this.list(), 200);
    return answer.body.tables.find(({ name }: { name: string }) => toLowerCaseName(name) === tableName);
  }

  /** Asserts that the list of tables shows the number of rows of a table, possibly after a delay. */
  async assertRowCount(table: string, expected: number): Promise<void> {
    const listed = await readUntil(
      this.context,
      async () => (await this.listed(table))?.rowCount,
      (rowCount) => rowCount === expected,
    );
    this.context.assertEqual("SQL-28", listed, expected, "rowCount for the table");
  }

  /** Reads all pages of a SELECT, and returns the rows and the page sizes. */
  async rows(
    statement: SqlStatement | string,
    limit?: number,
    call: QueryOptions = {},
    clause: ClauseId = "SQL-04",
  ): Promise<SelectResult> {
    const context: CheckContext = this.context;
    const rows: Readonly<Record<string, unknown>>[] = [];
    const sizes: number[] = [];
    const counts: unknown[] = [];
    let columns: SelectResult["columns"] = [];
    let pageToken: string | undefined;
    while (sizes.length < maxPages) {
      const answer = await this.query(statement, {
        ...call,
        ...(limit === undefined ? {} : { limit }),
        ...(pageToken === undefined ? {} : { pageToken }),
      });
      context.assertStatus(sizes.length === 0 ? clause : "SQL-25", answer, 200);
      const page = parseRows(answer);
      const { rowCount, nextPageToken } = answer.body;
      if (limit !== undefined)
        context.assert("SQL-25", page.length <= limit, `at most ${limit} rows on the page`, page.length);
      rows.push(...page);
      sizes.push(page.length);
      counts.push(rowCount);
      columns = (answer.body.columns as SelectResult["columns"]).map(({ name, type }) => ({
        name: toLowerCaseName(name),
        type,
      }));
      if (nextPageToken === null) {
        const wrong = counts.filter((count, at) => !isPossiblePageCount(count, sizes, at));
        context.assertEqual(
          "SQL-02",
          wrong,
          [],
          `wrong rowCount values on pages of ${sizes.join(", ")} rows`,
        );
        return { rows, sizes, columns };
      }
      pageToken = nextPageToken;
    }
    context.assert("SQL-25", false, "nextPageToken null after the last row", `more than ${maxPages} pages`);
    return { rows, sizes, columns };
  }

  /** Returns the result of a COUNT. */
  async count(statement: SqlStatement | string, options: QueryOptions = {}): Promise<number> {
    const answer = this.context.assertStatus("SQL-18", await this.query(statement, options), 200);
    const values = answer.body.rows.flatMap((row: object) => Object.values(row));
    this.context.assert("SQL-18", values.length === 1, "one row with one number", answer.text);
    return Number(values[0]);
  }

  /**
   * Creates a table, works with it, and removes it. Composite partition keys become simple if the deployment does not know
   * them; nothing is done if the types of the key columns are refused, which is allowed.
   */
  async withTable(spec: TableSpec, work: (table: TableUnderTest) => Promise<void>): Promise<void> {
    this.#forms = await detectValueFormats(
      this,
      spec.columns.map(({ type }) => type),
      this.#knownForms,
    );
    const name = this.context.resources.createPlainName();
    const made = await this.#create(name, spec);
    if (made !== undefined) await work(new TableUnderTest(this, name, new SqlTableModel(made, this.#forms)));
    await this.context.resources.remove("table", name);
  }

  /** Creates a table with the given columns; it is removed at the end of the run at the latest. */
  create(name: string, elements: string, call: CallOptions = { setUp: true }): Promise<ApiResponse> {
    return this.execute(`CREATE TABLE ${name} (${elements})`, call);
  }

  async #create(name: string, spec: TableSpec): Promise<TableSpec | undefined> {
    const { partition, clustering } = spec;
    const declared = spec.columns.map((column) => `${column.name} ${column.type}`).join(", ");
    const first = partition.length === 1 ? partition[0] : `(${partition.join(", ")})`;
    const key = (parts: readonly (string | undefined)[]) => `PRIMARY KEY (${parts.join(", ")})`;
    const answer = await this.create(name, `${declared}, ${key([first, ...clustering])}`);
    if (partition.length === 1 || answer.status === 200) return this.#taken(answer, spec);
    // the specification does not say how to tell several partition key columns from clustering columns
    const [only = "", ...others] = partition;
    const simple = { ...spec, partition: [only], clustering: [...others, ...clustering] };
    return this.#taken(await this.create(name, `${declared}, ${key([only, ...simple.clustering])}`), simple);
  }

  /** Creates a table; undefined if the types of its key are refused, which the specification leaves open. */
  #taken(answer: ApiResponse, spec: TableSpec): TableSpec | undefined {
    const key = [...spec.partition, ...spec.clustering];
    const isSure = spec.columns.every(
      ({ name, type }) => !key.includes(name) || plainKeyFamilies.includes(parseKnownSqlType(type).family),
    );
    if (!isSure && isClientError(answer)) return undefined;
    this.context.assertStatus("SQL-19", answer, 200);
    return spec;
  }
}

/** Defines checks on the SQL interface of the database that all checks share. */
export const defineSqlChecks = defineChecksWithSubject(["sql", "database"], (context) =>
  SqlCalls.shared(context),
);

/** The result of a SELECT, with all pages combined. */
export interface SelectResult {
  /** Rows, with lossless numbers. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Number of rows on each page. */
  readonly sizes: readonly number[];
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/** The code of an SQL error. */
export function getErrorCode({ body }: ApiResponse): unknown {
  return (body as { code?: unknown } | undefined)?.code;
}

/**
 * Asserts that the SQL interface refused, with the body of an SQL error.
 *
 * @param code nothing where the code is open
 */
export function assertSqlError(
  context: CheckContext,
  clause: ClauseId,
  answer: ApiResponse,
  code: string | undefined,
  because: string,
): void {
  if (code === undefined) context.assertRefused(clause, answer, because);
  else
    context.assert(
      clause,
      isClientError(answer) && getErrorCode(answer) === code,
      `a rejection with ${code}: ${because}`,
      `status ${answer.status} with ${answer.text}`,
    );
  context.assertStatus("SQL-46", answer, 400);
  context.markSetUpDone();
}

/** Formats a WHERE with its values. */
export function formatWhereClause(where: readonly SqlCondition[]): SqlStatement {
  return {
    sql:
      where.length === 0
        ? ""
        : ` WHERE ${where.map(({ column, operator }) => `${column} ${operator} ?`).join(" AND ")}`,
    values: where.map(({ value }) => value),
  };
}

/** Options of a SELECT besides WHERE: ORDER BY and LIMIT. */
interface Selection {
  readonly order?: readonly OrderItem[];
  readonly most?: number | undefined;
}

/** A table on the deployment, with its model. */
export class TableUnderTest {
  constructor(
    readonly sql: SqlCalls,
    readonly name: string,
    readonly model: SqlTableModel,
  ) {}

  get spec(): TableSpec {
    return this.model.spec;
  }

  get columns(): readonly string[] {
    return this.spec.columns.map(({ name }) => name);
  }

  /** Formats an INSERT with the given columns. */
  insertText(row: NewRow): SqlStatement {
    const columns = Object.keys(row);
    return {
      sql: `INSERT INTO ${this.name} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
      values: Object.values(row),
    };
  }

  /** Inserts a row with a new key. */
  async insert(row: NewRow, clause: ClauseId = "SQL-10", options: QueryOptions = {}): Promise<void> {
    this.sql.assertWritten(await this.sql.write(clause, this.insertText(row), options), 1);
    this.model.insert(toCanonicalRow(row));
  }

  /** Inserts rows with new keys as setup. */
  async fill(rows: readonly NewRow[]): Promise<void> {
    for (const row of rows) await this.insert(row, "SQL-10", { setUp: true });
  }

  /** INSERT over a key that is there, with everything read back: refused, or the row is the new one (gap `sql-insert-existing`). */
  async insertAgain(row: NewRow, accepted: ClauseId = "SQL-10", refused: ClauseId = "SQL-48"): Promise<void> {
    const answer = await this.sql.query(this.insertText(row));
    if (answer.status === 200) this.model.insert(toCanonicalRow(row));
    else
      assertSqlError(
        this.sql.context,
        refused,
        answer,
        "SQL_VALIDATION_ERROR",
        "the primary key already exists",
      );
    const clause = answer.status === 200 ? accepted : refused;
    await this.assertRows(clause, [], "rows after an INSERT with an existing key");
  }

  /**
   * UPDATE of columns that are no keys, with everything read back. Where WHERE names a key that no row has, the row may
   * be made, and nothing else (gap `sql-update-missing`).
   */
  async update(where: readonly SqlCondition[], changes: NewRow, clause: ClauseId = "SQL-11"): Promise<void> {
    const { sql, values = [] } = formatWhereClause(where);
    const sets = Object.keys(changes).map((column) => `${column} = ?`);
    if (sets.length === 0) return;
    const statement = {
      sql: `UPDATE ${this.name} SET ${sets.join(", ")}${sql}`,
      values: [...Object.values(changes), ...values],
    };
    const isMissing = this.#namesOneRow(where) && this.model.select(where).length === 0;
    await this.#change(clause, statement, where, isMissing, async () => {
      const isMade = isMissing && (await this.sql.rows(this.selection(where))).rows.length > 0;
      const key = Object.fromEntries(where.map(({ column, value }) => [column, value.canonical]));
      if (isMade) this.model.insert({ ...key, ...toCanonicalRow(changes) });
      else this.model.update(where, toCanonicalRow(changes));
    });
  }

  /** DELETE, with everything read back. */
  async delete(where: readonly SqlCondition[], clause: ClauseId = "SQL-12"): Promise<void> {
    const { sql, values = [] } = formatWhereClause(where);
    const statement = { sql: `DELETE FROM ${this.name}${sql}`, values };
    await this.#change(clause, statement, where, false, () => this.model.delete(where));
  }

  /**
   * Sends a write whose WHERE may select several rows, and reads everything back. Whether a write may do with a part of
   * the key is open, and so is what is not there: where it is refused it changes nothing.
   */
  async #change(
    clause: ClauseId,
    statement: SqlStatement,
    where: readonly SqlCondition[],
    mayBeRefused: boolean,
    apply: () => Promise<void> | void,
  ): Promise<void> {
    const answer = await this.sql.query(statement);
    const isOpen =
      (mayBeRefused && isClientError(answer)) ||
      (!this.#namesOneRow(where) &&
        ["SQL_VALIDATION_ERROR", "SQL_SYNTAX_ERROR"].includes(String(getErrorCode(answer))));
    // where the row is missing it may be made
    const most = Math.max(this.model.select(where).length, mayBeRefused ? 1 : 0);
    if (!isOpen) {
      this.sql.context.assertStatus(clause, answer, 200);
      await apply();
    }
    await this.assertRows(clause, [], isOpen ? "rows after the refused write" : "rows after the write");
    // the rows are what the write is about; its count comes after them
    if (!isOpen) this.sql.assertWritten(answer, most);
  }

  #namesOneRow(where: readonly SqlCondition[]): boolean {
    return this.model.key.every((column) =>
      where.some((condition) => condition.column === column && condition.operator === "="),
    );
  }

  /** Builds a WHERE for the row with the given key. */
  whereKey(row: NewRow): readonly SqlCondition[] {
    return this.model.key.map((column) => createEqualityCondition(column, row[column]));
  }

  /** Selects all columns. */
  selection(where: readonly SqlCondition[], { order = [], most }: Selection = {}): SqlStatement {
    const { sql, values = [] } = formatWhereClause(where);
    const by = order.map(({ column, direction }) => `${column} ${direction}`).join(", ");
    const tail = (by === "" ? "" : ` ORDER BY ${by}`) + (most === undefined ? "" : ` LIMIT ${most}`);
    return { sql: `SELECT * FROM ${this.name}${sql}${tail}`, values };
  }

  /** Asserts that a SELECT of all columns finds the rows of the model, in the order of ORDER BY if it is given. */
  async assertRows(
    clause: ClauseId,
    where: readonly SqlCondition[] = [],
    what = "rows",
    { order = [], most, limit }: Selection & { readonly limit?: number | undefined } = {},
  ): Promise<void> {
    const { sql, model } = this;
    const { rows } = await sql.rows(this.selection(where, { order, most }), limit);
    const expected = model
      .select(where)
      .toSorted((a, b) => model.compare(order, a, b))
      .slice(0, most);
    this.#assertSame(clause, rows, expected, what, this.columns);
    const by = order.map(({ column }) => column);
    const valuesOf = (list: readonly Row[]) =>
      list.map((row) => by.map((column) => new JsonText(row[column] ?? "null")));
    if (by.length > 0)
      sql.context.assertEqual(
        "SQL-15",
        valuesOf(rows.map((row) => model.seen(row, by))),
        valuesOf(expected),
        `${by.join(", ")} of the rows in order`,
      );
    sql.context.markSetUpDone();
  }

  /** Asserts that an answer contains the rows of the model, in any order. */
  assertSame(
    clause: ClauseId,
    seen: SelectResult["rows"],
    expected: readonly Row[],
    what: string,
    columns: readonly string[] = this.columns,
  ): void {
    this.#assertSame(clause, seen, expected, what, columns);
    this.sql.context.markSetUpDone();
  }

  #assertSame(
    clause: ClauseId,
    seen: SelectResult["rows"],
    expected: readonly Row[],
    what: string,
    columns: readonly string[],
  ): void {
    const found = seen.map((row) => this.model.seen(row, columns));
    const [texts, wanted] = [found, expected].map((rows) => toSortedRowTexts(rows, columns));
    this.sql.context.assertEqual(clause, texts, wanted, what);
  }
}

/** Creates a condition that a column has the given value. */
export function createEqualityCondition(column: string, value: SqlValue | undefined): SqlCondition {
  if (value === undefined) throw new Error(`the row has no value for ${column}`);
  return { column, operator: "=", value };
}

/** Returns the canonical values of a row. */
export function toCanonicalRow(row: NewRow): Row {
  return Object.fromEntries(Object.entries(row).map(([column, { canonical }]) => [column, canonical]));
}
