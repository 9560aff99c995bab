import { findNearest } from "../../openapi/text/find-nearest.js";
import { createSqlValidationError, SqlError } from "./grammar/sql-error.js";
import type { StatementCache } from "./statement-cache.js";
import { buildTable, toIndexRecord, type Table, type TableRecord } from "./table.js";

/** The tables of the catalog. Ids are never used again, so that the page token of a dropped table is not valid for another. */
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

/** Maximum length of all definitions of a namespace (about 80,000 columns). SQLite reads all of them for each change. */
const maxDefinitionsLength = 8 * 1024 * 1024;

/** Maximum number of tables and indexes of a namespace. To drop a table, SQLite searches all of them. */
const maxDefinitions = 2000;

/** Maximum number of names that are compared with an unknown name, which takes about 20 ms. */
const maxComparedNames = 500;

/** An entry of the list of tables. */
export interface TableEntry {
  readonly name: string;
  readonly rowCount: number;
  readonly createdAt: string;
}

/** The tables, columns and indexes of all databases. Tables are cached until `forget`. */
export class Catalog {
  /** By database and name. */
  readonly #tables = new Map<string, Map<string, Table>>();

  constructor(private readonly statements: StatementCache) {}

  /** Clears the cache after a definition or a rollback. */
  forget(): void {
    this.#tables.clear();
  }

  find(databaseId: string, name: string): Table | undefined {
    const known = this.#tables.get(databaseId)?.get(name);
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
    const table = buildTable(id, name, JSON.parse(definition) as TableRecord, indexes);
    let tables = this.#tables.get(databaseId);
    if (tables === undefined) this.#tables.set(databaseId, (tables = new Map<string, Table>()));
    tables.set(name, table);
    return table;
  }

  /** @throws SqlError TABLE_NOT_FOUND */
  get(databaseId: string, name: string): Table {
    const table = this.find(databaseId, name);
    if (table !== undefined) return table;
    const hint = this.#suggestTable(databaseId, name);
    throw new SqlError("TABLE_NOT_FOUND", `there is no table ${JSON.stringify(name)}`, hint);
  }

  /** Returns a hint for an unknown table name. */
  #suggestTable(databaseId: string, name: string): string {
    const names = this.list(databaseId)
      .map((table) => table.name)
      .filter((known) => Math.abs(known.length - name.length) <= 2)
      .slice(0, maxComparedNames);
    const near = findNearest(name, names);
    const folding =
      "The profile determines whether unquoted names keep their case or are converted to lower or upper case.";
    return near === undefined ? folding : `Did you mean ${JSON.stringify(near)}? ${folding}`;
  }

  /** Lists tables in the order of the bytes of their names. */
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

  /** Changes the number of rows and bytes of a table. */
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
    this.#rejectTooManyDefinitions();
    this.#rejectTooLongDefinitions(definition.length);
    const row = this.statements.first(
      "INSERT INTO sql_tables (database_id, name, created_at, row_count, bytes, definition) VALUES (?, ?, ?, 0, 0, ?) RETURNING table_id",
      [databaseId, name, createdAt, definition],
    );
    this.forget();
    return (row as [number])[0];
  }

  changeTable(table: Table, record: TableRecord): void {
    const definition = JSON.stringify(record);
    this.#rejectTooLongDefinitions(definition.length - JSON.stringify(table.record).length);
    this.statements.run("UPDATE sql_tables SET definition = ? WHERE table_id = ?", [definition, table.id]);
    this.forget();
  }

  #rejectTooManyDefinitions(): void {
    const [count] = this.statements.first(
      "SELECT (SELECT count(*) FROM sql_tables) + (SELECT count(*) FROM sql_indexes)",
    ) as [number];
    if (count >= maxDefinitions)
      throw createSqlValidationError(
        `the databases have ${count} tables and indexes`,
        `All databases together can have at most ${maxDefinitions} tables and indexes. Drop some.`,
      );
  }

  /** @param growth the growth of all definitions */
  #rejectTooLongDefinitions(growth: number): void {
    if (growth <= 0) return;
    const [length] = this.statements.first("SELECT total(octet_length(definition)) FROM sql_tables") as [
      number,
    ];
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

  /** Finds the name of the table that has an index. */
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
    this.#rejectTooManyDefinitions();
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
