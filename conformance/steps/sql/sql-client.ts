import { parse } from "lossless-json";
import { isClientError } from "../../client/is-client-error.js";
import type { ClauseId } from "../../../openapi/clauses/register.js";
import type { components } from "../../../openapi/generated/service-types.js";
import type { ApiResponse, CallOptions } from "../../client/client.js";
import { defineChecksWithSubject } from "../../check/check.js";
import { type CheckContext, formatResponse } from "../../check/context.js";
import { encodeSqlValue, suiteValueFormats, type SqlValueFormats } from "../../models/sql-value-formats.js";
import { type SqlLiteral, toSqlValue } from "../../models/sql-types.js";
import { readUntil } from "../read-until.js";
import { isPossiblePageCount } from "../pages.js";

/** A statement with the values of its markers. */
export interface SqlStatement {
  readonly sql: string;
  readonly values?: readonly SqlLiteral[];
}

/** Fields of the request besides the statement. */
export interface QueryOptions extends Pick<CallOptions, "as" | "intent" | "setUp" | "skipValidation"> {
  readonly limit?: number | undefined;
  readonly pageToken?: string | undefined;
}

export type SqlTableSchema = components["schemas"]["SqlTableSchema"];

/** Maximum number of pages; more than any result of the suite has. */
const maxPages = 400;

/** Defines checks on the SQL interface of the database that all checks share. */
export const defineSqlChecks = defineChecksWithSubject(["sql", "database"], (context) =>
  SqlClient.shared(context),
);

/** Sends SQL requests to one database. */
export class SqlClient {
  /** The formats of values that are known so far. */
  knownFormats: Partial<SqlValueFormats> = {};

  constructor(
    readonly context: CheckContext,
    readonly databaseId: string,
  ) {}

  /** Creates a client for the database that all checks share. */
  static async shared(context: CheckContext): Promise<SqlClient> {
    return new SqlClient(context, await context.resources.getDatabase());
  }

  get formats(): SqlValueFormats {
    return { ...suiteValueFormats, ...this.knownFormats };
  }

  /** Sends a statement to `query`, with values as JSON text, so that no digits are lost. */
  query(
    statement: SqlStatement | string,
    { limit, pageToken, ...call }: QueryOptions = {},
  ): Promise<ApiResponse> {
    const { sql, values = [] } = typeof statement === "string" ? { sql: statement } : statement;
    // The names are in the order of the markers, even if they are sorted as texts, so that the result does not depend on
    // how the deployment orders parameters (gap `sql-parameter-order`).
    const digits = String(values.length).length;
    const parameters = values.map(toSqlValue).map(({ json, type }, index) => {
      const value = type === undefined ? json : encodeSqlValue(type, json, this.formats);
      return `"p${String(index + 1).padStart(digits, "0")}":${value}`;
    });
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
    return this.context.call("executeSql", { ...call, path: { databaseId: this.databaseId }, body: { sql } });
  }

  /**
   * Sends alternative notations of a definition until one is accepted; the specification does not define all of them.
   *
   * @returns the index of the accepted notation
   */
  async define(...notations: readonly [string, ...string[]]): Promise<number> {
    for (const [index, sql] of notations.entries()) {
      const response = await this.execute(sql);
      if (response.status === 200) return index;
      if (index === notations.length - 1) this.context.assertStatus("SQL-06", response, 200);
    }
    return 0;
  }

  /** Drops a column if the deployment supports this; the specification leaves the alterations of ALTER TABLE open. */
  async tryDropColumn(table: string, column: string): Promise<boolean> {
    for (const word of [" COLUMN", ""]) {
      const response = await this.execute(`ALTER TABLE ${table} DROP${word} ${column}`);
      if (response.status === 200) return true;
      this.context.assertRefused("SQL-06", response, "accepted, or unknown to the deployment");
    }
    return false;
  }

