import type { Profile } from "../../openapi/gaps/profile.js";
import type { Database } from "sql.js";
import { Catalog, type TableEntry } from "./catalog.js";
import { createIndex, dropIndex } from "./define-index.js";
import { alterTable, createTable, dropTable } from "./define-table.js";
import { bindParameters } from "./bind-parameters.js";
import { foldIdentifier, parseSql, type ParsedSql } from "./grammar/parse-sql.js";
import { planDelete, planUpdate } from "./plan-change.js";
import { planInsert } from "./plan-insert.js";
import { planSelect, rejectPageToken } from "./plan-select.js";
import { PooledCache, statementPool } from "../memory/cache-pool.js";
import { createSqlValidationError, SqlError } from "./grammar/sql-error.js";
import {
  type StatementPlan,
  type SqlContext,
  type DefinitionResult,
  type SqlPermission,
  sqlPermissions,
  type SqlQuery,
  type SqlResult,
  type SqlStore,
} from "./sql-request.js";
import { StatementCache } from "./statement-cache.js";
import type { DataStatement, DefinitionStatement, Statement } from "./grammar/syntax.js";
import { describeTable, getTableSqlName, type Table, type TableSchema } from "./table.js";

/** Approximate memory of a parsed statement and the values of its plan for each character of its text. */
const bytesPerCharacter = 100;

interface Prepared extends ParsedSql {
  /** The plan and its table: a different table object means that the plan is stale. */
  plan?: StatementPlan & { readonly table: Table };
}

/**
 * The SQL interface of one sql.js database, which contains the catalog (`sqlCatalogSchema`) and the rows of all databases of
 * a namespace. Everything runs in the caller's transaction: if a method throws, the caller rolls back and calls `forget`.
 */
