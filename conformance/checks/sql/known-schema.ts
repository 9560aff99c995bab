/** The members that the specification gives to a schema, without what a deployment shows beside them. */
export function knownSchema(schema: unknown): unknown {
  const { tableName, columns, primaryKey, indexes } = (schema ?? {}) as Readonly<Record<string, unknown>>;
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