  /** Adds a column, with or without the word COLUMN. Returns the text before the column. */
  async addColumn(table: string, column: string): Promise<string> {
    const prefix = `ALTER TABLE ${table} ADD`;
    const index = await this.define(`${prefix} COLUMN ${column}`, `${prefix} ${column}`);
    return index === 0 ? `${prefix} COLUMN` : prefix;
  }

  /** Drops an index, with or without the name of its table. */
  async dropIndex(name: string, table: string): Promise<void> {
    await this.define(`DROP INDEX ${name}`, `DROP INDEX ${name} ON ${table}`);
  }

  /** Drops a table. If this is refused, its indexes are dropped first, which a deployment may require. */
  async dropTable(name: string): Promise<ApiResponse> {
    let response = await this.execute(`DROP TABLE ${name}`);
    if (isClientError(response)) {
      const { indexes } = await this.readSchema(name);
      for (const index of indexes)
        for (const end of ["", ` ON ${name}`])
          // The indexes of the key may be listed, too, and stay as long as the table.
          if ((await this.execute(`DROP INDEX ${index.name}${end}`)).status === 200) break;
      response = await this.execute(`DROP TABLE ${name}`);
    }
    return this.context.assertStatus("SQL-06", response, 200);
  }

  /** Sends a write, which must be accepted. */
  async write(
    clause: ClauseId,
    statement: SqlStatement | string,
    options: QueryOptions = {},
  ): Promise<ApiResponse> {
    return this.context.assertStatus(clause, await this.query(statement, options), 200);
  }

  /** Sends a statement to the endpoint for its kind, and asserts that it is refused; see {@link assertSqlError}. */
  async assertRefusal(
    clause: ClauseId,
    statement: SqlStatement | string,
    code: string | undefined,
    because?: string,
  ): Promise<void> {
    const { sql } = typeof statement === "string" ? { sql: statement } : statement;
    const isDefinition = /^(?:CREATE|ALTER|DROP)\b/.test(sql);
    const response = isDefinition
      ? await this.execute(sql, { intent: "invalid" })
      : await this.query(statement, { intent: "invalid" });
    assertSqlError(this.context, clause, response, code, because ?? sql);
  }

  /** Asserts that a write does not count more rows than it wrote; it may count none. */
  assertWrittenRows({ body }: ApiResponse, maxRows: number): void {
    const { rowCount } = body as { readonly rowCount: number };
    const what = `a rowCount of at most ${maxRows}, the number of rows written`;
    this.context.assert("SQL-02", rowCount <= maxRows, what, rowCount);
  }

  /** Requests the schema of a table. */
  getSchema(tableName: string, call: CallOptions = {}): Promise<ApiResponse> {
    return this.context.call("getSqlTableSchema", {
      ...call,
      path: { databaseId: this.databaseId, tableName },
    });
  }

