import { findNearest } from "../../openapi/text/find-nearest.js";
import { defaultProfile, type Profile } from "../../openapi/gaps/profile.js";
import { createSqlValidationError, SqlError } from "./grammar/sql-error.js";
import type { StatementCache } from "./statement-cache.js";
import { buildTable, toIndexRecord, type Table, type TableRecord } from "./table.js";

/**
 * The tables that hold the catalog, one of each per namespace. Ids are never used again, so that nothing which
 * outlives a table, such as a page token, can be taken for another's.
 */
export const sqlCatalogSchema = `
CREATE TABLE IF NOT EXISTS sql_tables (
  table_id INTEGER PRIMARY KEY AUTOINCREMENT,
  database_id TEXT NOT NULL REFERENCES databases (database_id),
  name TEXT NOT NULL,
  created_at TEXT NOT NULL,
  row_count INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  definition TEXT NOT NULL,
  UNIQUE (database_id, name)
);
CREATE TABLE IF NOT EXISTS sql_indexes (
  index_id INTEGER PRIMARY KEY AUTOINCREMENT,
  database_id TEXT NOT NULL,
  name TEXT NOT NULL,
  table_id INTEGER NOT NULL REFERENCES sql_tables (table_id),
  column_ids TEXT NOT NULL,
  is_unique INTEGER NOT NULL,
  UNIQUE (database_id, name)
);
CREATE INDEX IF NOT EXISTS sql_indexes_by_table ON sql_indexes (table_id);`;

/** Maximum length of all definitions of a namespace, which SQLite reads for each change: some 80,000 columns. */
export const maxDefinitionsLength = 8 * 1024 * 1024;

/** Maximum number of tables and indexes of a namespace: SQLite looks through all of them for each table of a database that is deleted. */
export const maxDefinitions = 2000;

/** SQL for the number of tables and indexes, and for the bytes of all definitions. */
export const countDefinitionsSql =
  "SELECT (SELECT count(*) FROM sql_tables) + (SELECT count(*) FROM sql_indexes)";
export const measureDefinitionsSql = "SELECT total(octet_length(definition)) FROM sql_tables";

/** How many names are compared with an unknown one, which takes some 20 ms. */
const maxComparedNames = 500;

/** An entry of the list of tables. */
export interface TableEntry {
  readonly name: string;
  readonly rowCount: number;
  readonly createdAt: string;
}

/** Which tables, columns and indexes a database has. Tables are built once and kept until `forget`. */
export class Catalog {
  readonly #known = new Map<string, Map<string, Table>>();

  #profile: Profile = defaultProfile;

  constructor(private readonly statements: StatementCache) {}

  /** Sets the profile of the tables that are built from now on. */
  useProfile(profile: Profile): void {
    this.#profile = profile;
    this.forget();
  }

  /** Clears the cache: after a definition, and when the content of the database was replaced or rolled back. */
  forget(): void {
    this.#known.clear();
  }

  find(databaseId: string, name: string): Table | undefined {
    const known = this.#known.get(databaseId)?.get(name);
    if (known !== undefined) return known;
    const row = this.statements.first(
      "SELECT table_id, definition FROM sql_tables WHERE database_id = ? AND name = ?",
      [databaseId, name],
    );
    if (row === undefined) return undefined;
    const [id, definition] = row as [number, string];
    const indexes = this.statements
      .all("SELECT index_id, name, column_ids, is_unique FROM sql_indexes WHERE table_id = ? ORDER BY name", [
        id,
      ])
      .map(toIndexRecord);
    const table = buildTable(id, name, JSON.parse(definition) as TableRecord, indexes, this.#profile);
    let tables = this.#known.get(databaseId);
    if (tables === undefined) this.#known.set(databaseId, (tables = new Map<string, Table>()));
    tables.set(name, table);
    return table;
  }

  /** @throws SqlError TABLE_NOT_FOUND */
  get(databaseId: string, name: string): Table {
    const table = this.find(databaseId, name);
    if (table === undefined)
      throw new SqlError(
        "TABLE_NOT_FOUND",
        `there is no table ${JSON.stringify(name)}`,
        this.#meant(databaseId, name),
      );
    return table;
  }

  /** Returns a hint for an unknown table name. */
  #meant(databaseId: string, name: string): string {
    const names = this.list(databaseId)
      .map((table) => table.name)
      .filter((known) => Math.abs(known.length - name.length) <= 2)
      .slice(0, maxComparedNames);
    const near = findNearest(name, names);
    const folding =
      "The profile determines whether unquoted names keep their case or are converted to lower or upper case.";
    return near === undefined ? folding : `Did you mean ${JSON.stringify(near)}? ${folding}`;
  }

