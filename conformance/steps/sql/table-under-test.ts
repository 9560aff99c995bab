import { isClientError } from "../../client/is-client-error.js";
import type { ClauseId } from "../../../openapi/clauses/register.js";
import type { ApiResponse } from "../../client/client.js";
import { JsonText } from "../../client/json-text.js";
import type { CheckContext } from "../../check/context.js";
import {
  getKeyColumns,
  type SqlCondition,
  type OrderItem,
  type Row,
  toSortedRowTexts,
  SqlTableModel,
  type TableSpec,
} from "../../models/sql-table.js";
import { type SqlLiteral, type SqlValue, toSqlValue } from "../../models/sql-types.js";
import { plainKeyTypes } from "../../generators/sql.js";
import { detectValueFormats } from "./detect-value-formats.js";
import {
  assertSqlError,
  getErrorCode,
  type QueryOptions,
  type SqlClient,
  type SqlRow,
  type SqlStatement,
} from "./sql-client.js";

/** A row to write, with values in short form. */
export type RowLiteral = Readonly<Record<string, SqlLiteral>>;

/** Returns the canonical values of a row. */
export function toCanonicalRow(row: RowLiteral): Row {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [column, toSqlValue(value).canonical]),
  );
}

/** Creates the conditions that columns have the given values. */
export function whereEqual(values: RowLiteral): readonly SqlCondition[] {
  return Object.entries(values).map(([column, value]) => ({
    column,
    operator: "=",
    value: toSqlValue(value),
  }));
}

function formatWhere(where: readonly SqlCondition[]): { sql: string; values: readonly SqlValue[] } {
  const comparisons = where.map(({ column, operator }) => `${column} ${operator} ?`);
  return {
    sql: comparisons.length === 0 ? "" : ` WHERE ${comparisons.join(" AND ")}`,
    values: where.map(({ value }) => value),
  };
}

/**
 * Creates a table, works with it, and removes it. Composite partition keys become simple if the deployment does not know
 * them; nothing is done if the types of the key columns are refused, which is allowed.
 */
export async function withTable(
  sql: SqlClient,
  spec: TableSpec,
  work: (table: TableUnderTest) => Promise<void>,
): Promise<void> {
  await detectValueFormats(
    sql,
    spec.columns.map(({ type }) => type),
  );
  const name = sql.context.resources.createPlainName();
  const created = await tryCreateTable(sql, name, spec);
  if (created !== undefined)
    await work(new TableUnderTest(sql, name, new SqlTableModel(created, sql.formats)));
  await sql.context.resources.remove("table", name);
}

/** Creates a table; undefined if the types of its key are refused, which the specification leaves open. */
async function tryCreateTable(sql: SqlClient, name: string, spec: TableSpec): Promise<TableSpec | undefined> {
  const { columns, partition, clustering } = spec;
  const declared = columns.map((column) => `${column.name} ${column.type}`);
  const create = (...key: readonly string[]) =>
    sql.createTable(name, [...declared, `PRIMARY KEY (${key.join(", ")})`].join(", "));
  const [first = "", ...others] = partition;
  let created = spec;
  let response = await create(others.length === 0 ? first : `(${partition.join(", ")})`, ...clustering);
  // The specification does not define the syntax of composite partition keys.
  if (others.length > 0 && response.status !== 200) {
    created = { columns, partition: [first], clustering: [...others, ...clustering] };
    response = await create(first, ...created.clustering);
  }
  const key = getKeyColumns(spec);
  const hasPlainKey = columns.every(
    (column) => !key.includes(column.name) || plainKeyTypes.includes(column.type),
  );
  if (!hasPlainKey && isClientError(response)) return undefined;
  sql.context.assertStatus("SQL-19", response, 200);
  return created;
}

/** Options of a SELECT besides WHERE. */
interface SelectOptions {
  readonly order?: readonly OrderItem[];
  /** LIMIT of the statement. */
  readonly most?: number | undefined;
}

/** A table on the deployment, with its model. */
export class TableUnderTest {
  readonly context: CheckContext;

  constructor(
    readonly sql: SqlClient,
    readonly name: string,
    readonly model: SqlTableModel,
  ) {
    this.context = sql.context;
  }

  get spec(): TableSpec {
    return this.model.spec;
  }

  get columns(): readonly string[] {
    return this.spec.columns.map(({ name }) => name);
  }