  /** Reads the fields of the schema of a table that the specification names, with names in lower case. */
  async readSchema(table: string, clause: ClauseId = "SQL-29"): Promise<SqlTableSchema> {
    const { body } = this.context.assertStatus(clause, await this.getSchema(table), 200);
    const { tableName, columns, primaryKey, indexes } = body as SqlTableSchema;
    return {
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
  }

  /** Reads the list of tables, with names in lower case. */
  async listTables(): Promise<readonly ListedTable[]> {
    const response = await this.context.call("listSqlTables", { path: { databaseId: this.databaseId } });
    const tables = this.context.assertStatus("SQL-27", response, 200).body.tables as readonly ListedTable[];
    return tables.map((table) => ({ ...table, name: toLowerCaseName(table.name) }));
  }

  /** Finds a table in the list. */
  async findTable(tableName: string): Promise<ListedTable | undefined> {
    return (await this.listTables()).find(({ name }) => name === tableName);
  }

  /** Asserts that the list of tables shows the number of rows of a table, possibly after a delay. */
  async assertRowCount(table: string, expected: number): Promise<void> {
    const rowCount = await readUntil(
      this.context,
      async () => (await this.findTable(table))?.rowCount,
      (count) => count === expected,
    );
    this.context.assertEqual("SQL-28", rowCount, expected, "rowCount for the table");
  }

  /** Reads all pages of a SELECT. */
  async select(
    statement: SqlStatement | string,
    options: QueryOptions = {},
    clause: ClauseId = "SQL-04",
  ): Promise<SelectResult> {
    const context: CheckContext = this.context;
    const { limit } = options;
    const rows: SqlRow[] = [];
    const sizes: number[] = [];
    const counts: unknown[] = [];
    let columns: SelectResult["columns"] = [];
    let pageToken: string | null | undefined;
    while (pageToken !== null) {
      if (sizes.length === maxPages)
        context.assert("SQL-25", false, "nextPageToken null after the last row", `${maxPages} pages`);
      const response = await this.query(statement, { ...options, pageToken });
      context.assertStatus(sizes.length === 0 ? clause : "SQL-25", response, 200);
      const page = parseRows(response);
      if (limit !== undefined)
        context.assert("SQL-25", page.length <= limit, `at most ${limit} rows on the page`, page.length);
      rows.push(...page);
      sizes.push(page.length);
      counts.push(response.body.rowCount);
      columns = response.body.columns;
      pageToken = response.body.nextPageToken as string | null;
    }
    const wrong = counts.filter((count, at) => !isPossiblePageCount(count, sizes, at));
    const what = `wrong rowCount values on pages of ${sizes.join(", ")} rows`;
    context.assertEqual("SQL-02", wrong, [], what);
    return {
      rows,
      sizes,
      columns: columns.map(({ name, type }) => ({ name: toLowerCaseName(name), type })),
    };
  }

  /** Returns the result of a COUNT. */
  async count(statement: SqlStatement | string, options: QueryOptions = {}): Promise<number> {
    const response = this.context.assertStatus("SQL-18", await this.query(statement, options), 200);
    const values = response.body.rows.flatMap((row: object) => Object.values(row));
    this.context.assert("SQL-18", values.length === 1, "one row with one number", response.text);
    return Number(values[0]);
  }

  /** Creates a table; it is removed at the end of the run at the latest. */
  createTable(name: string, elements: string, call: CallOptions = { setUp: true }): Promise<ApiResponse> {
    return this.execute(`CREATE TABLE ${name} (${elements})`, call);
  }
}

/** A row of a response, with lossless numbers and with column names in lower case. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** The result of a SELECT, with all pages combined. */
interface SelectResult {
  readonly rows: readonly SqlRow[];
  /** Number of rows on each page. */
  readonly sizes: readonly number[];
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/** An entry in the list of tables. */
interface ListedTable {
  readonly name: string;
  readonly rowCount: unknown;
  readonly createdAt: unknown;
}

/** Parses the rows of a response. */
export function parseRows({ text }: ApiResponse): readonly SqlRow[] {
  return (parse(text) as { rows: readonly SqlRow[] }).rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([column, value]) => [toLowerCaseName(column), value])),
  );
}

/** Converts a name to the form that checks use; the case of names in answers is left open (gap `sql-identifier-case`). */
export function toLowerCaseName(name: string): string {
  return name.toLowerCase();
}

/** Returns the code of an SQL error. */
export function getErrorCode({ body }: ApiResponse): unknown {
  return (body as { code?: unknown } | undefined)?.code;
}

/**
 * Asserts that the SQL interface refused a statement, with the body of an SQL error.
 *
 * @param code undefined if the specification leaves the code open
 */
export function assertSqlError(
  context: CheckContext,
  clause: ClauseId,
  response: ApiResponse,
  code: string | undefined,
  because: string,
): void {
  if (code === undefined) context.assertRefused(clause, response, because);
  else {
    const hasCode = isClientError(response) && getErrorCode(response) === code;
    context.assert(clause, hasCode, `a rejection with ${code}: ${because}`, formatResponse(response));
  }
  context.assertStatus("SQL-46", response, 400);
  context.markSetUpDone();
}
