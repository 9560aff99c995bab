import type { ClauseId } from "../clauses/register.js";
import type { ProblemKind } from "./problems.js";
import { sqlErrorCodes } from "../schemas/sql.js";
import { openRoutes } from "./open-routes.js";
import { type Access, defineOperations, type Success } from "./operation.js";
import { ref } from "../schemas/ref.js";
import { allRoles } from "../schemas/roles.js";

const prefix = "/databases/{databaseId}/sql";

// which statements a role or key may run is decided by the statement, and refused as ACCESS_DENIED
const access: Access = { kind: "protected", roles: allRoles, roleIn: "token", scope: "any" };
const problems: readonly ProblemKind[] = ["database-unavailable", "quota-exhausted"];
// what is added may take the organization over its storage
const writingProblems: readonly ProblemKind[] = [...problems, "ceiling-reached"];
const sqlError: Success = {
  status: 400,
  description: "The SQL interface refuses the request.",
  schema: ref("SqlError"),
  examples: sqlErrorCodes,
};

const everywhere: readonly ClauseId[] = [
  "SQL-46",
  "SQL-50",
  "SQL-51",
  "GEN-05",
  "GEN-06",
  "AUTH-15",
  "AUTH-16",
];
const types: readonly ClauseId[] = [
  "SQL-33",
  "SQL-34",
  "SQL-35",
  "SQL-36",
  "SQL-37",
  "SQL-38",
  "SQL-39",
  "SQL-40",
  "SQL-41",
  "SQL-42",
];

const databaseId = "db_demo";
const row = {
  page: "/home",
  seen_at: "2029-12-31T23:59:59.999Z",
  visitor: "5f0c2f0e-7a53-4e0f-9d5a-0d0c5d3b8a01",
};

/** The SQL interface (part 4.8). */
export const sqlOperations = defineOperations({
  runSqlQuery: {
    tag: "SQL",
    summary: "Run a SELECT, INSERT, UPDATE or DELETE",
    routes: { method: "post", path: `${prefix}/query` },
    access,
    // a statement that writes asks for more: see the handler
    effect: "read",
    requestBody: ref("SqlQueryRequest"),
    successes: () => [
      { status: 200, description: "The rows, or what a write did.", schema: ref("SqlQueryResponse") },
      sqlError,
    ],
    errorBody: "sql",
    problems: writingProblems,
    clauses: [
      "SQL-01",
      "SQL-02",
      "SQL-03",
      "SQL-04",
      "SQL-05",
      "SQL-09",
      "SQL-10",
      "SQL-11",
      "SQL-12",
      "SQL-13",
      "SQL-14",
      "SQL-15",
      "SQL-16",
      "SQL-17",
      "SQL-18",
      "SQL-20",
      "SQL-21",
      "SQL-22",
      "SQL-23",
      "SQL-24",
      "SQL-25",
      "SQL-26",
      "SQL-43",
      "SQL-44",
      "SQL-47",
      "SQL-48",
      "SQL-49",
      "GEN-09",
      ...types,
      ...everywhere,
    ],
    example: {
      parameters: { databaseId },
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
  },
  executeSql: {
    tag: "SQL",
    summary: "Define tables and indexes",
    routes: { method: "post", path: `${prefix}/execute` },
    access,
    effect: "write",
    requestBody: ref("SqlExecuteRequest"),
    successes: () => [
      { status: 200, description: "The definition is in force.", schema: ref("SqlExecuteResponse") },
      sqlError,
    ],
    errorBody: "sql",
    problems: writingProblems,
    clauses: [
      "SQL-06",
      "SQL-07",
      "SQL-08",
      "SQL-19",
      "SQL-45",
      "SQL-47",
      "SQL-48",
      "SQL-49",
      "SQL-52",
      "GEN-09",
      ...types,
      ...everywhere,
    ],
    example: {
      parameters: { databaseId },
      request: {
        sql: "CREATE TABLE orders (customer TEXT, placed TIMESTAMP, total DECIMAL, PRIMARY KEY (customer, placed))",
      },
      response: { success: true, message: 'Table "orders" is created.', affectedRows: 0 },
    },
  },
  listSqlTables: {
    tag: "SQL",
    summary: "List the tables of a database",
    routes: openRoutes("list-tables-route", {
      "GET /databases/{databaseId}/sql/tables": [{ method: "get", path: `${prefix}/tables` }],
      "GET /databases/{databaseId}/tables": [{ method: "get", path: "/databases/{databaseId}/tables" }],
    }),
    access,
    effect: "read",
    successes: () => [{ status: 200, description: "The tables.", schema: ref("SqlTableList") }, sqlError],
    errorBody: "sql",
    problems,
    clauses: ["SQL-27", "SQL-28", "GEN-01", ...everywhere],
    example: {
      parameters: { databaseId },
      response: { tables: [{ name: "page_views", rowCount: 5, createdAt: "2030-01-01T00:00:00.000Z" }] },
    },
  },
  getSqlTableSchema: {
    tag: "SQL",
    summary: "Get the schema of a table",
    routes: { method: "get", path: `${prefix}/tables/{tableName}/schema` },
    access,
    effect: "read",
    successes: () => [{ status: 200, description: "The schema.", schema: ref("SqlTableSchema") }, sqlError],
    errorBody: "sql",
    problems,
    clauses: ["SQL-19", "SQL-29", "SQL-30", "SQL-31", "SQL-32", "SQL-49", "SQL-52", ...everywhere],
    example: {
      parameters: { databaseId, tableName: "page_views" },
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
  },
});
