import { parseJson } from "../json/parse-json.js";
import {
  type JsonValue,
  isJsonArray,
  isJsonObject,
  JsonNumber,
  getFieldEntries,
} from "../json/json-value.js";
import type { DatabaseRow } from "../store/databases.js";
import type { RepositoryWithSchema } from "../store/repositories.js";
import type { Store } from "../store/store.js";
import { toSeedObject, omitEmptyList, formatTimeUnlessDefault, omitDefault } from "./to-seed-object.js";
import { defaultRegion, toIdSuffix } from "./seed-defaults.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import type { TableSchema } from "../sql/describe-table.js";
import { formatTimestamp } from "../time/timestamp.js";
import { readTableRows } from "../world/read-table-rows.js";
import { quoteName } from "../sqlite/quote-name.js";

/** The maximum depth of a body. */
const deepest = 1000;

/** Describes a database and its contents as in a seed. */
export function describeDatabase(
  store: Store,
  row: DatabaseRow,
  { organization, usual }: { readonly organization: string; readonly usual: number },
): JsonValue {
  const { name, createdAt, settings } = row;
  return toSeedObject({
    name,
    id: omitDefault(`db_${toIdSuffix(name)}`, row.databaseId),
    organization,
    region: omitDefault(defaultRegion, row.region),
    status: omitDefault("Active", row.status),
    readyAt: formatTimeUnlessDefault(null, row.readyAt),
    settings: settings === null ? undefined : read(settings),
    createdAt: formatTimeUnlessDefault(usual, createdAt),
    updatedAt: formatTimeUnlessDefault(createdAt, row.updatedAt),
    items: omitEmptyList(describeItems(store, row)),
    repositories: omitEmptyList(describeRepositories(store, row)),
    tables: omitEmptyList(describeTables(store, row)),
  });
}

function describeItems(store: Store, { ref, createdAt: usual }: DatabaseRow): JsonValue[] {
  return [...store.items.scan(ref, "", "", -1)].map(({ pk, sk, data, createdAt, updatedAt }) =>
    toSeedObject({
      pk,
      sk: omitDefault("", sk),
      data: read(data),
      createdAt: formatTimeUnlessDefault(usual, createdAt),
      updatedAt: formatTimeUnlessDefault(createdAt, updatedAt),
    }),
  );
}

function describeRepositories(store: Store, { ref, createdAt }: DatabaseRow): JsonValue[] {
  return store.repositories.allOf(ref).map((repository) => describeRepository(store, repository, createdAt));
}

function describeRepository(store: Store, repository: RepositoryWithSchema, usual: number): JsonValue {
  const { ref, repositoryId, name, entityName, schema, createdAt, updatedAt } = repository;
  const word = toIdSuffix(name);
  const entities = store.entities.allOf(ref);
  return toSeedObject({
    name,
    id: omitDefault(`repo_${word}`, repositoryId),
    entityName: omitDefault(name, entityName),
    schema: schema === "{}" ? undefined : read(schema),
    createdAt: formatTimeUnlessDefault(usual, createdAt),
    updatedAt: formatTimeUnlessDefault(entities.at(-1)?.createdAt ?? createdAt, updatedAt),
    entities: omitEmptyList(
      entities.map((entity, index) =>
        toSeedObject({
          id: omitDefault(`ent_${word}_${index + 1}`, entity.entityId),
          data: read(entity.data),
          version: omitDefault(1, entity.version),
          createdAt: formatTimeUnlessDefault(createdAt, entity.createdAt),
          updatedAt: formatTimeUnlessDefault(entity.createdAt, entity.updatedAt),
        }),
      ),
    ),
  });
}

function read(text: string): JsonValue {
  return parseJson(text, { maxDepth: deepest });
}

/** Describes the SQL tables of a database as statements and rows. */
export function describeTables(store: Store, { databaseId, createdAt: usual }: DatabaseRow): JsonValue[] {
  return store.sql.listTables(databaseId).map(({ name, createdAt }) => {
    const table = store.sql.tableSchema(name, { databaseId, profile: defaultProfile });
    return toSeedObject({
      create: createText(table),
      indexes: omitEmptyList(table.indexes.map((index) => indexText(name, index))),
      createdAt: omitDefault(formatTimestamp(usual), createdAt),
      rows: omitEmptyList(rowsOf(store, databaseId, table)),
    });
  });
}

function rowsOf(store: Store, databaseId: string, { tableName, columns }: TableSchema): JsonValue[] {
  const withDefault = new Set(
    columns.filter(({ defaultValue }) => defaultValue !== null).map(({ name }) => name),
  );
  // an omitted column is null, unless it has a default
  return readTableRows(store, databaseId, tableName).map(
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

/** Formats a JSON value as an SQL literal of a type. */
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
