import { parseJson } from "../json/parse-json.js";
import type { Column, Table } from "./table.js";

/** The schema of a table (part 2 of the specification). */
export type TableSchema = ReturnType<typeof describeTable>;

export function describeTable(table: Table) {
  const listKeys = (kind: Column["key"]): string[] =>
    table.key.filter((column) => column.key === kind).map((column) => column.name);
  return {
    tableName: table.name,
    columns: table.columns.map((column) => ({
      name: column.name,
      type: column.codec.type,
      isPartitionKey: column.key === "partition",
      isClusteringKey: column.key === "clustering",
      isNullable: column.nullable,
      defaultValue:
        column.defaultValue === null
          ? null
          : parseJson(column.codec.toJson(column.defaultValue), { maxDepth: 100 }),
    })),
    primaryKey: { partitionKeys: listKeys("partition"), clusteringKeys: listKeys("clustering") },
    indexes: table.indexes.map((index) => ({
      name: index.name,
      columns: index.columns.map((column) => column.name),
      isUnique: index.unique,
    })),
  };
}
