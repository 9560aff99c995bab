import { type ClauseId, getClauseRange } from "../clauses/register.js";
import type { ProblemKind } from "./problems.js";
import { sqlErrorCodes } from "../schemas/sql.js";
import { defineGapRoutes } from "./gap-routes.js";
import {
  type Access,
  defineOperationGroup,
  defineSuccess,
  type ResponseDefinition,
  get,
  post,
} from "./operation.js";
import { ref } from "../schemas/ref.js";
import { allRoles } from "../schemas/roles.js";

const prefix = "/databases/{databaseId}/sql";

// the kind of statement decides which roles and keys may run it; other callers get ACCESS_DENIED
const access: Access = { kind: "protected", roles: allRoles, roleIn: "token", scope: "any" };
const problems: readonly ProblemKind[] = ["database-unavailable"];
// new data may exceed the storage ceiling of the organization
const writingProblems: readonly ProblemKind[] = [...problems, "ceiling-reached"];
const sqlError: ResponseDefinition = {
  status: 400,
  description: "The SQL interface rejects the request.",
  schema: ref("SqlError"),
  examples: sqlErrorCodes,
};

const sharedClauses: readonly ClauseId[] = [
  "SQL-46",
  "SQL-50",
  "SQL-51",
  "GEN-05",
  "GEN-06",
  "AUTH-15",
  "AUTH-16",
];
const typeClauses: readonly ClauseId[] = [...getClauseRange("SQL-33", "SQL-42")];

const row = {
  page: "/home",
  seen_at: "2029-12-31T23:59:59.999Z",
  visitor: "5f0c2f0e-7a53-4e0f-9d5a-0d0c5d3b8a01",
};

const rowParameters =
  "The `?` markers get their values from the fields of `parameters`, in the order of the JSON text (gap `sql-parameter-order`). Many clients " +
  "sort fields by name before they send an object, so use names that sort in the order of the markers: `p1`, `p2`, … (`p01`, `p02`, … " +
  "if there are ten or more). Extra values are rejected.";

