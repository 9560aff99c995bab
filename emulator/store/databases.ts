import type { DatabaseStatus } from "../../openapi/schemas/databases.js";
import * as column from "../sqlite/columns.js";
import { unpeekedMarker, limitClause, noLimit } from "../sqlite/markers.js";
import { type RowOf, RowStatements, StateTable } from "../sqlite/state-table.js";
import type { PreparedStatements } from "../sqlite/statement.js";
import { CounterBuffer } from "./counter-buffer.js";

export const databasesTable = new StateTable("databases", {
  /** Number of the database in other tables, in order of creation. */
  ref: column.integer("PRIMARY KEY AUTOINCREMENT"),
  databaseId: column.text("UNIQUE"),
  organizationId: column.text("REFERENCES organizations (organization_id)"),
  name: column.text(),
  region: column.text(),
  status: column.text<DatabaseStatus>(),
  /** The time at which a database that is Creating becomes Active, or a database that is Deleting is removed; null for never. */
  readyAt: column.nullable(column.timestamp()),
  settings: column.nullable(column.text()),
  createdAt: column.timestamp(),
  updatedAt: column.timestamp(),
  /** The size and usage, in the units of UsageMetrics in the contract. */
  itemCount: column.integer("DEFAULT 0"),
  storageBytes: column.integer("DEFAULT 0"),
  readUnits: column.integer("DEFAULT 0"),
  writeUnits: column.integer("DEFAULT 0"),
  usageUpdatedAt: column.timestamp(),
});
export type DatabaseRow = RowOf<typeof databasesTable>;

/** The properties of a database that operations on its data need. */
const summaryMapping = databasesTable.pick("ref", "databaseId", "organizationId", "status", "readyAt");
export type DatabaseSummary = RowOf<typeof summaryMapping>;

/** A change of a database's usage. Entities count as bytes and units, but not as items. */
export interface UsageChange {
  readonly items: number;
  readonly bytes: number;
  readonly writeUnits: number;
}

const newMapping = databasesTable.without("ref", "itemCount", "storageBytes", "readUnits", "writeUnits");
/** The initial values of a database. */
type NewDatabase = Omit<RowOf<typeof newMapping>, "usageUpdatedAt">;

const pageCondition = `WHERE organization_id = ${unpeekedMarker} AND ref > ? ORDER BY ref ${limitClause}`;

export const selectDatabasePageSql = databasesTable.select(pageCondition);

/** Returns the size of a database in a page. Only its settings can be long. */
function getSettingsLength({ settings }: DatabaseRow): number {
  return settings?.length ?? 0;
}

