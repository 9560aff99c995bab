import { defaultProfile } from "../../openapi/gaps/profile.js";
import type { UserCaller } from "../access/caller.js";
import {
  getFieldEntries,
  isJsonArray,
  isJsonObject,
  JsonNumber,
  type JsonValue,
} from "../json/json-value.js";
import { parseJson } from "../json/parse-json.js";
import { foldIdentifier, parseSql } from "../sql/grammar/parse-sql.js";
import { createSqlValidationError } from "../sql/grammar/sql-error.js";
import type { Statement } from "../sql/grammar/syntax.js";
import type { TableSchema } from "../sql/table.js";
import { quoteName } from "../sqlite/quote-name.js";
import type { DatabaseRow } from "../store/databases.js";
import type { Store } from "../store/store.js";
import { parseTimestamp } from "../time/parse-timestamp.js";
import { formatTimestamp } from "../time/timestamp.js";
import { readTableRows } from "../world/read-table-rows.js";
import { type TableElement, writeElement } from "./seed-element.js";
import type { SeedContext } from "./seed-context.js";

const identifierCase = defaultProfile["sql-identifier-case"];

/** Executes the statements that define a table, and inserts each row with an INSERT statement. */
export function applyTable(
  service: SeedContext,
  { pointer, create, indexes = [], rows = [], ...given }: TableElement,
  { databaseId, by, at: defaultCreatedAt }: { databaseId: string; by: UserCaller; at: number },
): void {
  const { createdAt: at = defaultCreatedAt } = given;
  // Unlike the handler, this does not count as usage.
  const execute = (sql: string) => {
    const { body } = service.request("executeSql", { databaseId }, { sql });
    const now = formatTimestamp(at);
    service.store.sql.execute(body.sql, { databaseId, permission: "admin", now, profile: defaultProfile });
  };
  const name = service.try(`${pointer}/create`, () => {
    const statement = parse(create);
    if (statement.kind !== "create-table") throw createSqlValidationError("must be a CREATE TABLE statement");
    execute(create);
    return statement.table;
  });
  if (name === undefined) return;
  indexes.forEach((sql, index) =>
    service.try(`${pointer}/indexes/${index}`, () => {
      const statement = parse(sql);
      if (statement.kind !== "create-index" || statement.table !== name)
        throw createSqlValidationError(`must be a CREATE INDEX statement for ${name}`);
      execute(sql);
    }),
  );
  const { columns } = service.store.sql.tableSchema(name, { databaseId, profile: defaultProfile });
  const columnNames = new Set(columns.map((column) => column.name));
  rows.forEach((row, index) =>
    service.try(`${pointer}/rows/${index}`, () => {
      const values = [...getFieldEntries(row)];
      const names = values.map(([column]) =>
        columnNames.has(column) ? column : foldIdentifier(column, identifierCase),
      );
      if (names.length === 0) throw createSqlValidationError("must have a value for each primary-key column");
      const sql =
        `INSERT INTO ${quoteName(name)} (${names.map(quoteName).join(", ")}) ` +
        `VALUES (${names.map(() => "?").join(", ")})`;
      const parameters = new Map(values.map(([, value], at): [string, JsonValue] => [`p${at + 1}`, value]));
      service.call("runSqlQuery", { databaseId }, { sql, parameters }, { by, at });
    }),
  );
}

function parse(sql: string): Statement {
  return parseSql(sql, identifierCase).statement;
}

/** Describes the SQL tables of a database as statements and rows. */
export function describeTables(store: Store, { databaseId, createdAt: defaultCreatedAt }: DatabaseRow) {
  return store.sql.listTables(databaseId).map(({ name, createdAt }) => {
    const table = store.sql.tableSchema(name, { databaseId, profile: defaultProfile });
    const hasDefault = new Set(
      table.columns.filter((one) => one.defaultValue !== null).map((one) => one.name),
    );
    // An omitted column is null, unless it has a default.
    const rows = readTableRows(store, databaseId, name).map(
      (row) =>
        new Map(
          [...getFieldEntries(row)].filter(([column, value]) => value !== null || hasDefault.has(column)),
        ),
    );
    const indexes = table.indexes.map((index) => formatCreateIndex(name, index));
    return writeElement(
      { create: formatCreateTable(table), indexes, createdAt: parseTimestamp(createdAt), rows },
      { indexes: [], createdAt: defaultCreatedAt, rows: [] },
    );
  });
}

function formatCreateTable({ tableName, columns, primaryKey }: TableSchema): string {
  const definitions = columns.map(
    ({ name, type, isNullable, isPartitionKey, isClusteringKey, defaultValue }) =>
      [
        `${quoteName(name)} ${type}`,
        ...(isNullable || isPartitionKey || isClusteringKey ? [] : ["NOT NULL"]),
        ...(defaultValue === null ? [] : [`DEFAULT ${formatLiteral(defaultValue, type)}`]),
      ].join(" "),
  );
  const { partitionKeys, clusteringKeys } = primaryKey;
  const key = [`(${partitionKeys.map(quoteName).join(", ")})`, ...clusteringKeys.map(quoteName)].join(", ");
  return `CREATE TABLE ${quoteName(tableName)} (${[...definitions, `PRIMARY KEY (${key})`].join(", ")})`;
}

function formatCreateIndex(
  table: string,
  { name, columns, isUnique }: TableSchema["indexes"][number],
): string {
  return `CREATE ${isUnique ? "UNIQUE INDEX" : "INDEX"} ${quoteName(name)} ON ${quoteName(table)} (${columns.map(quoteName).join(", ")})`;
}

/** Formats a JSON value as an SQL literal of a type. */
function formatLiteral(value: JsonValue, type: string): string {
  if (value === null) return "NULL";
  if (value instanceof JsonNumber) return value.text;
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
  if (isJsonArray(value)) {
    const items = value.map((item) => formatLiteral(item, type.replace(/^\w+<(.*)>$/, "$1"))).join(", ");
    return type.startsWith("SET<") ? `{${items}}` : `[${items}]`;
  }
  if (!isJsonObject(value)) return String(value).toUpperCase();
  const [keyType, valueType] = splitMapType(type);
  const entries = [...getFieldEntries(value)].map(([name, member]) => {
    const key = keysAsJson.test(keyType) ? parseJson(name, { maxDepth: 100 }) : name;
    return `${formatLiteral(key, keyType)}: ${formatLiteral(member, valueType)}`;
  });
  return `{${entries.join(", ")}}`;
}

/** Types of keys of a MAP that are shown as JSON. */
const keysAsJson = /^(?:\w*INT|FLOAT|DOUBLE|DECIMAL|BOOLEAN|\w+<.*>)$/;

/** Splits `MAP<K, V>` into the types of keys and values, which may be collections. */
function splitMapType(type: string): readonly [string, string] {
  let depth = 0;
  for (let at = "MAP<".length; at < type.length; at += 1) {
    if (type[at] === "<") depth += 1;
    else if (type[at] === ">") depth -= 1;
    else if (type[at] === "," && depth === 0) return [type.slice("MAP<".length, at), type.slice(at + 2, -1)];
  }
  throw new Error(`${type} is not a MAP`);
}