/** The SQL interface (part 4.8). */
export const sqlOperations = defineOperationGroup({
  tag: "SQL",
  access,
  errorBody: "sql",
  clauses: sharedClauses,
  problems,
})({
  runSqlQuery: post(`${prefix}/query`, "Run a SELECT, INSERT, UPDATE or DELETE statement", {
    description:
      "SELECT supports WHERE, ORDER BY on clustering columns, LIMIT and COUNT, but not JOIN, GROUP BY or subqueries. WHERE " +
      "supports `=`, `!=`, `<`, `<=`, `>`, `>=`, IN, BETWEEN, `LIKE 'prefix%'`, IS NULL, AND, OR, NOT and parentheses. " +
      `${rowParameters} To get the next page, pass \`nextPageToken\` as \`pageToken\` with the same statement. A statement whose ` +
      "WHERE uses a column that is neither a key nor indexed must end with ALLOW FILTERING (gap `sql-filtering`). SELECT accepts " +
      "API keys of any level; other statements need a key with the level write or admin. Mistakes in a statement are reported with the status 400 and a `code`.",
    // the handler checks the permission for statements that write
    effect: "read",
    requestBody: ref("SqlQueryRequest"),
    successes: [
      defineSuccess(200, "The rows of a SELECT, or the result of a write.", "SqlQueryResponse"),
      sqlError,
    ],
    problems: writingProblems,
    clauses: [
      "SQL-01",
      ...getClauseRange("SQL-02", "SQL-05"),
      ...getClauseRange("SQL-09", "SQL-18"),
      ...getClauseRange("SQL-20", "SQL-26"),
      "SQL-43",
      "SQL-44",
      ...getClauseRange("SQL-47", "SQL-49"),
      ...typeClauses,
    ],
    example: {
      request: {
        sql: "SELECT page, seen_at, visitor FROM page_views WHERE page = ? AND seen_at >= ? ORDER BY seen_at DESC",
        parameters: { p1: "/home", p2: "2029-12-31T00:00:00.000Z" },
        limit: 20,
      },
      response: {
        rows: [row],
        rowCount: 1,
        columns: [
          { name: "page", type: "VARCHAR" },
          { name: "seen_at", type: "TIMESTAMP" },
          { name: "visitor", type: "UUID" },
        ],
        nextPageToken: null,
        executionTimeMs: 0,
      },
    },
  }),
  executeSql: post(`${prefix}/execute`, "Define tables and indexes", {
    description:
      "Accepts CREATE TABLE, ALTER TABLE, DROP TABLE, CREATE INDEX and DROP INDEX. Declare the key as `PRIMARY KEY (partition key " +
      "columns, clustering columns)`. The types are VARCHAR (or TEXT, STRING), INT (INTEGER), BIGINT (LONG), SMALLINT (SHORT), TINYINT " +
      "(BYTE), FLOAT (REAL), DOUBLE, DECIMAL (NUMERIC), BOOLEAN (BOOL), DATE, TIME, TIMESTAMP (DATETIME), BLOB (BINARY), UUID (GUID), " +
      "TIMEUUID, LIST<T>, SET<T> and MAP<K,V>. Names without double quotes are converted to lower case (gap " +
      "`sql-identifier-case`). API keys need the level admin to define tables. Mistakes in a statement are reported with the status 400 and a `code`.",
    requestBody: ref("SqlExecuteRequest"),
    successes: [defineSuccess(200, "The statement was executed.", "SqlExecuteResponse"), sqlError],
    problems: writingProblems,
    clauses: [
      "SQL-08",
      "SQL-06",
      "SQL-07",
      "SQL-19",
      "SQL-45",
      ...getClauseRange("SQL-47", "SQL-49"),
      "SQL-52",
      ...typeClauses,
    ],
    example: {
      request: {
        sql: "CREATE TABLE orders (customer TEXT, placed TIMESTAMP, total DECIMAL, PRIMARY KEY (customer, placed))",
      },
      response: { success: true, message: 'Table "orders" was created.', affectedRows: 0 },
    },
  }),
  listSqlTables: {
    summary: "List the tables in a database",
    description: "Returns the name, number of rows and creation time of each table.",
    routes: defineGapRoutes("list-tables-route", {
      "GET /databases/{databaseId}/sql/tables": [{ method: "get", path: `${prefix}/tables` }],
      "GET /databases/{databaseId}/tables": [{ method: "get", path: "/databases/{databaseId}/tables" }],
    }),
    successes: [defineSuccess(200, "The tables.", "SqlTableList"), sqlError],
    clauses: ["SQL-27", "SQL-28", "GEN-01"],
    example: {
      response: { tables: [{ name: "page_views", rowCount: 5, createdAt: "2030-01-01T00:00:00.000Z" }] },
    },
  },
  getSqlTableSchema: get(`${prefix}/tables/{tableName}/schema`, "Get a table's schema", {
    description:
      "Returns the columns with their types, the partition and clustering columns of the primary key, and the indexes. Spell " +
      "`tableName` as in the list of tables.",
    successes: [defineSuccess(200, "The schema.", "SqlTableSchema"), sqlError],
    clauses: ["SQL-29", "SQL-19", ...getClauseRange("SQL-30", "SQL-32"), "SQL-49", "SQL-52"],
    example: {
      response: {
        tableName: "page_views",
        columns: [
          {
            name: "page",
            type: "VARCHAR",
            isPartitionKey: true,
            isClusteringKey: false,
            isNullable: false,
            defaultValue: null,
          },
          {
            name: "seen_at",
            type: "TIMESTAMP",
            isPartitionKey: false,
            isClusteringKey: true,
            isNullable: false,
            defaultValue: null,
          },
          {
            name: "visitor",
            type: "UUID",
            isPartitionKey: false,
            isClusteringKey: false,
            isNullable: true,
            defaultValue: null,
          },
        ],
        primaryKey: { partitionKeys: ["page"], clusteringKeys: ["seen_at"] },
        indexes: [],
      },
    },
  }),
});
