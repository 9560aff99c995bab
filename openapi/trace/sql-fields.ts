import type { Statement } from "./statement.js";

/** Part 2: tables, columns and types of the SQL interface. */
export const sqlFieldStatements: readonly Statement[] = [
  { part: "2", says: "Table in a list: name, rowCount, createdAt", clauses: ["SQL-27", "SQL-28"] },
  { part: "2", says: "Table schema: tableName", clauses: ["SQL-29"] },
  {
    part: "2",
    says: "Table schema: columns of name, type, three booleans and defaultValue",
    clauses: ["SQL-30"],
    gaps: ["sql-default-value-form"],
  },
  { part: "2", says: "Table schema: primaryKey of partitionKeys and clusteringKeys", clauses: ["SQL-31"] },
  { part: "2", says: "Table schema: indexes of name, columns, isUnique", clauses: ["SQL-32"] },
  { part: "2", says: "Column of a result: name, type", clauses: ["SQL-03"], gaps: ["sql-type-names"] },
  { part: "2", says: "VARCHAR, TEXT, STRING: UTF-8", clauses: ["SQL-33"] },
  { part: "2", says: "INT, INTEGER: 32 bits", clauses: ["SQL-34"], gaps: ["sql-integer-overflow"] },
  { part: "2", says: "BIGINT, LONG: 64 bits", clauses: ["SQL-35"], gaps: ["sql-number-form"] },
  { part: "2", says: "SMALLINT, SHORT: 16 bits", clauses: ["SQL-34"] },
  { part: "2", says: "TINYINT, BYTE: 8 bits", clauses: ["SQL-34"] },
  { part: "2", says: "FLOAT, REAL: 32-bit IEEE-754", clauses: ["SQL-36"] },
  { part: "2", says: "DOUBLE: 64-bit IEEE-754", clauses: ["SQL-36"] },
  {
    part: "2",
    says: "DECIMAL, NUMERIC: variable precision",
    clauses: ["SQL-37"],
    gaps: ["sql-number-form", "sql-decimal-digits"],
  },
  { part: "2", says: "BOOLEAN, BOOL", clauses: ["SQL-38"] },
  { part: "2", says: "DATE", clauses: ["SQL-39"], gaps: ["sql-date-time-form"] },
  { part: "2", says: "TIME", clauses: ["SQL-39"], gaps: ["sql-time-digits", "sql-date-time-form"] },
  {
    part: "2",
    says: "TIMESTAMP, DATETIME",
    clauses: ["SQL-39"],
    gaps: ["sql-time-digits", "sql-timestamp-form"],
  },
  { part: "2", says: "BLOB, BINARY", clauses: ["SQL-40"], gaps: ["sql-blob-form"] },
  { part: "2", says: "UUID, GUID", clauses: ["SQL-41"], gaps: ["sql-uuid-case"] },
  { part: "2", says: "TIMEUUID", clauses: ["SQL-41"] },
  {
    part: "2",
    says: "`LIST<T>`",
    clauses: ["SQL-42"],
    gaps: ["sql-empty-collection", "sql-nested-collections"],
  },
  { part: "2", says: "`SET<T>`", clauses: ["SQL-42"], gaps: ["sql-set-duplicates"] },
  { part: "2", says: "`MAP<K,V>`", clauses: ["SQL-42"], gaps: ["sql-map-form"] },
];
