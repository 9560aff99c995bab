import { rejectSuspendedOrganization } from "../access/authorize.js";
import { countReadUnits, countWriteUnits } from "../domain/item-size.js";
import type { JsonObject } from "../json/json-value.js";
import { rawJson, rawJsonArray } from "../json/stringify-body.js";
import { stringifyJson } from "../json/stringify-json.js";
import type { SqlContext, SqlQuery, SqlResult } from "../sql/sql-request.js";
import type { DatabaseSummary } from "../store/databases.js";
import { formatTimestamp } from "../time/timestamp.js";
import { getBodyField } from "./body-field.js";
import { getCallerOrganizationId, rejectStorageOverflow } from "./database-access.js";
import type { HandlerContext, Handler } from "./handler.js";
import { findSqlDatabase, getSqlPermission } from "./sql-access.js";
import { memoize } from "../../openapi/text/memoize.js";

/** POST /databases/{databaseId}/sql/query. */
export const runSqlQuery: Handler<"runSqlQuery"> = ({ path, body, bodyBytes, json }, context) => {
  const { store, clock, now } = context;
  const may = getSqlPermission(context);
  const database = findSqlDatabase(path.databaseId, context);
  const { sql, limit, pageToken } = body;
  const query: SqlQuery = {
    sql,
    ...(body.parameters === undefined ? {} : { parameters: getBodyField(json, "parameters") as JsonObject }),
    ...(limit === undefined ? {} : { limit }),
    ...(typeof pageToken === "string" ? { pageToken } : {}),
  };
  const on = createSqlContext(database, may, context);
  // the operation as a whole reads; a statement that writes is a transaction and asks for more
  const isReadOnly = store.sql.isReadOnly(sql, on.profile);
  if (!isReadOnly) store.reserve(bodyBytes);
  const result = isReadOnly
    ? runRead(query, on, database, context)
    : store.transaction(() => runWrite(query, on, database, context));
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
  const may = getSqlPermission(context);
  const database = findSqlDatabase(path.databaseId, context);
  const { message, affectedRows, bytesDelta, bytesWritten } = store.sql.execute(
    body.sql,
    createSqlContext(database, may, context),
  );
  rejectStorageOverflow(bytesDelta, database, context);
  const writeUnits = Math.max(affectedRows, countWriteUnits(bytesWritten));
  store.databases.addWrite(database.ref, { items: 0, bytes: bytesDelta, writeUnits }, now);
  return { status: 200, body: { success: true, message, affectedRows } };
};

/** GET /databases/{databaseId}/sql/tables, or where else gap `list-tables-route` puts it. */
export const listSqlTables: Handler<"listSqlTables"> = ({ path }, context) => {
  getSqlPermission(context);
  const { databaseId } = findSqlDatabase(path.databaseId, context);
  return { status: 200, body: { tables: context.store.sql.listTables(databaseId) } };
};

/** GET /databases/{databaseId}/sql/tables/{tableName}/schema. */
export const getSqlTableSchema: Handler<"getSqlTableSchema"> = ({ path }, context) => {
  const may = getSqlPermission(context);
  const database = findSqlDatabase(path.databaseId, context);
  const schema = context.store.sql.tableSchema(path.tableName, createSqlContext(database, may, context));
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

/** A statement that is run again answers the very same columns: they are written once. */
const stringifyColumns = memoize((columns: SqlResult["columns"]) => JSON.stringify(columns), new WeakMap());

function createSqlContext(
  { databaseId }: DatabaseSummary,
  may: SqlContext["permission"],
  context: HandlerContext,
): SqlContext {
  return { databaseId, permission: may, now: formatTimestamp(context.now), profile: context.profile };
}

function runRead(
  query: SqlQuery,
  on: SqlContext,
  database: DatabaseSummary,
  { store, now }: HandlerContext,
): SqlResult {
  const result = store.sql.query(query, on);
  store.databases.addRead(database.ref, countReadUnits(Buffer.byteLength(result.rowsJson)), now);
  return result;
}

function runWrite(
  query: SqlQuery,
  on: SqlContext,
  database: DatabaseSummary,
  context: HandlerContext,
): SqlResult {
  const { store, now } = context;
  // a caller without write access learns that first, whether or not the organization is suspended
  if (on.permission !== "read")
    rejectSuspendedOrganization({ effect: "write" }, getCallerOrganizationId(context), context);
  const result = store.sql.query(query, on);
  rejectStorageOverflow(result.bytesDelta, database, context);
  // every row costs at least one unit; a statement that finds no row costs none
  const writeUnits =
    result.affectedRows === 0 ? 0 : Math.max(result.affectedRows, countWriteUnits(result.bytesWritten));
  // a definition (gap `sql-wrong-endpoint`) changes no rows and may free their bytes
  if (writeUnits > 0 || result.bytesDelta !== 0)
    store.databases.addWrite(database.ref, { items: 0, bytes: result.bytesDelta, writeUnits }, now);
  return result;
}
