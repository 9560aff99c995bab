import type { SqlValue } from "sql.js";
import { parseJson } from "../json/parse-json.js";
import type { SqlType } from "./grammar/syntax.js";
import type { Codec, StoredValue } from "./types/codec.js";
import { getCodec } from "./types/get-codec.js";

/** A column in the catalog. */
export interface ColumnRecord {
  /** Ids of dropped columns are not used again in the table. */
  readonly id: number;
  readonly name: string;
  readonly type: SqlType;
  readonly nullable: boolean;
  /** JSON text of the default value; null for none. */
  readonly defaultJson: string | null;
}

/** A table in the catalog, with columns in order, and keys as column ids. */
export interface TableRecord {
  readonly nextColumnId: number;
  readonly columns: readonly ColumnRecord[];
  readonly partition: readonly number[];
  readonly clustering: readonly number[];
}

export interface Column extends ColumnRecord {
  readonly codec: Codec;
  readonly defaultValue: StoredValue | null;
  readonly key: "partition" | "clustering" | null;
  /** Name in SQLite. */
  readonly sqlName: string;
}

export interface Index {
  readonly id: number;
  readonly name: string;
  readonly columns: readonly Column[];
  readonly unique: boolean;
  readonly sqlName: string;
}

export interface Table {
  readonly id: number;
  readonly name: string;
  readonly record: TableRecord;
  readonly columns: readonly Column[];
  readonly byName: ReadonlyMap<string, Column>;
  /** Partition columns, then clustering columns. The key orders the rows. */
  readonly key: readonly Column[];
  readonly indexes: readonly Index[];
  readonly sqlName: string;
}

/** An index in the catalog. */
export interface IndexRecord {
  readonly id: number;
  readonly name: string;
  readonly columnIds: readonly number[];
  readonly unique: boolean;
}

/** Converts a row of the catalog: id, name, JSON text of the column ids, and 1 for a unique index. */
export function toIndexRecord([id, name, columnIds, unique]: readonly SqlValue[]): IndexRecord {
  return {
    id: Number(id),
    name: String(name),
    columnIds: JSON.parse(String(columnIds)) as readonly number[],
    unique: unique === 1,
  };
}

/** Builds a table from its catalog entry. */
export function buildTable(
  id: number,
  name: string,
  record: TableRecord,
  indexes: readonly IndexRecord[],
): Table {
  const columns = record.columns.map((column): Column => {
    const codec = getCodec(column.type);
    const isPartition = record.partition.includes(column.id);
    const isClustering = record.clustering.includes(column.id);
    return {
      ...column,
      codec,
      defaultValue:
        column.defaultJson === null ? null : codec.encode(parseJson(column.defaultJson, { maxDepth: 100 })),
      key: isPartition ? "partition" : isClustering ? "clustering" : null,
      sqlName: getColumnSqlName(column.id),
    };
  });
  const byId = new Map(columns.map((column) => [column.id, column]));
  const pick = (ids: readonly number[]): Column[] =>
    ids.map((columnId) => {
      const column = byId.get(columnId);
      if (column === undefined) throw new Error(`the catalog has no column ${columnId} for table ${id}`);
      return column;
    });
  return {
    id,
    name,
    record,
    columns,
    byName: new Map(columns.map((column) => [column.name, column])),
    key: pick([...record.partition, ...record.clustering]),
    indexes: indexes.map((index) => ({
      id: index.id,
      name: index.name,
      unique: index.unique,
      columns: pick(index.columnIds),
      sqlName: getIndexSqlName(index.id),
    })),
    sqlName: getTableSqlName(id),
  };
}

/** Counts the indexes that contain the values of a column. Every index contains the key. */
export function countIndexesOnColumn({ indexes }: Table, column: Column): number {
  if (column.key !== null) return indexes.length;
  return indexes.filter((index) => index.columns.includes(column)).length;
}

export function getTableSqlName(id: number): string {
  return `sql_table_${id}`;
}

export function getIndexSqlName(id: number): string {
  return `sql_index_${id}`;
}

export function getColumnSqlName(id: number): string {
  return `c${id}`;
}

/** Builds the definition of a table as SQLite lists it, even after its columns have changed. */
export function buildTableSql(id: number, { columns, partition, clustering }: TableRecord): string {
  const key = [...partition, ...clustering];
  const declarations = columns.map(
    (column) => buildColumnSql(column) + (key.includes(column.id) ? " NOT NULL" : ""),
  );
  const keyNames = key.map(getColumnSqlName).join(", ");
  return `CREATE TABLE ${getTableSqlName(id)} (${declarations.join(", ")}, PRIMARY KEY (${keyNames})) WITHOUT ROWID`;
}

/** Builds the definition of an index as SQLite lists it. */
export function buildIndexSql(
  { id, columnIds, unique }: Omit<IndexRecord, "name">,
  table: Pick<Table, "sqlName">,
): string {
  const names = columnIds.map(getColumnSqlName).join(", ");
  return `CREATE ${unique ? "UNIQUE INDEX" : "INDEX"} ${getIndexSqlName(id)} ON ${table.sqlName} (${names})`;
}

/** Builds the declaration of a column. The encoder checks NOT NULL, so only keys declare it. */
export function buildColumnSql(column: ColumnRecord): string {
  return `${getColumnSqlName(column.id)} ${getCodec(column.type).affinity}`;
}

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
