import { CachePool, PooledCache } from "../memory/cache-pool.js";
import type { Database, SqlValue, Statement as SqlStatement } from "sql.js";

/** A page ends with the row that takes it above this size, because no other request is handled while it is written. */
export const maxPageBytes = 16 * 1024 * 1024;

/** The rows of a page, and whether there are rows after them. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/** A bound value of a statement: text, number, bytes or NULL. */
export type Parameter = string | number | Uint8Array | null;

/**
 * One SQL statement, which is prepared at its first use. Rows are read by position, which takes half as long as by name.
 */
export class PreparedStatement<Parameters extends readonly Parameter[], Row = never> {
  #prepared: SqlStatement | undefined;

  /** @param onRun called after every run of a statement that returns no rows */
  constructor(
    private readonly database: Database,
    private readonly sql: string,
    private readonly read: (row: SqlValue[]) => Row,
    private readonly onRun: () => void = () => undefined,
  ) {}

  /** Returns the first row; undefined if there is none. */
  first(...parameters: Parameters): Row | undefined {
    let first: Row | undefined;
    this.visit(
      (row) => {
        first = row;
        return false;
      },
      ...parameters,
    );
    return first;
  }

  /** Returns all rows, in order. */
  all(...parameters: Parameters): Row[] {
    const rows: Row[] = [];
    this.visit((row) => rows.push(row), ...parameters);
    return rows;
  }

  /**
   * Reads up to `limit` rows, and none after the row with which they exceed {@link maxPageBytes}.
   *
   * @param parameters select at least one row more than the page may have, if there is one
   */
  page(limit: number, countBytes: (row: Row) => number, ...parameters: Parameters): Page<Row> {
    const rows: Row[] = [];
    let bytes = 0;
    const hasMore = this.visit(
      (row) => {
        if (rows.length === limit || bytes > maxPageBytes) return false;
        rows.push(row);
        bytes += countBytes(row);
        return true;
      },
      ...parameters,
    );
    return { rows, hasMore };
  }

  /**
   * Visits rows one by one, until `visit` returns false. This is not an iterable, which would be much slower.
   *
   * @returns whether `visit` returned false
   */
  visit(visit: (row: Row) => unknown, ...parameters: Parameters): boolean {
    const prepared = this.#bind(parameters);
    try {
      while (prepared.step()) if (visit(this.read(prepared.get())) === false) return true;
      return false;
    } finally {
      prepared.reset();
    }
  }

  /** Runs a statement that returns no rows. */
  run(...parameters: Parameters): void {
    const prepared = this.#bind(parameters);
    try {
      // A statement that has ended needs no reset. It is reset when its next values are bound.
      if (prepared.step()) prepared.reset();
    } catch (error) {
      prepared.reset();
      throw error;
    } finally {
      this.onRun();
    }
  }

  /** Runs a statement and counts the rows it changed. */
  change(...parameters: Parameters): number {
    this.run(...parameters);
    return this.database.getRowsModified();
  }

  free(): void {
    this.#prepared?.free();
  }

  #bind(parameters: Parameters): SqlStatement {
    const prepared = (this.#prepared ??= this.database.prepare(this.sql));
    prepared.bind(parameters as unknown as SqlValue[]);
    return prepared;
  }
}

/** A statement as a function of the values in it. */
export type Query<Parameters extends readonly Parameter[], Result> = (...parameters: Parameters) => Result;

/** Maximum number of entries in the cache of a reader. */
const maxCached = 1000;

/** Prepares the statements of one database: queries, commands (which return no rows), and cached readers. */
export class PreparedStatements {
  /** Whether {@link Store.transaction} is running, which may be rolled back. */
  canRollBack = false;
  readonly #readers: { readonly tables: readonly string[]; readonly forget: () => void }[] = [];

  constructor(private readonly database: Database) {}

