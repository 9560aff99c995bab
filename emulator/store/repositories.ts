import { createHash } from "node:crypto";
import * as column from "../sqlite/columns.js";
import { unpeekedMarker, limitClause, noLimit } from "../sqlite/markers.js";
import { type RowOf, RowStatements, StateTable } from "../sqlite/state-table.js";
import type { PreparedStatements } from "../sqlite/statement.js";
import { CounterBuffer } from "./counter-buffer.js";

export const repositoriesTable = new StateTable("repositories", {
  /** Number of the repository in other tables, in order of creation. */
  ref: column.integer("PRIMARY KEY AUTOINCREMENT"),
  repositoryId: column.text("UNIQUE"),
  databaseRef: column.integer("REFERENCES databases (ref)"),
  name: column.text(),
  entityName: column.text(),
  /** JSON text as it was given. */
  schema: column.text(),
  /** Hash of the text of the schema: equal texts have equal hashes. */
  schemaHash: column.text(),
  itemCount: column.integer("DEFAULT 0"),
  /** Bytes of its entities. */
  storageBytes: column.integer("DEFAULT 0"),
  /** The `sequence` of the entity that was created last. */
  lastSequence: column.integer("DEFAULT 0"),
  createdAt: column.timestamp(),
  updatedAt: column.timestamp(),
});
export type RepositoryWithSchema = RowOf<typeof repositoriesTable>;

const mapping = repositoriesTable.without("schema");
/** A repository without its schema. */
export type RepositoryRow = RowOf<typeof mapping>;

/** A change of the contents of a repository. */
export interface RepositoryChange {
  /** Entities created. */
  readonly created: number;
  readonly deleted: number;
  readonly bytes: number;
}

/** A cached row, whose counters change with every write. */
type MutableRepositoryRow = { -readonly [Member in keyof RepositoryRow]: RepositoryRow[Member] };

/** Returns the size of a repository in a page. Only its schema can be long. */
function getSchemaLength({ schema }: RepositoryWithSchema): number {
  return schema.length;
}

/** Repositories by id and by database. Schemas can be long, so they are read only if necessary. */
export function prepareRepositoryStatements(statements: PreparedStatements) {
  const byId = new RowStatements(statements, mapping).one<[string]>("WHERE repository_id = ?");
  const change = statements.commandKeepingCaches<[number, number, number, number, number]>(
    "UPDATE repositories SET item_count = item_count + ?, last_sequence = last_sequence + ?, " +
      "storage_bytes = storage_bytes + ?, updated_at = ? WHERE ref = ?",
  );
  const unwritten = new CounterBuffer(
    () => ({ items: 0, created: 0, bytes: 0, updatedAt: 0 }),
    (ref, { items, created, bytes, updatedAt }) => change.run(items, created, bytes, updatedAt, ref),
  );
  // Cached rows are kept up to date, because their counters change with every entity.
  const findCached = statements.remember(
    ["repositories"],
    (repositoryId): MutableRepositoryRow | undefined => {
      unwritten.flush();
      return byId(repositoryId);
    },
  );
  const withSchema = new RowStatements(statements, repositoriesTable);
  const page = withSchema.query<[databaseRef: number, after: number, limit: number]>(
    `WHERE database_ref = ${unpeekedMarker} AND ref > ? ORDER BY ref ${limitClause}`,
  );
  const totals = statements.one<[], { repositories: number; entities: number }>(
    "SELECT COUNT(*), COALESCE(SUM(item_count), 0) FROM repositories",
    (row) => ({ repositories: row[0] as number, entities: row[1] as number }),
  );
  const countNamed = statements.number<[number, string]>(
    "SELECT 1 FROM repositories WHERE database_ref = ? AND name = ?",
  );
  const insert = statements.write<(string | number)[]>(
    "INSERT INTO repositories (repository_id, database_ref, name, entity_name, schema, schema_hash, created_at, " +
      "updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const setUpdatedAt = statements.write<[at: number, ref: number]>(
    "UPDATE repositories SET updated_at = ? WHERE ref = ?",
  );
  const removeEntities = statements.write<[number]>("DELETE FROM entities WHERE repository_ref = ?");
  const remove = statements.write<[number]>("DELETE FROM repositories WHERE ref = ?");
  return {
    byId: (repositoryId: string): RepositoryRow | undefined => findCached(repositoryId),
    withSchema: unwritten.flushBefore(withSchema.one<[repositoryId: string]>("WHERE repository_id = ?")),
    schemaOf: statements.one<[number], string>(
      "SELECT schema FROM repositories WHERE ref = ?",
      (row) => row[0] as string,
    ),
    /** Repositories of a database after one of them, oldest first. */
    page: unwritten.flushBefore((databaseRef: number, after: number, limit: number) =>
      page.page(limit, getSchemaLength, databaseRef, after, limit + 1),
    ),
    allOf: unwritten.flushBefore((databaseRef: number) => page.all(databaseRef, 0, noLimit)),
    hasName: (databaseRef: number, name: string) => countNamed(databaseRef, name) > 0,
    /** Counts the repositories and entities of the namespace. */
    totals: unwritten.flushBefore(() => totals() ?? { repositories: 0, entities: 0 }),
    count: statements.number<[number]>("SELECT COUNT(*) FROM repositories WHERE database_ref = ?"),
    insert: (
      row: Pick<RepositoryWithSchema, "repositoryId" | "databaseRef" | "name" | "entityName" | "schema">,
      now: number,
    ) => {
      const hash = createHash("sha256").update(row.schema).digest("base64url");
      insert(row.repositoryId, row.databaseRef, row.name, row.entityName, row.schema, hash, now, now);
    },
    /** Updates the counters. Must be called with every write of an entity. */
    change: (repositoryId: string, { created, deleted, bytes }: RepositoryChange, now: number) => {
      const row = findCached(repositoryId);
      if (row === undefined) throw new Error("a repository is missing while it is written to");
      const items = created - deleted;
      if (statements.canRollBack) change.run(items, created, bytes, now, row.ref);
      else {
        const usage = unwritten.get(row.ref);
        usage.items += items;
        usage.created += created;
        usage.bytes += bytes;
        usage.updatedAt = now;
      }
      // A copy would take as long as finding the entity.
      row.itemCount += items;
      row.storageBytes += bytes;
      row.lastSequence += created;
      row.updatedAt = now;
    },
    /** Sets the time of the last change in starting data. */
    setUpdatedAt: unwritten.flushBefore((ref: number, at: number) => setUpdatedAt(at, ref)),
    /** Writes pending changes before an export, or before a transaction that may be rolled back. */
    flush: unwritten.flush,
    /** Drops pending changes. */
    clear: unwritten.clear,
    /** Removes the repository with its entities. */
    remove: (ref: number) => {
      removeEntities(ref);
      remove(ref);
    },
  };
}
