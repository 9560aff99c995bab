import type { JsonValue } from "../json/json-value.js";
import { readJson } from "../json/read-json.js";
import type { SqlProfile } from "./sql-request.js";
import { type Column, type Table, typeName } from "./table.js";

/** The schema of a table, as part 2 of the specification has it. */
export interface TableSchema {
  readonly tableName: string;
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly isPartitionKey: boolean;
    readonly isClusteringKey: boolean;
    readonly isNullable: boolean;
    /** In the form of gap `sql-default-value-form`. */
    readonly defaultValue: JsonValue;
  }[];
  readonly primaryKey: {
    readonly partitionKeys: readonly string[];
    readonly clusteringKeys: readonly string[];
  };
  readonly indexes: readonly {
    readonly name: string;
    readonly columns: readonly string[];
    readonly isUnique: boolean;
  }[];
}

/** Describes a table: columns in their order, keys in theirs, indexes by name. */
export function describeTable(table: Table, profile: SqlProfile): TableSchema {
  const keysOf = (kind: Column["key"]): string[] =>
    table.key.filter((column) => column.key === kind).map((column) => column.name);
  return {
    tableName: table.name,
    columns: table.columns.map((column) => ({
      name: column.name,
      type: typeName(column, profile["sql-type-names"]),
      isPartitionKey: column.key === "partition",
      isClusteringKey: column.key === "clustering",
      isNullable: column.nullable,
      defaultValue: describeDefault(column, profile),
    })),
    primaryKey: { partitionKeys: keysOf("partition"), clusteringKeys: keysOf("clustering") },
    indexes: table.indexes.map((index) => ({
      name: index.name,
      columns: index.columns.map((column) => column.name),
      isUnique: index.unique,
    })),
  };
}

function describeDefault({ codec, defaultValue }: Column, profile: SqlProfile): JsonValue {
  if (defaultValue === null) return null;
  const text = codec.toJson(defaultValue);
  return profile["sql-default-value-form"] === "text" ? text : readJson(text, { maxDepth: 100 });
}
