import { rejectSuspendedOrganization } from "../access/authorize.js";
import { countReadUnits, countWriteUnits } from "../domain/item-size.js";
import type { JsonObject } from "../json/json-value.js";
import { rawJson, rawJsonArray } from "../json/stringify-body.js";
import { stringifyJson } from "../json/stringify-json.js";
import { SqlError } from "../sql/grammar/sql-error.js";
import { type SqlContext, type SqlPermission, type SqlQuery, type SqlResult } from "../sql/sql-request.js";
import type { DatabaseSummary } from "../store/databases.js";
import { formatTimestamp } from "../time/timestamp.js";
import { getBodyField } from "./body-field.js";
import {
  describeCredential,
  describeDatabases,
  getCallerOrganizationId,
  rejectStorageOverflow,
  rejectUnavailableDatabase,
} from "./database-access.js";
import type { HandlerContext, Handler } from "./handler.js";
import { memoize } from "../../openapi/text/memoize.js";

/** POST /databases/{databaseId}/sql/query. */
export const runSqlQuery: Handler<"runSqlQuery"> = ({ path, body, bodyBytes, json }, context) => {
  const { store, clock, now } = context;
  const { database, sqlContext } = prepareSql(path.databaseId, context);
  const { sql, limit, pageToken } = body;
  const query: SqlQuery = {
    sql,
    ...(body.parameters === undefined ? {} : { parameters: getBodyField(json, "parameters") as JsonObject }),
    ...(limit === undefined ? {} : { limit }),
    ...(typeof pageToken === "string" ? { pageToken } : {}),
  };
  // The operation is a read in the contract, so a statement that writes needs its own transaction.
  const isReadOnly = store.sql.isReadOnly(sql, context.profile);
  if (!isReadOnly) store.reserve(bodyBytes);
  const result = isReadOnly
    ? runRead(query, sqlContext, database, context)
    : store.transaction(() => runWrite(query, sqlContext, database, context));
  return {
    status: 200,
    body: {
      rows: rawJsonArray(result.rowsJson),
      rowCount: result.rowCount,
      columns: rawJsonArray(stringifyColumns(result.columns)),
      nextPageToken: result.nextPageToken,
      executionTimeMs: Math.max(0, clock.now() - now),
    },
  };
};

/** POST /databases/{databaseId}/sql/execute. */
export const executeSql: Handler<"executeSql"> = ({ path, body }, context) => {
  const { store, now } = context;
  const { database, sqlContext } = prepareSql(path.databaseId, context);
  const { message, bytesDelta } = store.sql.execute(body.sql, sqlContext);
  rejectStorageOverflow(bytesDelta, database, context);
  store.databases.addWrite(database.ref, { items: 0, bytes: bytesDelta, writeUnits: 1 }, now);
  return { status: 200, body: { success: true, message, affectedRows: 0 } };
};

/** GET /databases/{databaseId}/sql/tables, or the path that gap `list-tables-route` determines. */
export const listSqlTables: Handler<"listSqlTables"> = ({ path }, context) => {
  const { database } = prepareSql(path.databaseId, context);
  return { status: 200, body: { tables: context.store.sql.listTables(database.databaseId) } };
};

/** GET /databases/{databaseId}/sql/tables/{tableName}/schema. */
export const getSqlTableSchema: Handler<"getSqlTableSchema"> = ({ path }, context) => {
  const { sqlContext } = prepareSql(path.databaseId, context);
  const schema = context.store.sql.tableSchema(path.tableName, sqlContext);
  return {
    status: 200,
    body: {
      ...schema,
      columns: schema.columns.map((column) => ({
        ...column,
        defaultValue: rawJson(stringifyJson(column.defaultValue)),
      })),
    },
  };
};

/** Writes columns once, because repeated statements return the same object. */
const stringifyColumns = memoize((columns: SqlResult["columns"]) => JSON.stringify(columns), new WeakMap());

function prepareSql(databaseId: string, context: HandlerContext) {
  const permission = getSqlPermission(context);
  const database = findSqlDatabase(databaseId, context);
  const { now, profile } = context;
  return { database, sqlContext: { databaseId, permission, now: formatTimestamp(now), profile } };
}

function runRead(
  query: SqlQuery,
  sqlContext: SqlContext,
  database: DatabaseSummary,
  { store, now }: HandlerContext,
): SqlResult {
  const result = store.sql.query(query, sqlContext);
  store.databases.addRead(database.ref, countReadUnits(Buffer.byteLength(result.rowsJson)), now);
  return result;
}

function runWrite(
  query: SqlQuery,
  sqlContext: SqlContext,
  database: DatabaseSummary,
  context: HandlerContext,
): SqlResult {
  const { store, now } = context;
  // A caller without write access gets the error about that, even if the organization is suspended.
  if (sqlContext.permission !== "read")
    rejectSuspendedOrganization({ effect: "write" }, getCallerOrganizationId(context), context);
  const result = store.sql.query(query, sqlContext);
  const { rowCount, bytesDelta: bytes, bytesWritten } = result;
  rejectStorageOverflow(bytes, database, context);
  // Every row costs at least one unit.
  const writeUnits = Math.max(rowCount, countWriteUnits(bytesWritten));
  if (rowCount > 0) store.databases.addWrite(database.ref, { items: 0, bytes, writeUnits }, now);
  return result;
}

/**
 * Returns the caller's permission level (part 4.8 rule 5): the scopes of an API key determine it, or the role of a user.
 *
 * @throws SqlError ACCESS_DENIED for a key with access only to repositories (clause AUTH-23)
 */
function getSqlPermission({ caller, profile }: HandlerContext): SqlPermission {
  if (caller.kind !== "apiKey") {
    const isReadonly = caller.kind === "anonymous" || caller.role === "readonly";
    return isReadonly && profile["sql-readonly-user"] === "select" ? "read" : "admin";
  }
  const { scopes } = caller;
  if (scopes.includes("*") || scopes.includes("database:*")) return "admin";
  if (scopes.includes("database:write")) return "write";
  if (scopes.includes("database:read")) return "read";
  throw new SqlError(
    "ACCESS_DENIED",
    "this API key does not allow SQL",
    `Its scopes are ${scopes.join(", ")}. Use a key with one of the scopes that allow SQL: database:read, database:write, database:* or *.`,
  );
}

/**
 * Finds a database of the caller's organization whose data is available. For all profiles, the database of another
 * organization looks like a missing one (part 7).
 *
 * @throws SqlError DATABASE_NOT_FOUND
 */
function findSqlDatabase(databaseId: string, context: HandlerContext): DatabaseSummary {
  const row = context.store.databases.find(databaseId);
  if (row?.organizationId !== getCallerOrganizationId(context))
    throw new SqlError(
      "DATABASE_NOT_FOUND",
      `there is no database with this id in the organization${describeDatabases(context)}`,
      describeCredential(context),
    );
  rejectUnavailableDatabase(row, context);
  const fault = context.fault?.("sql");
  if (fault !== undefined)
    throw new SqlError(fault.code, "the statement failed", "A fault rule caused this failure.");
  return row;
}
