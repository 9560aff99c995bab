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
import {
  toSeedObject,
  describeTimes,
  omitEmptyList,
  formatTimeUnlessDefault,
  omitDefault,
  type SeedReferences,
} from "./to-seed-object.js";
import { defaultRegion, toIdSuffix } from "./seed-defaults.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import type { TableSchema } from "../sql/table.js";
import { formatTimestamp } from "../time/timestamp.js";
import { readTableRows } from "../world/read-table-rows.js";
import { quoteName } from "../sqlite/quote-name.js";

/** Describes a database and its contents as in a seed. */
export function describeDatabase(
  store: Store,
  row: DatabaseRow,
  references: SeedReferences,
  defaultCreatedAt: number,
): JsonValue {
  const { ref, name, createdAt, settings } = row;
  return toSeedObject({
    name,
    id: omitDefault(`db_${toIdSuffix(name)}`, row.databaseId),
    organization: references.organization(row.organizationId),
    region: omitDefault(defaultRegion, row.region),
    status: omitDefault("Active", row.status),
    readyAt: formatTimeUnlessDefault(null, row.readyAt),
    settings: settings === null ? undefined : parse(settings),
    ...describeTimes(row, defaultCreatedAt),
    items: omitEmptyList(
      store.items.allOf(ref).map((item) =>
        toSeedObject({
          pk: item.pk,
          sk: omitDefault("", item.sk),
          data: parse(item.data),
          ...describeTimes(item, createdAt),
        }),
      ),
    ),
    repositories: omitEmptyList(
      store.repositories.allOf(ref).map((repository) => describeRepository(store, repository, createdAt)),
    ),
    tables: omitEmptyList(describeTables(store, row)),
  });
}

function describeRepository(
  store: Store,
  { ref, repositoryId, name, entityName, schema, createdAt, updatedAt }: RepositoryWithSchema,
  defaultCreatedAt: number,
): JsonValue {
  const suffix = toIdSuffix(name);
  const entities = store.entities.allOf(ref);
  return toSeedObject({
    name,
    id: omitDefault(`repo_${suffix}`, repositoryId),
    entityName: omitDefault(name, entityName),
    schema: schema === "{}" ? undefined : parse(schema),
    createdAt: formatTimeUnlessDefault(defaultCreatedAt, createdAt),
    updatedAt: formatTimeUnlessDefault(entities.at(-1)?.createdAt ?? createdAt, updatedAt),
    entities: omitEmptyList(
      entities.map((entity, index) =>
        toSeedObject({
          id: omitDefault(`ent_${suffix}_${index + 1}`, entity.entityId),
          data: parse(entity.data),
          version: omitDefault(1, entity.version),
          ...describeTimes(entity, createdAt),
        }),
      ),
    ),
  });
}

function parse(text: string): JsonValue {
  // The maximum depth of a request body.
  return parseJson(text, { maxDepth: 1000 });
}

/** Describes the SQL tables of a database as statements and rows. */
function describeTables(store: Store, { databaseId, createdAt: defaultCreatedAt }: DatabaseRow): JsonValue[] {
  return store.sql.listTables(databaseId).map(({ name, createdAt }) => {
    const table = store.sql.tableSchema(name, { databaseId, profile: defaultProfile });
    return toSeedObject({
      create: formatCreateTable(table),
      indexes: omitEmptyList(table.indexes.map((index) => formatCreateIndex(name, index))),
      createdAt: omitDefault(formatTimestamp(defaultCreatedAt), createdAt),
      rows: omitEmptyList(describeRows(store, databaseId, table)),
    });
  });
}

function describeRows(store: Store, databaseId: string, { tableName, columns }: TableSchema): JsonValue[] {
  const columnsWithDefault = new Set(
    columns.filter(({ defaultValue }) => defaultValue !== null).map(({ name }) => name),
  );
  // An omitted column is null, unless it has a default.
  return readTableRows(store, databaseId, tableName).map(
    (row) =>
      new Map(
        [...getFieldEntries(row)].filter(([name, value]) => value !== null || columnsWithDefault.has(name)),
      ),
  );
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
  const [, keyType = "", valueType = ""] = /^MAP<(.+?), (.*)>$/.exec(type) ?? [];
  const isText = !/^(?:\w*INT|FLOAT|DOUBLE|DECIMAL|BOOLEAN)$/.test(keyType);
  const entries = [...getFieldEntries(value)].map(
    ([name, member]) =>
      `${isText ? formatLiteral(name, keyType) : name}: ${formatLiteral(member, valueType)}`,
  );
  return `{${entries.join(", ")}}`;
}
