import { defineClauses } from "./clause.js";

/** Parts 2, 4.8, 5 and 7: the SQL interface. */
export const sqlClauses = defineClauses({
  "SQL-01": {
    part: "4.8",
    statement: "A query answers 200 with rows, rowCount, columns, nextPageToken and executionTimeMs.",
  },
  "SQL-02": {
    part: "4.8",
    statement:
      "rowCount of a SELECT is the number of rows on the page, on all pages, on those up to it or on those from it on; of a write it is no more than the rows written.",
  },
  "SQL-03": { part: "2", statement: "columns names each column of the result with its name and type." },
  "SQL-04": { part: "4.8 rule 1", statement: "`query` runs SELECT, INSERT, UPDATE and DELETE." },
  "SQL-05": {
    part: "4.8 rule 1",
    statement: "A definition that `query` refuses is not done, and one that it takes is.",
  },
  "SQL-06": {
    part: "4.8 rule 1",
    statement: "`execute` runs CREATE TABLE, ALTER TABLE, DROP TABLE, CREATE INDEX and DROP INDEX.",
  },
  "SQL-07": {
    part: "4.8 rule 1",
    statement: "A statement about rows that `execute` refuses is not done, and one that it takes is.",
  },
  "SQL-08": {
    part: "4.8",
    statement:
      "`execute` answers 200 with success, message and affectedRows, a number of rows, or -1 for none.",
  },
  "SQL-09": {
    part: "4.8 rule 2",
    statement:
      "Markers `?` are bound from `parameters`; bound text is data and never a part of the statement.",
  },
  "SQL-10": {
    part: "4.8 rule 3",
    statement: "A row that was inserted is selected by its primary key with the values it was given.",
  },
  "SQL-11": {
    part: "4.8 rule 3",
    statement: "UPDATE changes the rows that WHERE selects and no others that are there.",
  },
  "SQL-12": { part: "4.8 rule 3", statement: "DELETE removes the rows that WHERE selects and no others." },
  "SQL-13": {
    part: "4.8 rule 3",
    statement: "WHERE on partition key and clustering columns selects exactly the rows that satisfy it.",
  },
  "SQL-14": {
    part: "4.8 rule 3",
    statement: "WHERE on an indexed column selects exactly the rows that satisfy it.",
  },
  "SQL-15": {
    part: "4.8 rule 3",
    statement: "ORDER BY a clustering column orders the rows of a partition, ascending or descending.",
  },
  "SQL-16": { part: "4.8 rule 3", statement: "ORDER BY a column that is no clustering column is refused." },
  "SQL-17": { part: "4.8 rule 3", statement: "LIMIT bounds the number of rows of the result." },
  "SQL-18": { part: "4.8 rule 3", statement: "COUNT answers the number of rows that WHERE selects." },
  "SQL-19": {
    part: "4.8 rule 3",
    statement: "The primary key is declared as PRIMARY KEY (partition key columns, clustering columns).",
  },
  "SQL-20": { part: "4.8 rule 4", statement: "JOIN is refused." },
  "SQL-21": { part: "4.8 rule 4", statement: "Subqueries are refused." },
  "SQL-22": { part: "4.8 rule 4", statement: "GROUP BY is refused." },
  "SQL-23": { part: "4.8 rule 4", statement: "Complex expressions in SELECT are refused." },
  "SQL-24": { part: "4.8 rule 4", statement: "Aggregate functions other than COUNT are refused." },
  "SQL-25": {
    part: "4.8",
    statement:
      "`limit` bounds the rows of a page; nextPageToken as `pageToken` continues after it, and is null when there are no more.",
  },
  "SQL-26": {
    part: "1 rule 3",
    statement: "Following nextPageToken from the first page to null yields every row exactly once.",
  },
  "SQL-27": {
    part: "4.8",
    statement: "List tables answers the tables of the database with name, rowCount and createdAt.",
  },
  "SQL-28": { part: "2", statement: "rowCount of a listed table is the number of its rows." },
  "SQL-29": {
    part: "4.8",
    statement: "The schema of a table answers tableName, columns, primaryKey and indexes.",
  },
  "SQL-30": {
    part: "2",
    statement:
      "A column of a schema has name, type, isPartitionKey, isClusteringKey, isNullable and defaultValue, as declared.",
  },
  "SQL-31": {
    part: "2",
    statement: "primaryKey lists partition and clustering columns in the order of the declaration.",
  },
  "SQL-32": {
    part: "2",
    statement: "indexes lists each index with its name, its columns in order, and isUnique.",
  },
  "SQL-33": { part: "2", statement: "VARCHAR, TEXT and STRING hold any Unicode text unchanged." },
  "SQL-34": {
    part: "2",
    statement:
      "TINYINT/BYTE, SMALLINT/SHORT and INT/INTEGER hold the numbers of 8, 16 and 32 bits, and no others; those of 8 bits may have no sign.",
  },
  "SQL-35": {
    part: "2",
    statement: "BIGINT and LONG hold the numbers of 64 bits exactly, and no others.",
  },
  "SQL-36": {
    part: "2",
    statement:
      "DOUBLE holds a 64-bit number exactly; FLOAT and REAL hold it rounded to 32 bits; and nothing else.",
  },
  "SQL-37": {
    part: "2",
    statement: "DECIMAL and NUMERIC hold decimal numbers of different precisions exactly, and nothing else.",
  },
  "SQL-38": { part: "2", statement: "BOOLEAN and BOOL hold true and false, and nothing else." },
  "SQL-39": {
    part: "2",
    statement:
      "DATE, TIME and TIMESTAMP/DATETIME hold a date, a time of day and an instant, and nothing else.",
  },
  "SQL-40": { part: "2", statement: "BLOB and BINARY hold bytes unchanged." },
  "SQL-41": { part: "2", statement: "UUID, GUID and TIMEUUID hold a UUID, and nothing else." },
  "SQL-42": { part: "2", statement: "LIST<T>, SET<T> and MAP<K,V> hold collections of their element types." },
  "SQL-43": { part: "4.8 rule 5", statement: "SELECT is allowed for a JWT and an API key of any SQL level." },
  "SQL-44": {
    part: "4.8 rule 5",
    statement:
      "INSERT, UPDATE and DELETE are ACCESS_DENIED for a read key and allowed for write and admin keys.",
  },
  "SQL-45": {
    part: "4.8 rule 5",
    statement:
      "CREATE, ALTER and DROP TABLE are ACCESS_DENIED for read and write keys and allowed for admin keys.",
  },
  "SQL-46": {
    part: "7",
    statement:
      "A statement that is refused for one of the reasons of part 7 is answered with status 400 and code, message and details.",
  },
  "SQL-47": { part: "7", statement: "A statement that cannot be parsed is SQL_SYNTAX_ERROR." },
  "SQL-48": {
    part: "7",
    statement: "Valid SQL that violates a constraint is SQL_VALIDATION_ERROR and changes nothing.",
  },
  "SQL-49": { part: "7", statement: "A statement on a table that does not exist is TABLE_NOT_FOUND." },
  "SQL-50": { part: "7", statement: "A database id that is not valid is DATABASE_NOT_FOUND." },
  "SQL-51": { part: "9", statement: "SQL paths carry no version prefix." },
  "SQL-52": {
    part: "4.8 rule 1",
    statement:
      "A table that was dropped is gone with its rows; a column that was added or dropped is so in schema and rows.",
  },
});
