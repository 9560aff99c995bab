import { defaultProfile } from "../../openapi/gaps/profile.js";
import {
  isJsonArray,
  isJsonObject,
  JsonNumber,
  type JsonValue,
  getFieldEntries,
} from "../json/json-value.js";
import type { TableSchema } from "../sql/describe-table.js";
import type { DatabaseRow } from "../store/databases.js";
import type { Store } from "../store/store.js";
import { formatTimestamp } from "../time/timestamp.js";
import { rowsIn } from "../world/rows-in.js";
import { described, listOf, unless } from "./described.js";
import { quoteName } from "../sqlite/quote-name.js";

/** The SQL tables of a database as statements and rows. */
export function describeTables(store: Store, { databaseId, createdAt: usual }: DatabaseRow): JsonValue[] {
  return store.sql.listTables(databaseId).map(({ name, createdAt }) => {
    const table = store.sql.tableSchema(name, { databaseId, profile: defaultProfile });
    return described({
      create: createText(table),
      indexes: listOf(table.indexes.map((index) => indexText(name, index))),
      createdAt: unless(formatTimestamp(usual), createdAt),
      rows: listOf(rowsOf(store, databaseId, table)),
    });
  });
}

function rowsOf(store: Store, databaseId: string, { tableName, columns }: TableSchema): JsonValue[] {
  const withDefault = new Set(
    columns.filter(({ defaultValue }) => defaultValue !== null).map(({ name }) => name),
  );
  // null is what a column has that nothing is said of, unless it has a default
  return rowsIn(store, databaseId, tableName).map(
    (row) =>
      new Map([...getFieldEntries(row)].filter(([name, value]) => value !== null || withDefault.has(name))),
  );
}

function createText({ tableName, columns, primaryKey }: TableSchema): string {
  const declared = columns.map(({ name, type, isNullable, isPartitionKey, isClusteringKey, defaultValue }) =>
    [
      `${quoteName(name)} ${type}`,
      ...(isNullable || isPartitionKey || isClusteringKey ? [] : ["NOT NULL"]),
      ...(defaultValue === null ? [] : [`DEFAULT ${literal(defaultValue, type)}`]),
    ].join(" "),
  );
  const { partitionKeys, clusteringKeys } = primaryKey;
  const key = [`(${partitionKeys.map(quoteName).join(", ")})`, ...clusteringKeys.map(quoteName)].join(", ");
  return `CREATE TABLE ${quoteName(tableName)} (${[...declared, `PRIMARY KEY (${key})`].join(", ")})`;
}

function indexText(table: string, { name, columns, isUnique }: TableSchema["indexes"][number]): string {
  return `CREATE ${isUnique ? "UNIQUE INDEX" : "INDEX"} ${quoteName(name)} ON ${quoteName(table)} (${columns.map(quoteName).join(", ")})`;
}

/** A value of JSON as the dialect writes one of the type. */
function literal(value: JsonValue, type: string): string {
  if (value === null) return "NULL";
  if (value instanceof JsonNumber) return value.text;
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
  if (isJsonArray(value)) {
    const items = value.map((item) => literal(item, type.replace(/^\w+<(.*)>$/, "$1"))).join(", ");
    return type.startsWith("SET<") ? `{${items}}` : `[${items}]`;
  }
  if (!isJsonObject(value)) return String(value).toUpperCase();
  const [, keyType = "", valueType = ""] = /^MAP<(.+?), (.*)>$/.exec(type) ?? [];
  const isText = !/^(?:\w*INT|FLOAT|DOUBLE|DECIMAL|BOOLEAN)$/.test(keyType);
  const entries = [...getFieldEntries(value)].map(
    ([name, member]) => `${isText ? literal(name, keyType) : name}: ${literal(member, valueType)}`,
  );
  return `{${entries.join(", ")}}`;
}
