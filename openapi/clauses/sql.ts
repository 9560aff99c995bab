import { defineClauses } from "./clause.js";

/** Parts 2, 4.8, 5 and 7: the SQL interface. */
export const sqlClauses = defineClauses({
  "4.8": {
    "SQL-01": "A query answers 200 with rows, rowCount, columns, nextPageToken and executionTimeMs.",
    "SQL-02":
      "rowCount of a SELECT is the number of rows on the page, on all pages, on those up to it or on those from it on; of a write it is no more than the rows written.",
    "SQL-08":
      "`execute` answers 200 with success, message and affectedRows, a number of rows, or -1 for none.",
    "SQL-25":
      "`limit` bounds the rows of a page; nextPageToken as `pageToken` continues after it, and is null when there are no more.",
    "SQL-27": "List tables answers the tables of the database with name, rowCount and createdAt.",
    "SQL-29": "The schema of a table answers tableName, columns, primaryKey and indexes.",
  },
  "2": {
    "SQL-03": "columns names each column of the result with its name and type.",
    "SQL-28": "rowCount of a listed table is the number of its rows.",
    "SQL-30":
      "A column of a schema has name, type, isPartitionKey, isClusteringKey, isNullable and defaultValue, as declared.",
    "SQL-31": "primaryKey lists partition and clustering columns in the order of the declaration.",
    "SQL-32": "indexes lists each index with its name, its columns in order, and isUnique.",
    "SQL-33": "VARCHAR, TEXT and STRING hold any Unicode text unchanged.",
    "SQL-34":
      "TINYINT/BYTE, SMALLINT/SHORT and INT/INTEGER hold the numbers of 8, 16 and 32 bits, and no others; those of 8 bits may have no sign.",
    "SQL-35": "BIGINT and LONG hold the numbers of 64 bits exactly, and no others.",
    "SQL-36":
      "DOUBLE holds a 64-bit number exactly; FLOAT and REAL hold it rounded to 32 bits; and nothing else.",
    "SQL-37": "DECIMAL and NUMERIC hold decimal numbers of different precisions exactly, and nothing else.",
    "SQL-38": "BOOLEAN and BOOL hold true and false, and nothing else.",
    "SQL-39":
      "DATE, TIME and TIMESTAMP/DATETIME hold a date, a time of day and an instant, and nothing else.",
    "SQL-40": "BLOB and BINARY hold bytes unchanged.",
    "SQL-41": "UUID, GUID and TIMEUUID hold a UUID, and nothing else.",
    "SQL-42": "LIST<T>, SET<T> and MAP<K,V> hold collections of their element types.",
  },
  "4.8 rule 1": {
    "SQL-04": "`query` runs SELECT, INSERT, UPDATE and DELETE.",
    "SQL-05": "A definition that `query` refuses is not done, and one that it takes is.",
    "SQL-06": "`execute` runs CREATE TABLE, ALTER TABLE, DROP TABLE, CREATE INDEX and DROP INDEX.",
    "SQL-07": "A statement about rows that `execute` refuses is not done, and one that it takes is.",
    "SQL-52":
      "A table that was dropped is gone with its rows; a column that was added or dropped is so in schema and rows.",
  },
  "4.8 rule 2": {
    "SQL-09":
      "Markers `?` are bound from `parameters`; bound text is data and never a part of the statement.",
  },
  "4.8 rule 3": {
    "SQL-10": "A row that was inserted is selected by its primary key with the values it was given.",
    "SQL-11": "UPDATE changes the rows that WHERE selects and no others that are there.",
    "SQL-12": "DELETE removes the rows that WHERE selects and no others.",
    "SQL-13": "WHERE on partition key and clustering columns selects exactly the rows that satisfy it.",
    "SQL-14": "WHERE on an indexed column selects exactly the rows that satisfy it.",
    "SQL-15": "ORDER BY a clustering column orders the rows of a partition, ascending or descending.",
    "SQL-16": "ORDER BY a column that is no clustering column is refused.",
    "SQL-17": "LIMIT bounds the number of rows of the result.",
    "SQL-18": "COUNT answers the number of rows that WHERE selects.",
    "SQL-19": "The primary key is declared as PRIMARY KEY (partition key columns, clustering columns).",
  },
  "4.8 rule 4": {
    "SQL-20": "JOIN is refused.",
    "SQL-21": "Subqueries are refused.",
    "SQL-22": "GROUP BY is refused.",
    "SQL-23": "Complex expressions in SELECT are refused.",
    "SQL-24": "Aggregate functions other than COUNT are refused.",
  },
  "1 rule 3": {
    "SQL-26": "Following nextPageToken from the first page to null yields every row exactly once.",
  },
  "4.8 rule 5": {
    "SQL-43": "SELECT is allowed for a JWT and an API key of any SQL level.",
    "SQL-44":
      "INSERT, UPDATE and DELETE are ACCESS_DENIED for a read key and allowed for write and admin keys.",
    "SQL-45":
      "CREATE, ALTER and DROP TABLE are ACCESS_DENIED for read and write keys and allowed for admin keys.",
  },
  "7": {
    "SQL-46":
      "A statement that is refused for one of the reasons of part 7 is answered with status 400 and code, message and details.",
    "SQL-47": "A statement that cannot be parsed is SQL_SYNTAX_ERROR.",
    "SQL-48": "Valid SQL that violates a constraint is SQL_VALIDATION_ERROR and changes nothing.",
    "SQL-49": "A statement on a table that does not exist is TABLE_NOT_FOUND.",
    "SQL-50": "A database id that is not valid is DATABASE_NOT_FOUND.",
  },
  "9": {
    "SQL-51": "SQL paths carry no version prefix.",
  },
});
