import { withComparisonKind } from "./compare-kinds.js";
import type { SchemaObject } from "openapi3-ts/oas31";
import { emulatorDefinedLimits } from "../clauses/limits.js";
import { type Strictness, getStrictAnswer } from "../gaps/strictness.js";
import { ref } from "./ref.js";
import { getPageLimitBounds } from "./shared-schemas.js";
import {
  responseObjectSchema,
  requestObjectSchema,
  type SchemaGroup,
  timestampSchema,
  countSchema,
  arraySchema,
} from "./schema-builders.js";

/** The codes of part 7. */
export const sqlErrorCodes = [
  "SQL_SYNTAX_ERROR",
  "SQL_VALIDATION_ERROR",
  "ACCESS_DENIED",
  "TABLE_NOT_FOUND",
  "DATABASE_NOT_FOUND",
  "SQL_EXECUTION_ERROR",
] as const;

/** Names of columns, in a meaningful order. */
const columnNames: SchemaObject = withComparisonKind("ordered", {
  type: "array",
  items: withComparisonKind("equal", { type: "string" }),
});

/** The meaning of `rowCount` after a write. */
const writtenRowCounts = {
  affected: "After a write, the number of affected rows.",
  zero: "After a write, 0.",
  open: "After a write, a whole number.",
} as const;

/** The SQL interface (parts 2, 4.8 and 7). */
export const sqlSchemas: SchemaGroup = (strictness) => ({
  SqlQueryRequest: requestObjectSchema(
    strictness,
    {
      sql: {
        ...statement(strictness),
        description: "A single SELECT, INSERT, UPDATE or DELETE statement.",
        "x-gap": "sql-wrong-endpoint",
      },
      parameters: {
        type: "object",
        additionalProperties: true,
        description:
          "Values for the `?` markers of the statement, one field for each marker. Use names that sort in the order of the markers " +
          "(`p1`, `p2`, …), because some clients sort fields by name.",
        "x-gap": "sql-parameter-order",
      },
      limit: sqlPageLimit(strictness),
      pageToken: {
        type: "string",
        minLength: 1,
        description: "`nextPageToken` of the previous page, with the same statement and parameters.",
      },
    },
    { optional: ["parameters", "limit", "pageToken"] },
  ),
  SqlRow: {
    type: "object",
    "x-compare": "data",
    additionalProperties: true,
    description:
      "The values of a row by column name, in the order of the columns. Dates, times and UUIDs are strings, a BLOB is a base64 " +
      "string, and numbers, including BIGINT and DECIMAL, are JSON numbers with all their digits.",
    "x-gap": "sql-number-form",
  },
  SqlResultColumn: responseObjectSchema(strictness, {
    name: withComparisonKind("equal", { type: "string" }),
    type: columnType(strictness),
  }),
  SqlQueryResponse: responseObjectSchema(strictness, {
    rows: arraySchema("ordered", "SqlRow"),
    rowCount: countSchema(
      "equal",
      `${strictness.kind === "strict" ? "After a SELECT, the number of rows on this page." : "After a SELECT, a whole number, which is the number of rows if all rows are on one page."} ${writtenRowCounts[getStrictAnswer(strictness, "sql-write-row-count") ?? "open"]}`,
      { "x-gap": "sql-write-row-count" },
    ),
    columns: arraySchema("ordered", "SqlResultColumn"),
    nextPageToken: {
      type: ["string", "null"],
      "x-compare": "opaque",
      description: "Value to pass as `pageToken` to get the next page; null if there are no more results.",
    },
    executionTimeMs: countSchema("present"),
  }),
  SqlExecuteRequest: requestObjectSchema(strictness, {
    sql: {
      ...statement(strictness),
      description: "A single CREATE TABLE, ALTER TABLE, DROP TABLE, CREATE INDEX or DROP INDEX statement.",
    },
  }),
  SqlExecuteResponse: responseObjectSchema(strictness, {
    success: withComparisonKind("equal", { type: "boolean" }),
    message: withComparisonKind("present", { type: "string" }),
    // some drivers return -1 for statements that affect no rows
    affectedRows: withComparisonKind("equal", {
      type: "integer",
      minimum: strictness.kind === "strict" ? 0 : -1,
    }),
  }),
  SqlTableList: responseObjectSchema(strictness, {
    tables: arraySchema("unordered", "SqlTable"),
  }),
  SqlTable: responseObjectSchema(strictness, {
    name: withComparisonKind("equal", { type: "string" }),
    rowCount: countSchema("lagging"),
    createdAt: timestampSchema(strictness),
  }),
  SqlTableSchema: responseObjectSchema(strictness, {
    tableName: withComparisonKind("equal", { type: "string" }),
    columns: arraySchema("ordered", "SqlColumn"),
    primaryKey: ref("SqlPrimaryKey"),
    indexes: arraySchema("unordered", "SqlIndex"),
  }),
  SqlColumn: responseObjectSchema(strictness, {
    name: withComparisonKind("equal", { type: "string" }),
    type: columnType(strictness),
    isPartitionKey: withComparisonKind("equal", { type: "boolean" }),
    isClusteringKey: withComparisonKind("equal", { type: "boolean" }),
    isNullable: withComparisonKind("equal", { type: "boolean" }),
    defaultValue: {
      "x-compare": "data",
      description: "Value used if an INSERT omits the column; null if the column has no DEFAULT.",
    },
  }),
  SqlPrimaryKey: responseObjectSchema(strictness, {
    partitionKeys: columnNames,
    clusteringKeys: columnNames,
  }),
  SqlIndex: responseObjectSchema(strictness, {
    name: withComparisonKind("equal", { type: "string" }),
    columns: columnNames,
    isUnique: withComparisonKind("equal", { type: "boolean" }),
  }),
  SqlError: responseObjectSchema(
    strictness,
    {
      code: withComparisonKind("equal", { type: "string", enum: [...sqlErrorCodes] }),
      message: withComparisonKind("present", {
        type: "string",
        description: "What is wrong with the statement.",
      }),
      details: withComparisonKind("present", {
        type: "string",
        description: "Where the mistake is, and how to correct it.",
      }),
    },
    { description: "The error body of the SQL interface." },
  ),
});

/** The type of a column in a response. */
function columnType(strictness: Strictness): SchemaObject {
  return {
    type: "string",
    "x-compare": "equal",
    description:
      strictness.kind === "open"
        ? "Any of the names of the type."
        : "The first of the names of the type, such as `VARCHAR` or `LIST<INT>`.",
  };
}

function statement(strictness: Strictness): SchemaObject {
  return {
    type: "string",
    ...(strictness.kind === "open" ? {} : { maxLength: emulatorDefinedLimits.sqlLength }),
  };
}

/** The `limit` of a query: like that of lists, but with another default (gap `sql-page-size`). */
function sqlPageLimit(strictness: Strictness): SchemaObject {
  const largest = getStrictAnswer(strictness, "page-limit-max");
  const usual = getStrictAnswer(strictness, "sql-page-size");
  return {
    type: "integer",
    ...getPageLimitBounds(strictness),
    ...(largest !== undefined && usual !== undefined ? { default: Math.min(usual, largest) } : {}),
    description: "Maximum number of rows on a page of a SELECT.",
    "x-gap": ["sql-page-size", "page-limit-over"],
  };
}
