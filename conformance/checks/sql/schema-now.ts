import type { Sql } from "../../steps/sql/calls.js";

/** The schema of a table now: what the specification names of it, without what a deployment shows beside that. */
export async function schemaNow(sql: Sql, table: string): Promise<unknown> {
  const { body } = await sql.schema(table);
  const { tableName, columns, primaryKey, indexes } = (body ?? {}) as Readonly<Record<string, unknown>>;
  return {
    tableName,
    columns: each(columns, columnMembers),
    primaryKey: picked(primaryKey, ["partitionKeys", "clusteringKeys"]),
    indexes: each(indexes, ["name", "columns", "isUnique"]),
  };
}

const columnMembers = ["name", "type", "isPartitionKey", "isClusteringKey", "isNullable", "defaultValue"];

function each(list: unknown, members: readonly string[]): unknown {
  return Array.isArray(list) ? list.map((entry) => picked(entry, members)) : list;
}

function picked(value: unknown, members: readonly string[]): unknown {
  const known = (value ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(members.map((member) => [member, known[member]]));
}
