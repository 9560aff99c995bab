import type { SqlValue } from "sql.js";
import { memoize } from "../../openapi/text/memoize.js";
import type { ScannedEntity, ScannedField } from "../repositories/find-entities.js";
import * as column from "../sqlite/columns.js";
import { castToTextSql, encodeUtf8View } from "../sqlite/columns.js";
import { unpeekedMarker, limitClause, noLimit } from "../sqlite/markers.js";
import { type RowOf, StateTable } from "../sqlite/state-table.js";
import type { Parameter, PreparedStatements } from "../sqlite/statement.js";

export const entitiesTable = new StateTable("entities", {
  repositoryRef: column.inPrimaryKey(column.integer("REFERENCES repositories (ref)")),
  /**
   * Number of the entity in its repository, in order of creation. Numbers of deleted entities are not used again, so that
   * cursors stay valid.
   */
  sequence: column.inPrimaryKey(column.integer()),
  entityId: column.text(),
  /** Compact JSON. */
  data: column.longText(),
  /** UTF-8 bytes of `data` and the id. */
  bytes: column.integer(),
  /** 1 after creation. */
  version: column.integer(),
  createdAt: column.timestamp(),
  updatedAt: column.timestamp(),
});
export type EntityRow = Omit<RowOf<typeof entitiesTable>, "repositoryRef">;

// Many rows are read at once. This is several times as fast as the mapping.
function readEntity(row: SqlValue[]): EntityRow {
  return {
    sequence: row[1] as number,
    entityId: row[2] as string,
    data: row[3] as string,
    bytes: row[4] as number,
    version: row[5] as number,
    createdAt: row[6] as number,
    updatedAt: row[7] as number,
  };
}

const scannedColumns: Readonly<Record<ScannedField, string>> = {
  data: "data",
  id: "entity_id",
  createdAt: "created_at",
  updatedAt: "updated_at",
};

function buildScanSql(fields: readonly ScannedField[]): string {
  const names = ["sequence", ...fields.map((field) => scannedColumns[field])];
  return `SELECT ${names.join(", ")} FROM entities WHERE repository_ref = ?`;
}

function createScanReader(fields: readonly ScannedField[]): (row: SqlValue[]) => ScannedEntity {
  // The sequence comes first, so the index 0 means that the field is not read.
  const [data, id, createdAt, updatedAt] = (["data", "id", "createdAt", "updatedAt"] as const).map(
    (field) => fields.indexOf(field) + 1,
  ) as [number, number, number, number];
  // Reading an index that a row does not have is very slow.
  return (row) => ({
    sequence: row[0] as number,
    data: data === 0 ? "{}" : (row[data] as string),
    entityId: id === 0 ? "" : (row[id] as string),
    createdAt: createdAt === 0 ? 0 : (row[createdAt] as number),
    updatedAt: updatedAt === 0 ? 0 : (row[updatedAt] as number),
  });
}

/** Entities by repository, id and order of creation. */
export function prepareEntityStatements(statements: PreparedStatements) {
  const query = <Parameters extends readonly Parameter[]>(rest: string) =>
    statements.query<Parameters, EntityRow>(entitiesTable.select(rest), readEntity);
  const byId = query<[repositoryRef: number, entityId: string]>("WHERE repository_ref = ? AND entity_id = ?");
  const bySequence = query<[repositoryRef: number, sequence: number]>(
    "WHERE repository_ref = ? AND sequence = ?",
  );
  const oldestFirst = query<[number, number, number]>(
    `WHERE repository_ref = ${unpeekedMarker} AND sequence > ? ORDER BY sequence ${limitClause}`,
  );
  const newestFirst = query<[number, number, number]>(
    `WHERE repository_ref = ${unpeekedMarker} AND sequence < ? ORDER BY sequence DESC ${limitClause}`,
  );
  const scanOf = memoize((fields: string) => {
    const scanned = fields.split(",").filter((field) => field !== "") as ScannedField[];
    return statements.query<[repositoryRef: number], ScannedEntity>(
      buildScanSql(scanned),
      createScanReader(scanned),
    );
  });
  const insert = statements.write<[number, number, string, Uint8Array, number, number, number, number]>(
    entitiesTable.insert(),
  );
  // The keys are not updated, so that SQLite does not update the indexes.
  const update = statements.write<[Uint8Array, number, number, number, number, number]>(
    `UPDATE entities SET data = ${castToTextSql}, bytes = ?, version = ?, updated_at = ? ` +
      "WHERE repository_ref = ? AND sequence = ?",
  );
  return {
    get: (repositoryRef: number, entityId: string) => byId.first(repositoryRef, entityId),
    bySequence: (repositoryRef: number, sequence: number) => bySequence.first(repositoryRef, sequence),
    /** Entities by creation, in one direction. @param after a sequence number; undefined for the first page */
    page: (repositoryRef: number, isNewestFirst: boolean, after: number | undefined, limit: number) => {
      const statement = isNewestFirst ? newestFirst : oldestFirst;
      const start = after ?? (isNewestFirst ? Number.MAX_SAFE_INTEGER : 0);
      return statement.page(limit, ({ bytes }) => bytes, repositoryRef, start, limit + 1);
    },
    /** All entities, in the order of creation. */
    allOf: (repositoryRef: number) => oldestFirst.all(repositoryRef, 0, noLimit),
    /** Visits all entities of a repository, for filters and sorting. Fields that are not requested are empty. */
    scan: (repositoryRef: number, fields: readonly ScannedField[], visit: (entity: ScannedEntity) => void) =>
      scanOf(fields.join()).visit(visit, repositoryRef),
    insert: (repositoryRef: number, row: EntityRow) => {
      const { sequence, entityId, data, bytes, version, createdAt, updatedAt } = row;
      insert(repositoryRef, sequence, entityId, encodeUtf8View(data), bytes, version, createdAt, updatedAt);
    },
    /** Writes the columns that an update changes. */
    update: (repositoryRef: number, { data, bytes, version, updatedAt, sequence }: EntityRow) =>
      update(encodeUtf8View(data), bytes, version, updatedAt, repositoryRef, sequence),
    remove: statements.write<[repositoryRef: number, sequence: number]>(
      "DELETE FROM entities WHERE repository_ref = ? AND sequence = ?",
    ),
  };
}
