import { defineClauses } from "./clause.js";

/** Parts 2, 4.8, 5 and 7: the SQL interface. */
export const sqlClauses = defineClauses({
  "4.8": {
    "SQL-01": "An SQL query returns 200 with rows, rowCount, columns, nextPageToken and executionTimeMs.",
    "SQL-02":
      "The rowCount of a SELECT is the number of rows on this page, on all pages, on all pages up to and including this one, or on this page and all later ones; the rowCount of a write is at most the number of rows written.",
    "SQL-08":
      "`execute` returns 200 with success, message and affectedRows, which is a number of rows, or -1 if no number applies.",
    "SQL-25":
      "`limit` is the maximum number of rows on a page; passing nextPageToken as `pageToken` continues after the page; nextPageToken is null when there are no more rows.",
    "SQL-27": "List tables returns the tables of the database with name, rowCount and createdAt.",
    "SQL-29": "A table's schema has tableName, columns, primaryKey and indexes.",
  },
  "2": {
    "SQL-03": "columns lists each column of the result with its name and type.",
    "SQL-28": "In the list of tables, a table's rowCount is the number of its rows.",
    "SQL-30":
      "A column in a schema has name, type, isPartitionKey, isClusteringKey, isNullable and defaultValue, as declared.",
    "SQL-31": "primaryKey lists partition and clustering columns in declaration order.",
    "SQL-32": "indexes lists each index with its name, its columns in order, and isUnique.",
    "SQL-33": "VARCHAR, TEXT and STRING store any Unicode text unchanged.",
    "SQL-34":
      "TINYINT/BYTE, SMALLINT/SHORT and INT/INTEGER columns accept only integers that fit in 8, 16 and 32 bits, respectively. A deployment may treat 8-bit integers as signed or unsigned.",
    "SQL-35": "BIGINT and LONG store 64-bit integers exactly, and nothing else.",
    "SQL-36":
      "DOUBLE stores 64-bit numbers exactly, FLOAT and REAL store numbers rounded to 32 bits, and all three types store only numbers.",
    "SQL-37": "DECIMAL and NUMERIC store decimal numbers of varying precision exactly, and nothing else.",
    "SQL-38": "BOOLEAN and BOOL store true and false, and nothing else.",
    "SQL-39":
      "DATE stores dates, TIME stores times of day, TIMESTAMP/DATETIME store instants, and none of them stores anything else.",
    "SQL-40": "BLOB and BINARY store bytes unchanged.",
    "SQL-41": "UUID, GUID and TIMEUUID store a UUID, and nothing else.",
    "SQL-42": "LIST<T>, SET<T> and MAP<K,V> store collections of their element types.",
  },
  "4.8 rule 1": {
    "SQL-04": "`query` executes SELECT, INSERT, UPDATE and DELETE.",
    "SQL-05":
      "A table or index definition sent to `query` is either accepted and executed, or rejected and not executed.",
    "SQL-06": "`execute` executes CREATE TABLE, ALTER TABLE, DROP TABLE, CREATE INDEX and DROP INDEX.",
    "SQL-07":
      "A row statement sent to `execute` is either accepted and executed, or rejected and not executed.",
    "SQL-52":
      "A dropped table and its rows no longer exist; ALTER TABLE adds or drops a column in both the schema and the rows.",
  },
  "4.8 rule 2": {
    "SQL-09":
      "The `?` markers are bound to values in `parameters`; bound text is data and never part of the statement.",
  },
  "4.8 rule 3": {
    "SQL-10": "An inserted row can be selected by its primary key, and has the values that were inserted.",
    "SQL-11": "UPDATE changes the rows that WHERE selects, and no other existing rows.",
    "SQL-12": "DELETE deletes the rows that WHERE selects, and no others.",
    "SQL-13":
      "WHERE on partition key and clustering columns selects exactly the rows that satisfy the condition.",
    "SQL-14": "WHERE on an indexed column selects exactly the rows that satisfy the condition.",
    "SQL-15": "ORDER BY with a clustering column sorts the rows of a partition, ascending or descending.",
    "SQL-16": "ORDER BY with a column that is not a clustering column is rejected.",
    "SQL-17": "LIMIT is the maximum number of rows in the result.",
    "SQL-18": "COUNT returns the number of rows that WHERE selects.",
    "SQL-19": "The primary key is declared as PRIMARY KEY (partition key columns, clustering columns).",
  },
  "4.8 rule 4": {
    "SQL-20": "JOIN is rejected.",
    "SQL-21": "Subqueries are rejected.",
    "SQL-22": "GROUP BY is rejected.",
    "SQL-23": "Complex expressions in SELECT are rejected.",
    "SQL-24": "Aggregate functions other than COUNT are rejected.",
  },
  "1 rule 3": {
    "SQL-26": "Following nextPageToken from the first page until it is null yields every row exactly once.",
  },
  "4.8 rule 5": {
    "SQL-43": "SELECT is allowed for JWTs and for API keys with any SQL level.",
    "SQL-44":
      "INSERT, UPDATE and DELETE are rejected with ACCESS_DENIED for API keys with the level read, and allowed for those with the level write or admin.",
    "SQL-45":
      "CREATE, ALTER and DROP TABLE are rejected with ACCESS_DENIED for API keys with the level read or write, and allowed for those with the level admin.",
  },
  "7": {
    "SQL-46":
      "If a statement is rejected for a reason listed in part 7 of the specification, the response has the status 400, and its body has code, message and details.",
    "SQL-47": "A statement that cannot be parsed is rejected with SQL_SYNTAX_ERROR.",
    "SQL-48":
      "Valid SQL that violates a constraint is rejected with SQL_VALIDATION_ERROR and changes nothing.",
    "SQL-49": "A statement on a table that does not exist is rejected with TABLE_NOT_FOUND.",
    "SQL-50": "A statement with an invalid database id is rejected with DATABASE_NOT_FOUND.",
  },
  "9": {
    "SQL-51": "SQL paths have no version prefix.",
  },
});