  /** In the order of their names' bytes. */
  list(databaseId: string): TableEntry[] {
    return this.statements
      .all("SELECT name, row_count, created_at FROM sql_tables WHERE database_id = ? ORDER BY name", [
        databaseId,
      ])
      .map((row) => {
        const [name, rowCount, createdAt] = row as [string, number, string];
        return { name, rowCount, createdAt };
      });
  }

  getSize(table: Table): { readonly rows: number; readonly bytes: number } {
    const row = this.statements.first("SELECT row_count, bytes FROM sql_tables WHERE table_id = ?", [
      table.id,
    ]);
    const [rows, bytes] = row as [number, number];
    return { rows, bytes };
  }

  /** Counts rows and bytes that came or went. */
  grow(table: Table, rows: number, bytes: number): void {
    if (rows === 0 && bytes === 0) return;
    this.statements.run(
      "UPDATE sql_tables SET row_count = row_count + ?, bytes = bytes + ? WHERE table_id = ?",
      [rows, bytes, table.id],
    );
  }

  /** @returns the id of the new table */
  addTable(databaseId: string, name: string, record: TableRecord, createdAt: string): number {
    const definition = JSON.stringify(record);
    this.#rejectManyDefinitions();
    this.#rejectManyColumns(definition.length);
    const row = this.statements.first(
      "INSERT INTO sql_tables (database_id, name, created_at, row_count, bytes, definition) VALUES (?, ?, ?, 0, 0, ?) RETURNING table_id",
      [databaseId, name, createdAt, definition],
    );
    this.forget();
    return (row as [number])[0];
  }

  changeTable(table: Table, record: TableRecord): void {
    const definition = JSON.stringify(record);
    this.#rejectManyColumns(definition.length - JSON.stringify(table.record).length);
    this.statements.run("UPDATE sql_tables SET definition = ? WHERE table_id = ?", [definition, table.id]);
    this.forget();
  }

  #rejectManyDefinitions(): void {
    const [count] = this.statements.first(countDefinitionsSql) as [number];
    if (count >= maxDefinitions)
      throw createSqlValidationError(
        `the databases have ${count} tables and indexes`,
        `All databases together can have at most ${maxDefinitions} tables and indexes. Drop some.`,
      );
  }

  /** @param growth of the definitions of all tables */
  #rejectManyColumns(growth: number): void {
    if (growth <= 0) return;
    const [length] = this.statements.first(measureDefinitionsSql) as [number];
    if (length + growth > maxDefinitionsLength)
      throw createSqlValidationError(
        "the tables of all databases have too many columns",
        `All table definitions together can have at most ${maxDefinitionsLength} bytes. Drop tables or columns.`,
      );
  }

  removeTable(table: Table): void {
    this.statements.run("DELETE FROM sql_indexes WHERE table_id = ?", [table.id]);
    this.statements.run("DELETE FROM sql_tables WHERE table_id = ?", [table.id]);
    this.forget();
  }

  /** The name of the table that an index of the database belongs to. */
  findIndexTable(databaseId: string, index: string): string | undefined {
    const row = this.statements.first(
      "SELECT t.name FROM sql_indexes i JOIN sql_tables t USING (table_id) WHERE i.database_id = ? AND i.name = ?",
      [databaseId, index],
    );
    return row?.[0] as string | undefined;
  }

  /** @returns the id of the new index */
  addIndex(
    databaseId: string,
    name: string,
    table: Table,
    columnIds: readonly number[],
    unique: boolean,
  ): number {
    this.#rejectManyDefinitions();
    const row = this.statements.first(
      "INSERT INTO sql_indexes (database_id, name, table_id, column_ids, is_unique) VALUES (?, ?, ?, ?, ?) RETURNING index_id",
      [databaseId, name, table.id, JSON.stringify(columnIds), unique ? 1 : 0],
    );
    this.forget();
    return (row as [number])[0];
  }

  removeIndex(indexId: number): void {
    this.statements.run("DELETE FROM sql_indexes WHERE index_id = ?", [indexId]);
    this.forget();
  }
}