/** Databases and their usage. @param dropTables removes the SQL tables of a database */
export function prepareDatabaseStatements(
  statements: PreparedStatements,
  dropTables: (databaseId: string) => void,
) {
  const databases = new RowStatements(statements, databasesTable);
  const summaries = new RowStatements(statements, summaryMapping);
  const insert = new RowStatements(statements, newMapping).insert();
  const find = statements.remember(["databases"], summaries.one<[string]>("WHERE database_id = ?"));
  const byRef = summaries.one<[number]>("WHERE ref = ?");
  const findByRef = statements.remember(["databases"], (ref) => byRef(Number(ref)));
  const totals = statements.one<[], { databases: number; items: number }>(
    "SELECT COUNT(*), COALESCE(SUM(item_count), 0) FROM databases",
    (row) => ({ databases: row[0] as number, items: row[1] as number }),
  );
  const page = databases.query<[organizationId: string, after: number, limit: number]>(pageCondition);
  const listByOrganization = summaries.list<[string]>("WHERE organization_id = ?");
  const countNamed = statements.number<[string, string]>(
    "SELECT 1 FROM databases WHERE organization_id = ? AND name = ?",
  );
  const setState = statements.write<[string, number | null, number, number]>(
    "UPDATE databases SET status = ?, ready_at = ?, updated_at = ? WHERE ref = ?",
  );
  const beginDeletion = statements.write<[number, number, number]>(
    "UPDATE databases SET status = 'Deleting', ready_at = ?, updated_at = ?, item_count = 0, storage_bytes = 0 " +
      "WHERE ref = ?",
  );
  const listRemovable = summaries.list<[number]>("WHERE status = 'Deleting' AND ready_at <= ?");
  const removals = [
    "entities WHERE repository_ref IN (SELECT ref FROM repositories WHERE database_ref = ?)",
    "repositories WHERE database_ref = ?",
    "items WHERE database_ref = ?",
    "transaction_tokens WHERE database_ref = ?",
  ].map((rows) => statements.write<[number]>(`DELETE FROM ${rows}`));
  const remove = statements.write<[number]>("DELETE FROM databases WHERE ref = ?");
  const addWrite = statements.commandKeepingCaches<[number, number, number, number, number]>(
    "UPDATE databases SET item_count = item_count + ?, storage_bytes = storage_bytes + ?, " +
      "write_units = write_units + ?, usage_updated_at = ? WHERE ref = ?",
  );
  const addRead = statements.commandKeepingCaches<[number, number, number]>(
    "UPDATE databases SET read_units = read_units + ?, usage_updated_at = MAX(usage_updated_at, ?) WHERE ref = ?",
  );
  const storageBytes = statements.number<[string]>(
    "SELECT SUM(storage_bytes) FROM databases WHERE organization_id = ?",
  );
  const unwritten = new CounterBuffer(
    // -1 if nothing was written
    () => ({ readUnits: 0, readAt: 0, items: 0, bytes: 0, writeUnits: 0, writtenAt: -1 }),
    (ref, { readUnits, readAt, items, bytes, writeUnits, writtenAt }) => {
      if (writtenAt >= 0) addWrite.run(items, bytes, writeUnits, writtenAt, ref);
      if (readUnits > 0) addRead.run(readUnits, readAt, ref);
    },
  );
  /** The storage of organizations, which is kept up to date. A rollback clears it. */
  const storageSums = new Map<string, number>();
  statements.watch(["databases"], () => storageSums.clear());

  const empty = ({ ref, databaseId }: DatabaseSummary) => {
    unwritten.forget(ref);
    dropTables(databaseId);
    for (const removeRows of removals) removeRows(ref);
  };
  const removeDatabase = (database: DatabaseSummary) => {
    empty(database);
    remove(database.ref);
  };
  return {
    /** Finds a database by id. The result is cached. */
    find,
    /** Finds a database by its number. The result is cached. */
    findByRef: (ref: number) => findByRef(String(ref)),
    /** Finds a database and its current usage. */
    withUsage: unwritten.flushBefore(databases.one<[string]>("WHERE database_id = ?")),
    /** Databases of an organization after one of them, oldest first. */
    page: unwritten.flushBefore((organizationId: string, after: number, limit: number) =>
      page.page(limit, getSettingsLength, organizationId, after, limit + 1),
    ),
    allOf: unwritten.flushBefore((organizationId: string) => page.all(organizationId, 0, noLimit)),
    /** Lists the databases of all organizations, oldest first. */
    all: unwritten.flushBefore(databases.list<[]>("ORDER BY ref")),
    count: statements.number<[string]>("SELECT COUNT(*) FROM databases WHERE organization_id = ?"),
    hasName: (organizationId: string, name: string) => countNamed(organizationId, name) > 0,
    insert: (row: NewDatabase) => insert({ ...row, usageUpdatedAt: row.createdAt }),
    setStatus: (ref: number, status: DatabaseStatus, now: number) => setState(status, null, now, ref),
    /** Sets the status of a database in starting data. */
    setState: (
      ref: number,
      { status, readyAt, updatedAt }: Pick<DatabaseRow, "status" | "readyAt" | "updatedAt">,
    ) => setState(status, readyAt, updatedAt, ref),
    /** Removes the database with everything in it. */
    remove: removeDatabase,
    /** Deletes everything in the database, and sets its status to Deleting until it is removed. */
    beginDeletion: (database: DatabaseSummary, goneAt: number, now: number) => {
      empty(database);
      beginDeletion(goneAt, now, database.ref);
    },
    /** The time at which the next database with the status Deleting is removed. */
    nextGoneAt: statements.earliest("databases", "ready_at", "WHERE status = 'Deleting'"),
    /** Removes the databases whose deletion has ended. */
    removeGone: (now: number) => listRemovable(now).forEach(removeDatabase),
    removeAllOf: (organizationId: string) => listByOrganization(organizationId).forEach(removeDatabase),
    /** Counts the databases and items of the namespace. */
    totals: unwritten.flushBefore(() => totals() ?? { databases: 0, items: 0 }),
    /** Returns the size of all databases of an organization. */
    storageBytes: (organizationId: string) => {
      const known = storageSums.get(organizationId);
      if (known !== undefined) return known;
      unwritten.flush();
      const sum = storageBytes(organizationId);
      storageSums.set(organizationId, sum);
      return sum;
    },
    addWrite: (ref: number, { items, bytes, writeUnits }: UsageChange, now: number) => {
      const organizationId = findByRef(String(ref))?.organizationId ?? "";
      const sum = storageSums.get(organizationId);
      if (sum !== undefined) storageSums.set(organizationId, sum + bytes);
      const usage = unwritten.get(ref);
      // This write is later than the pending reads, so its time replaces theirs.
      usage.readAt = 0;
      if (statements.canRollBack) {
        addWrite.run(items, bytes, writeUnits, now, ref);
        return;
      }
      usage.items += items;
      usage.bytes += bytes;
      usage.writeUnits += writeUnits;
      usage.writtenAt = now;
    },
    addRead: (ref: number, units: number, now: number) => {
      const usage = unwritten.get(ref);
      usage.readUnits += units;
      usage.readAt = Math.max(usage.readAt, now);
    },
    /** Writes pending changes before an export. */
    flush: unwritten.flush,
    /** Drops pending changes. */
    clear: unwritten.clear,
  };
}