  /** Formats an INSERT with the columns of the row. */
  formatInsert(row: RowLiteral): SqlStatement {
    const columns = Object.keys(row);
    return {
      sql: `INSERT INTO ${this.name} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
      values: Object.values(row),
    };
  }

  /** Inserts a row with a new key. */
  async insert(row: RowLiteral, clause: ClauseId = "SQL-10", options: QueryOptions = {}): Promise<void> {
    this.sql.assertWrittenRows(await this.sql.write(clause, this.formatInsert(row), options), 1);
    this.model.insert(toCanonicalRow(row));
  }

  /** Inserts rows with new keys as setup. */
  async fill(rows: readonly RowLiteral[]): Promise<void> {
    for (const row of rows) await this.insert(row, "SQL-10", { setUp: true });
  }

  /**
   * Inserts a row with an existing key, and reads all rows: the INSERT is refused, or replaces the row (gap
   * `sql-insert-existing`).
   */
  async insertExisting(
    row: RowLiteral,
    accepted: ClauseId = "SQL-10",
    refused: ClauseId = "SQL-48",
  ): Promise<void> {
    const response = await this.sql.query(this.formatInsert(row));
    const isAccepted = response.status === 200;
    if (isAccepted) this.model.insert(toCanonicalRow(row));
    else
      assertSqlError(
        this.context,
        refused,
        response,
        "SQL_VALIDATION_ERROR",
        "the primary key already exists",
      );
    await this.assertRows(isAccepted ? accepted : refused, [], "rows after an INSERT with an existing key");
  }

  /**
   * Updates columns outside the key, and reads all rows. If WHERE names a key that no row has, the UPDATE may create the
   * row.
   */
  async update(
    where: readonly SqlCondition[],
    changes: RowLiteral,
    clause: ClauseId = "SQL-11",
  ): Promise<void> {
    const { sql, values } = formatWhere(where);
    const sets = Object.keys(changes).map((column) => `${column} = ?`);
    if (sets.length === 0) return;
    const statement = {
      sql: `UPDATE ${this.name} SET ${sets.join(", ")}${sql}`,
      values: [...Object.values(changes), ...values],
    };
    const isMissing = this.#hasWholeKey(where) && this.model.select(where).length === 0;
    await this.#change(clause, statement, where, isMissing, async () => {
      const isCreated = isMissing && (await this.sql.select(this.formatSelect(where))).rows.length > 0;
      const key = Object.fromEntries(where.map(({ column, value }) => [column, value.canonical]));
      if (isCreated) this.model.insert({ ...key, ...toCanonicalRow(changes) });
      else this.model.update(where, toCanonicalRow(changes));
    });
  }

  /** Deletes rows, and reads all rows. */
  async delete(where: readonly SqlCondition[], clause: ClauseId = "SQL-12"): Promise<void> {
    const { sql, values } = formatWhere(where);
    const statement = { sql: `DELETE FROM ${this.name}${sql}`, values };
    await this.#change(clause, statement, where, false, () => this.model.delete(where));
  }

  /**
   * Sends a write whose WHERE may select several rows, and reads all rows. The specification leaves open whether writes
   * accept a part of the key; a refused write changes nothing.
   *
   * @param mayCreate whether the write may create its row, or be refused because the row is missing
   */
  async #change(
    clause: ClauseId,
    statement: SqlStatement,
    where: readonly SqlCondition[],
    mayCreate: boolean,
    apply: () => Promise<void> | void,
  ): Promise<void> {
    const response: ApiResponse = await this.sql.query(statement);
    const isPermittedRefusal =
      (mayCreate && isClientError(response)) ||
      (!this.#hasWholeKey(where) &&
        ["SQL_VALIDATION_ERROR", "SQL_SYNTAX_ERROR"].includes(String(getErrorCode(response))));
    if (isPermittedRefusal) return this.assertRows(clause, [], "rows after the refused write");
    const most = Math.max(this.model.select(where).length, mayCreate ? 1 : 0);
    this.context.assertStatus(clause, response, 200);
    await apply();
    // The rows come first, because a wrong row count may be the consequence of wrong rows.
    await this.assertRows(clause, [], "rows after the write");
    this.sql.assertWrittenRows(response, most);
  }

  #hasWholeKey(where: readonly SqlCondition[]): boolean {
    return this.model.key.every((column) =>
      where.some((condition) => condition.column === column && condition.operator === "="),
    );
  }

  /** Creates the conditions that select the row with the key of the given row. */
  whereKey(row: RowLiteral): readonly SqlCondition[] {
    return whereEqual(Object.fromEntries(this.model.key.map((column) => [column, row[column] ?? null])));
  }

  /** Formats a SELECT of all columns. */
  formatSelect(where: readonly SqlCondition[], { order = [], most }: SelectOptions = {}): SqlStatement {
    const { sql, values } = formatWhere(where);
    const by = order.map(({ column, direction }) => `${column} ${direction}`).join(", ");
    const tail = (by === "" ? "" : ` ORDER BY ${by}`) + (most === undefined ? "" : ` LIMIT ${most}`);
    return { sql: `SELECT * FROM ${this.name}${sql}${tail}`, values };
  }

  /** Asserts that a SELECT of all columns finds the rows of the model, in the order of ORDER BY if it is given. */
  async assertRows(
    clause: ClauseId,
    where: readonly SqlCondition[] = [],
    what = "rows",
    { order = [], most, limit }: SelectOptions & Pick<QueryOptions, "limit"> = {},
  ): Promise<void> {
    const { rows } = await this.sql.select(this.formatSelect(where, { order, most }), { limit });
    const expected = this.model
      .select(where)
      .toSorted((a, b) => this.model.compare(order, a, b))
      .slice(0, most);
    this.assertSameRows(clause, rows, expected, what, this.columns, order);
  }

  /** Asserts that a response contains the expected rows, in the order of ORDER BY if it is given. */
  assertSameRows(
    clause: ClauseId,
    rows: readonly SqlRow[],
    expected: readonly Row[],
    what: string,
    columns: readonly string[] = this.columns,
    order: readonly OrderItem[] = [],
  ): void {
    const found = rows.map((row) => this.model.parseRow(row, columns));
    const [texts, wanted] = [found, expected].map((list) => toSortedRowTexts(list, columns));
    this.context.assertEqual(clause, texts, wanted, what);
    const by = order.map(({ column }) => column);
    const [inOrder, wantedOrder] = [found, expected].map((list) =>
      list.map((row) => by.map((column) => new JsonText(row[column] ?? "null"))),
    );
    if (by.length > 0)
      this.context.assertEqual("SQL-15", inOrder, wantedOrder, `${by.join(", ")} of the rows in order`);
    this.context.markSetUpDone();
  }

  /** Asserts that COUNT finds the number of rows of the model. */
  async assertCount(where: readonly SqlCondition[] = []): Promise<void> {
    const { sql, values } = formatWhere(where);
    const count = await this.sql.count({ sql: `SELECT COUNT(*) FROM ${this.name}${sql}`, values });
    this.context.assertEqual("SQL-18", count, this.model.select(where).length, `COUNT${sql}`);
    this.context.markSetUpDone();
  }
}
