import { CachePool, PooledCache } from "../memory/cache-pool.js";
import type { Database, SqlValue, Statement as SqlStatement } from "sql.js";

/** A page ends with the row that takes it above this size, because its response is built in memory. */
export const maxPageBytes = 32 * 1024 * 1024;

/** The rows of a page, and whether there are rows after them. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/** A bound value of a statement: text, number, bytes or NULL. */
export type Parameter = string | number | Uint8Array | null;

/**
 * One SQL statement, prepared at its first use and kept until its cache or its database frees it. Rows are read by
 * position, which costs half of what reading them by name does.
 */
export class PreparedStatement<Parameters extends readonly Parameter[], Row = never> {
  #prepared: SqlStatement | undefined;

  /** @param ran called after every run of a statement that returns no rows */
  constructor(
    private readonly database: Database,
    private readonly sql: string,
    private readonly read: (row: SqlValue[]) => Row,
    private readonly ran: () => void = () => undefined,
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

  /** All rows, in order. */
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
      // a statement that ran to its end needs no reset; it gets one with its next values
      if (prepared.step()) prepared.reset();
    } catch (error) {
      prepared.reset();
      throw error;
    } finally {
      this.ran();
    }
  }

  /** Runs a statement and counts the rows it changed. */
  change(...parameters: Parameters): number {
    this.run(...parameters);
    return this.database.getRowsModified();
  }

  /** Frees the statement, whose cache gives it up. */
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

/**
 * Makes the statements of one database: queries, commands (which return no rows), and readers that remember what
 * they found until a table they read is written.
 */
export class PreparedStatements {
  /** Whether what is written now may be undone by {@link Store.transaction}. */
  canUndo = false;
  readonly #readers: { readonly tables: readonly string[]; readonly forget: () => void }[] = [];

  constructor(private readonly database: Database) {}

  query<Parameters extends readonly Parameter[], Row>(
    sql: string,
    read: (row: SqlValue[]) => Row,
  ): PreparedStatement<Parameters, Row> {
    return new PreparedStatement(this.database, sql, read);
  }

  /** A function that reads the first row. */
  one<Parameters extends readonly Parameter[], Row>(
    sql: string,
    read: (row: SqlValue[]) => Row,
  ): Query<Parameters, Row | undefined> {
    const statement = this.query<Parameters, Row>(sql, read);
    return (...parameters) => statement.first(...parameters);
  }

  /** A function that reads all rows. */
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
    // a namespace has forty of them and runs few
    let table: string | undefined;
    return this.#writer(sql, () => this.#forget((table ??= tableOf(sql))));
  }

  /** A statement that clears no cached rows: it writes only counters or nothing, or the caller clears them. */
  quiet<Parameters extends readonly Parameter[]>(sql: string): PreparedStatement<Parameters> {
    return this.#writer(sql, () => undefined);
  }

  /** Calls `forget` when one of these tables changes. */
  watch(tables: readonly string[], forget: () => void): void {
    this.#readers.push({ tables, forget });
  }

  /** Remembers what a reader of these tables found, until one of them is written or a transaction is undone. */
  remember<Value>(tables: readonly string[], read: (key: string) => Value): (key: string) => Value {
    const known = new PooledCache<Value>({ pool: new CachePool(maxCached) });
    this.watch(tables, () => known.clear());
    return (key) => known.get(key, () => read(key));
  }

  /** The earliest time in a column, `Infinity` without one. It is remembered until the table is written. */
  earliest(table: string, column: string, condition = ""): () => number {
    const read = this.one<[], number | null>(
      `SELECT MIN(${column}) FROM ${table} ${condition}`,
      (row) => row[0] as number | null,
    );
    let known: number | undefined;
    this.watch([table], () => (known = undefined));
    return () => (known ??= read() ?? Infinity);
  }

  /** Forgets everything remembered, for a transaction that is undone. */
  forgetAll(): void {
    for (const { forget } of this.#readers) forget();
  }

  #forget(table: string): void {
    for (const { tables, forget } of this.#readers) if (tables.includes(table)) forget();
  }

  #writer<Parameters extends readonly Parameter[]>(
    sql: string,
    written: () => void,
  ): PreparedStatement<Parameters> {
    return new PreparedStatement(
      this.database,
      sql,
      () => {
        throw new Error("rows were read from a statement that returns none");
      },
      written,
    );
  }
}

/** The table that a command writes. */
function tableOf(sql: string): string {
  const table = /^(?:INSERT(?: OR \w+)? INTO|REPLACE INTO|UPDATE|DELETE FROM) (\w+)/.exec(sql)?.[1];
  if (table === undefined) throw new Error(`${sql} writes no table`);
  return table;
}
