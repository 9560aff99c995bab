import type { SqlValue } from "sql.js";
import { castToTextSql, encodeUtf8View } from "../sqlite/long-text.js";
import { unaryPlusMarker, limitClause, noLimit } from "../sqlite/markers.js";
import type { PreparedStatements } from "../sqlite/statement.js";

/** An entity as stored; `data` is compact JSON text, times are milliseconds. */
export interface EntityRow {
  /** Number of the entity in its repository, in order of creation; never used again. */
  readonly sequence: number;
  readonly id: string;
  readonly data: string;
  /** UTF-8 bytes of `data` and the id. */
  readonly bytes: number;
  /** 1 after creation. */
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

const columns = "sequence, entity_id, data, bytes, version, created_at, updated_at";

function readEntity(row: SqlValue[]): EntityRow {
  return {
    sequence: row[0] as number,
    id: row[1] as string,
    data: row[2] as string,
    bytes: row[3] as number,
    version: row[4] as number,
    createdAt: row[5] as number,
    updatedAt: row[6] as number,
  };
}

export function getEntityByteCount({ bytes }: EntityRow): number {
  return bytes;
}

/** Entities by repository, id and order of creation. */
export function prepareEntityStatements(statements: PreparedStatements) {
  const byId = statements.query<[number, string], EntityRow>(
    `SELECT ${columns} FROM entities WHERE repository_ref = ? AND entity_id = ?`,
    readEntity,
  );
  const bySequence = statements.query<[number, number], EntityRow>(
    `SELECT ${columns} FROM entities WHERE repository_ref = ? AND sequence = ?`,
    readEntity,
  );
  const oldestFirst = statements.query<[number, number, number], EntityRow>(
    `SELECT ${columns} FROM entities WHERE repository_ref = ${unaryPlusMarker} AND sequence > ? ORDER BY sequence ${limitClause}`,
    readEntity,
  );
  const newestFirst = statements.query<[number, number, number], EntityRow>(
    `SELECT ${columns} FROM entities WHERE repository_ref = ${unaryPlusMarker} AND sequence < ? ORDER BY sequence DESC ${limitClause}`,
    readEntity,
  );
  const all = statements.query<[number], EntityRow>(
    `SELECT ${columns} FROM entities WHERE repository_ref = ?`,
    readEntity,
  );
  const insert = statements.command<(string | number | Uint8Array)[]>(
    `INSERT INTO entities (repository_ref, ${columns}) VALUES (?, ?, ?, ${castToTextSql}, ?, ?, ?, ?)`,
  );
  const update = statements.command<(string | number | Uint8Array)[]>(
    `UPDATE entities SET data = ${castToTextSql}, bytes = ?, version = ?, updated_at = ? ` +
      "WHERE repository_ref = ? AND sequence = ?",
  );
  const remove = statements.command<[number, number]>(
    "DELETE FROM entities WHERE repository_ref = ? AND sequence = ?",
  );
  return {
    get: (repositoryRef: number, id: string) => byId.first(repositoryRef, id),
    bySequence: (repositoryRef: number, sequence: number) => bySequence.first(repositoryRef, sequence),
    /** Entities in the order of creation or against it, after the one of this number; nothing for the first page. */
    page: (repositoryRef: number, newest: boolean, after: number | undefined, limit: number) =>
      newest
        ? newestFirst.page(getEntityByteCount, repositoryRef, after ?? Number.MAX_SAFE_INTEGER, limit)
        : oldestFirst.page(getEntityByteCount, repositoryRef, after ?? 0, limit),
    /** All entities, in the order of creation. */
    allOf: (repositoryRef: number) => oldestFirst.all(repositoryRef, 0, noLimit),
    /** Shows all entities of a repository one by one, for filters and sorting. */
    scan: (repositoryRef: number, visit: (entity: EntityRow) => void) => all.visit(visit, repositoryRef),
    insert: (repositoryRef: number, row: EntityRow) =>
      insert.run(
        repositoryRef,
        row.sequence,
        row.id,
        encodeUtf8View(row.data),
        row.bytes,
        row.version,
        row.createdAt,
        row.updatedAt,
      ),
    /** Writes the members that an update changes. */
    update: (repositoryRef: number, row: EntityRow) =>
      update.run(
        encodeUtf8View(row.data),
        row.bytes,
        row.version,
        row.updatedAt,
        repositoryRef,
        row.sequence,
      ),
    remove: (repositoryRef: number, sequence: number) => remove.run(repositoryRef, sequence),
  };
}
