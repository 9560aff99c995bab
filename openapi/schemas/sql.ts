import { withComparisonKind } from "./compare-kinds.js";
import type { SchemaObject } from "openapi3-ts/oas31";
import { emulatorDefinedLimits } from "../clauses/limits.js";
import { ref } from "./ref.js";
import { buildPageLimitSchema } from "./shared-schemas.js";
import * as schema from "./schema-builders.js";

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
const columnNames = (description: string) =>
  withComparisonKind("ordered", { type: "array", items: schema.text("equal"), description });

/** The SQL interface (parts 2, 4.8 and 7). */
export const sqlSchemas: schema.SchemaGroup = (builder) => {
  const { isStrict } = builder;
  const name = schema.text("equal", "Name.");
  const type = schema.text(
    "equal",
    isStrict
      ? "Type, such as `VARCHAR` or `LIST<INT>`. If a type has several names, this is the first one."
      : "Type. If a type has several names, this can be any of them.",
  );
  const selectedRows = isStrict
    ? "the number of rows on this page"
    : "the number of rows if they are all on one page, and otherwise any whole number";
  const writtenRows = isStrict ? "the number of affected rows" : "a whole number";
  const statement = (description: string): SchemaObject => ({
    type: "string",
    ...(isStrict ? { maxLength: emulatorDefinedLimits.sqlLength } : {}),
    description,
  });
  return {
    SqlQueryRequest: builder.request("A statement that reads or writes rows.", {
      sql: statement("A single SELECT, INSERT, UPDATE or DELETE statement."),
      "parameters?": schema.freeObject(
        "Values for the `?` markers of the statement, one field for each marker. Use names that sort in the order of the markers " +
          "(`p1`, `p2`, …), because some clients sort fields by name.",
        { "x-gap": "sql-parameter-order" },
      ),
      "limit?": buildPageLimitSchema(builder),
      "pageToken?": {
        type: "string",
        minLength: 1,
        description: "`nextPageToken` of the previous page. Requires the same statement and parameters.",
      },
    }),
    SqlRow: withComparisonKind(
      "data",
      schema.freeObject(
        "A row's values by column name, in column order. Dates, times and UUIDs are strings, a BLOB is a base64 " +
          "string, and numbers, including BIGINT and DECIMAL, are JSON numbers with all their digits.",
      ),
    ),
    SqlResultColumn: builder.response("A column of a result.", { name, type }),
    SqlQueryResponse: builder.response("The result of a statement.", {
      rows: schema.array("ordered", "SqlRow", "Rows on this page. Empty after a write."),
      rowCount: schema.count("equal", `After a SELECT, ${selectedRows}. After a write, ${writtenRows}.`),
      columns: schema.array(
        "ordered",
        "SqlResultColumn",
        "Columns of the rows, in order. Empty after a write.",
      ),
      nextPageToken: schema.nullable(
        schema.text(
          "opaque",
          "Value to pass as `pageToken` to get the next page; null if there are no more results.",
        ),
      ),
      executionTimeMs: schema.count("present", "Execution time of the statement, in milliseconds."),
    }),
    SqlExecuteRequest: builder.request("A statement that changes tables or indexes.", {
      sql: statement("A single CREATE TABLE, ALTER TABLE, DROP TABLE, CREATE INDEX or DROP INDEX statement."),
    }),
    SqlExecuteResponse: builder.response("The result of a statement that defines tables or indexes.", {
      success: schema.flag("Whether the statement was executed."),
      message: schema.text("present", "Description of the change that was made."),
      // some drivers return -1 for statements that affect no rows
      affectedRows: withComparisonKind("equal", {
        type: "integer",
        minimum: isStrict ? 0 : -1,
        description: "Number of rows that were changed; 0 for statements that define tables or indexes.",
      }),
    }),
    SqlTableList: builder.response("The tables in a database.", {
      tables: schema.array("unordered", "SqlTable", "The tables."),
    }),
    SqlTable: builder.response("A table.", {
      name,
      rowCount: schema.count("lagging", "Number of rows."),
      createdAt: builder.timestamp("Creation time."),
    }),
    SqlTableSchema: builder.response("A table's definition.", {
      tableName: schema.text("equal", "Name of the table."),
      columns: schema.array("ordered", "SqlColumn", "Columns, in order."),
      primaryKey: ref("SqlPrimaryKey"),
      indexes: schema.array("unordered", "SqlIndex", "Indexes, not including the primary key."),
    }),
    SqlColumn: builder.response("A column of a table.", {
      name,
      type,
      isPartitionKey: schema.flag("Whether the column is part of the partition key."),
      isClusteringKey: schema.flag("Whether the column is part of the clustering key."),
      isNullable: schema.flag("Whether the column can be null."),
      defaultValue: withComparisonKind("data", {
        description: "Value used if an INSERT omits the column; null if the column has no DEFAULT.",
      }),
    }),
    SqlPrimaryKey: builder.response("The primary key of a table.", {
      partitionKeys: columnNames("Columns of the partition key, in order."),
      clusteringKeys: columnNames(
        "Columns of the clustering key, in order. They determine the order of rows in a partition.",
      ),
    }),
    SqlIndex: builder.response("An index of a table.", {
      name,
      columns: columnNames("Columns of the index, in order."),
      isUnique: schema.flag("Whether all rows must have different values in the index's columns."),
    }),
    SqlError: builder.response("The error body of the SQL interface.", {
      code: schema.choice(
        "equal",
        sqlErrorCodes,
        "`SQL_SYNTAX_ERROR`: the statement has syntax errors. `SQL_VALIDATION_ERROR`: the statement is valid SQL but violates a constraint. " +
          "`ACCESS_DENIED`: the caller is not allowed to execute the statement. `TABLE_NOT_FOUND`: there is no such table. `DATABASE_NOT_FOUND`: there is " +
          "no such database. `SQL_EXECUTION_ERROR`: the execution failed.",
      ),
      message: schema.text("present", "What is wrong with the statement."),
      details: schema.text("present", "Where the mistake is, and how to correct it."),
    }),
  };
};