export class SqlEngine {
  readonly #store: SqlStore;
  readonly #parsed = new PooledCache<Prepared>({
    pool: statementPool,
    countBytes: (sql, { plan }) => bytesPerCharacter * sql.length + (plan?.bytes ?? 0),
  });
  #profile: Profile | undefined;
  /** Whether the last call was a definition. */
  #hasDefined = false;

  /** @param reserve reserves memory, and throws if there is not enough */
  constructor(database: Database, reserve: (bytes: number) => void) {
    const statements = new StatementCache(database);
    this.#store = { statements, catalog: new Catalog(statements), reserve };
  }

  /** Clears all caches. Called after a rollback, and before the database is closed. */
  forget(): void {
    this.#store.statements.clear();
    this.#store.catalog.forget();
    this.#parsed.clear();
  }

  /** SELECT, INSERT, UPDATE, DELETE. @throws SqlError */
  query(query: SqlQuery, context: SqlContext): SqlResult {
    this.#useProfile(context.profile);
    const prepared = this.#parse(query.sql, context.profile);
    const { statement } = prepared;
    if (!isDataStatement(statement)) throw createWrongEndpointError(statement, "execute");
    requirePermission(context.permission, statement.kind === "select" ? "read" : "write", statement);
    const table = this.#store.catalog.get(context.databaseId, statement.table);
    let plan: StatementPlan | undefined = prepared.plan?.table === table ? prepared.plan : undefined;
    if (plan === undefined) {
      plan = this.#plan(table, statement, context.profile);
      // A plan of many rows takes much more memory than its text.
      if (statement.kind !== "insert" || statement.rows.length === 1) {
        prepared.plan = { ...plan, table };
        this.#parsed.recount(query.sql);
      }
    }
    if (statement.kind !== "select") rejectPageToken(query);
    return plan.run(query, bindParameters(prepared.parameterCount, query.parameters, context.profile));
  }

  /** Whether {@link query} would only read. @throws SqlError for invalid SQL */
  isReadOnly(sql: string, profile: Profile): boolean {
    this.#useProfile(profile);
    const { statement } = this.#parse(sql, profile);
    return !isDataStatement(statement) || statement.kind === "select";
  }

  /** CREATE, ALTER and DROP of tables and indexes. @throws SqlError */
  execute(sql: string, context: SqlContext): DefinitionResult {
    this.#useProfile(context.profile);
    const prepared = this.#parse(sql, context.profile);
    const { statement } = prepared;
    if (isDataStatement(statement)) throw createWrongEndpointError(statement, "query");
    return this.#define(prepared, statement, context);
  }

  /** The tables of a database by name. */
  listTables(databaseId: string): TableEntry[] {
    return this.#store.catalog.list(databaseId);
  }

  /** @throws SqlError TABLE_NOT_FOUND */
  tableSchema(
    name: string,
    { databaseId, profile }: Pick<SqlContext, "databaseId" | "profile">,
  ): TableSchema {
    this.#useProfile(profile);
    const { catalog } = this.#store;
    const folded = foldIdentifier(name, profile["sql-identifier-case"]);
    const table = catalog.find(databaseId, name) ?? catalog.find(databaseId, folded);
    return describeTable(table ?? catalog.get(databaseId, name));
  }

  /** How many tables and rows there are in all databases. */
  countTotals(): { readonly sqlTables: number; readonly sqlRows: number } {
    const row = this.#store.statements.first("SELECT count(*), coalesce(sum(row_count), 0) FROM sql_tables");
    const [sqlTables, sqlRows] = row as [number, number];
    return { sqlTables, sqlRows };
  }

  /** Removes all tables of a database. */
  dropDatabase(databaseId: string): void {
    this.#useProfile(this.#profile);
    const { statements, catalog } = this.#store;
    const ids = statements.all("SELECT table_id FROM sql_tables WHERE database_id = ?", [databaseId]);
    if (ids.length === 0) return;
    for (const [id] of ids) statements.define(`DROP TABLE ${getTableSqlName(Number(id))}`);
    statements.run("DELETE FROM sql_indexes WHERE database_id = ?", [databaseId]);
    statements.run("DELETE FROM sql_tables WHERE database_id = ?", [databaseId]);
    catalog.forget();
    this.#hasDefined = true;
  }

  /** Forgets plans that no longer apply. */
  #useProfile(profile: Profile | undefined): void {
    // The last definition may have been rolled back.
    if (this.#hasDefined) this.forget();
    this.#hasDefined = false;
    if (profile !== this.#profile) {
      // Plans and names depend on the profile.
      this.forget();
      this.#profile = profile;
    }
  }

  #define(prepared: Prepared, statement: DefinitionStatement, context: SqlContext): DefinitionResult {
    requirePermission(context.permission, "admin", statement);
    if (prepared.parameterCount > 0)
      throw createSqlValidationError(
        "this statement does not support parameters",
        "Write the values into the statement instead of `?`.",
      );
    this.#hasDefined = true;
    return define(this.#store, statement, context);
  }

  #parse(sql: string, profile: Profile): Prepared {
    return this.#parsed.get(sql, () => parseSql(sql, profile["sql-identifier-case"]));
  }

  #plan(table: Table, statement: DataStatement, profile: Profile): StatementPlan {
    switch (statement.kind) {
      case "select":
        return planSelect(this.#store, table, statement, profile);
      case "insert":
        return planInsert(this.#store, table, statement, profile);
      case "update":
        return planUpdate(this.#store, table, statement, profile);
      case "delete":
        return planDelete(this.#store, table, statement, profile);
    }
  }
}

function define(store: SqlStore, statement: DefinitionStatement, context: SqlContext): DefinitionResult {
  switch (statement.kind) {
    case "create-table":
      return createTable(store, statement, context);
    case "alter-table":
      return alterTable(store, statement, context);
    case "drop-table":
      return dropTable(store, statement, context);
    case "create-index":
      return createIndex(store, statement, context);
    case "drop-index":
      return dropIndex(store, statement, context);
  }
}

function isDataStatement(statement: Statement): statement is DataStatement {
  return ["select", "insert", "update", "delete"].includes(statement.kind);
}

function requirePermission(permission: SqlPermission, needed: SqlPermission, statement: Statement): void {
  if (sqlPermissions.indexOf(permission) >= sqlPermissions.indexOf(needed)) return;
  throw new SqlError(
    "ACCESS_DENIED",
    `${getVerb(statement)} is not allowed with this credential`,
    `This statement needs the permission level ${needed}; the credential has the level ${permission}.`,
  );
}

function createWrongEndpointError(statement: Statement, endpoint: "query" | "execute"): SqlError {
  const kinds = endpoint === "query" ? "SELECT, INSERT, UPDATE and DELETE" : "CREATE, ALTER and DROP";
  return createSqlValidationError(
    `${getVerb(statement)} is not allowed on this endpoint; use ${endpoint} instead`,
    `POST /databases/{databaseId}/sql/${endpoint} executes ${kinds}.`,
  );
}

function getVerb(statement: Statement): string {
  return statement.kind.replace("-", " ").toUpperCase();
}
