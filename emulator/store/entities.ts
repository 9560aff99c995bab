import { unaryPlusMarker, limitClause, noLimit } from "../sqlite/markers.js";
import { longTextColumn, RowMapping, RowStatements } from "../sqlite/row-mapping.js";
import type { PreparedStatements } from "../sqlite/statement.js";

/** An entity as stored; `data` is compact JSON text, times are milliseconds. */
export interface EntityRow {
  /** Number of the entity in its repository, in order of creation; never used again. */
  readonly sequence: number;
  readonly entityId: string;
  readonly data: string;
  /** UTF-8 bytes of `data` and the id. */
  readonly bytes: number;
  /** 1 after creation. */
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

const mapping = new RowMapping<EntityRow & { readonly repositoryRef: number }>(
  "entities",
  "repository_ref, sequence, entity_id, data, bytes, version, created_at, updated_at",
  { data: longTextColumn },
);

export function getEntityByteCount({ bytes }: EntityRow): number {
  return bytes;
}

/** Entities by repository, id and order of creation. */
export function prepareEntityStatements(statements: PreparedStatements) {
  const entities = new RowStatements(statements, mapping);
  const oldestFirst = entities.query<[number, number, number]>(
    `WHERE repository_ref = ${unaryPlusMarker} AND sequence > ? ORDER BY sequence ${limitClause}`,
  );
  const newestFirst = entities.query<[number, number, number]>(
    `WHERE repository_ref = ${unaryPlusMarker} AND sequence < ? ORDER BY sequence DESC ${limitClause}`,
  );
  const all = entities.query<[number]>("WHERE repository_ref = ?");
  const insert = entities.insert();
  const update = entities.update("repository_ref = ?1 AND sequence = ?2");
  return {
    get: entities.one<[repositoryRef: number, entityId: string]>(
      "WHERE repository_ref = ? AND entity_id = ?",
    ),
    bySequence: entities.one<[repositoryRef: number, sequence: number]>(
      "WHERE repository_ref = ? AND sequence = ?",
    ),
    /** Entities in the order of creation or against it, after the one of this number; nothing for the first page. */
    page: (repositoryRef: number, newest: boolean, after: number | undefined, limit: number) =>
      newest
        ? newestFirst.page(getEntityByteCount, repositoryRef, after ?? Number.MAX_SAFE_INTEGER, limit)
        : oldestFirst.page(getEntityByteCount, repositoryRef, after ?? 0, limit),
    /** All entities, in the order of creation. */
    allOf: (repositoryRef: number) => oldestFirst.all(repositoryRef, 0, noLimit),
    /** Shows all entities of a repository one by one, for filters and sorting. */
    scan: (repositoryRef: number, visit: (entity: EntityRow) => void) => all.visit(visit, repositoryRef),
    insert: (repositoryRef: number, row: EntityRow) => insert({ ...row, repositoryRef }),
    update: (repositoryRef: number, row: EntityRow) => update({ ...row, repositoryRef }),
    remove: statements.write<[repositoryRef: number, sequence: number]>(
      "DELETE FROM entities WHERE repository_ref = ? AND sequence = ?",
    ),
  };
}