  query<Parameters extends readonly Parameter[], Row>(
    sql: string,
    read: (row: SqlValue[]) => Row,
  ): PreparedStatement<Parameters, Row> {
    return new PreparedStatement(this.database, sql, read);
  }

  /** Creates a function that reads the first row. */
  one<Parameters extends readonly Parameter[], Row>(
    sql: string,
    read: (row: SqlValue[]) => Row,
  ): Query<Parameters, Row | undefined> {
    const statement = this.query<Parameters, Row>(sql, read);
    return (...parameters) => statement.first(...parameters);
  }

  /** Creates a function that reads all rows. */
  list<Parameters extends readonly Parameter[], Row>(
    sql: string,
    read: (row: SqlValue[]) => Row,
  ): Query<Parameters, Row[]> {
    const statement = this.query<Parameters, Row>(sql, read);
    return (...parameters) => statement.all(...parameters);
  }

  /** Creates a function that reads a number; 0 if there is none. */
  number<Parameters extends readonly Parameter[]>(sql: string): Query<Parameters, number> {
    const statement = this.query<Parameters, number>(sql, (row) => row[0] as number);
    return (...parameters) => statement.first(...parameters) ?? 0;
  }

  /** Creates a function that writes and clears the cache of its table. */
  write<Parameters extends readonly Parameter[]>(sql: string): Query<Parameters, void> {
    const statement = this.command<Parameters>(sql);
    return (...parameters) => statement.run(...parameters);
  }

  /** Creates a statement that writes and clears the cache of its table. */
  command<Parameters extends readonly Parameter[]>(sql: string): PreparedStatement<Parameters> {
    // The table is determined at the first run, because most commands never run.
    let table: string | undefined;
    return this.#writer(sql, () => this.#forget((table ??= getWrittenTable(sql))));
  }

  /** Creates a statement that clears no cache, because it writes only counters or nothing, or the caller clears the cache. */
  commandKeepingCaches<Parameters extends readonly Parameter[]>(sql: string): PreparedStatement<Parameters> {
    return this.#writer(sql, () => undefined);
  }

  /** Calls `forget` when one of these tables changes. */
  watch(tables: readonly string[], forget: () => void): void {
    this.#readers.push({ tables, forget });
  }

  /** Caches the results of a reader until one of its tables is written, or a transaction is rolled back. */
  remember<Value>(tables: readonly string[], read: (key: string) => Value): (key: string) => Value {
    const cache = new PooledCache<Value>({ pool: new CachePool(maxCached) });
    this.watch(tables, () => cache.clear());
    return (key) => cache.get(key, () => read(key));
  }

  /** Creates a cached reader of the earliest time in a column; `Infinity` if there is none. */
  earliest(table: string, column: string, condition = ""): () => number {
    const read = this.one<[], number | null>(
      `SELECT MIN(${column}) FROM ${table} ${condition}`,
      (row) => row[0] as number | null,
    );
    let cached: number | undefined;
    this.watch([table], () => (cached = undefined));
    return () => (cached ??= read() ?? Infinity);
  }

  /** Clears all caches, because a transaction was rolled back. */
  forgetAll(): void {
    for (const { forget } of this.#readers) forget();
  }

  #forget(table: string): void {
    for (const { tables, forget } of this.#readers) if (tables.includes(table)) forget();
  }

  #writer<Parameters extends readonly Parameter[]>(
    sql: string,
    onRun: () => void,
  ): PreparedStatement<Parameters> {
    return new PreparedStatement(
      this.database,
      sql,
      () => {
        throw new Error("rows were read from a statement that returns none");
      },
      onRun,
    );
  }
}

/** Returns the table that a command writes. */
function getWrittenTable(sql: string): string {
  const table = /^(?:INSERT(?: OR \w+)? INTO|REPLACE INTO|UPDATE|DELETE FROM) (\w+)/.exec(sql)?.[1];
  if (table === undefined) throw new Error(`${sql} writes no table`);
  return table;
}
