import type { JsonValue } from "../json/json-value.js";
import { parseJson } from "../json/parse-json.js";
import { type Column, type Table, formatColumnType } from "./table.js";

/** The schema of a table, as part 2 of the specification has it. */
export interface TableSchema {
  readonly tableName: string;
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly isPartitionKey: boolean;
    readonly isClusteringKey: boolean;
    readonly isNullable: boolean;
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
export function describeTable(table: Table): TableSchema {
  const keysOf = (kind: Column["key"]): string[] =>
    table.key.filter((column) => column.key === kind).map((column) => column.name);
  return {
    tableName: table.name,
    columns: table.columns.map((column) => ({
      name: column.name,
      type: formatColumnType(column),
      isPartitionKey: column.key === "partition",
      isClusteringKey: column.key === "clustering",
      isNullable: column.nullable,
      defaultValue:
        column.defaultValue === null
          ? null
          : parseJson(column.codec.toJson(column.defaultValue), { maxDepth: 100 }),
    })),
    primaryKey: { partitionKeys: keysOf("partition"), clusteringKeys: keysOf("clustering") },
    indexes: table.indexes.map((index) => ({
      name: index.name,
      columns: index.columns.map((column) => column.name),
      isUnique: index.unique,
    })),
  };
}
