import type { Database } from "sql.js";
import { PooledCache, statementPool } from "../memory/cache-pool.js";
import { type Parameter, PreparedStatement } from "../sqlite/statement.js";
import { SqlError } from "./grammar/sql-error.js";
import type { StoredValue } from "./types/codec.js";

/** SQLite's error for a duplicate value in a primary key or unique index. */
export class UniqueViolationError extends Error {
  override readonly name = "UniqueViolationError";
}

/** Approximate memory of a prepared statement for each character of its text. */
const bytesPerCharacter = 40;

export type Row = readonly (StoredValue | null)[];

/** Runs statements on a sql.js database, and caches prepared statements. */
export class StatementCache {
  readonly #statements = new PooledCache<PreparedStatement<readonly Parameter[], Row>>({
    pool: statementPool,
    countBytes: (sql) => bytesPerCharacter * sql.length,
    forget: (statement) => statement.free(),
  });

  constructor(private readonly database: Database) {}

  /** Runs a statement that returns no rows. @throws UniqueViolationError */
  run(sql: string, values: Row = []): void {
    // Unlike `PreparedStatement.run`, this frees the memory of the values, which the cache does not count.
    this.visit(sql, values, () => true);
  }

  first(sql: string, values: Row = []): Row | undefined {
    return this.#with(sql, (statement) => statement.first(...values));
  }

  all(sql: string, values: Row = []): Row[] {
    return this.#with(sql, (statement) => statement.all(...values));
  }

  /** Visits the rows one by one, until `visit` returns false. Returns whether it did. */
  visit(sql: string, values: Row, visit: (row: Row) => boolean): boolean {
    return this.#with(sql, (statement) => statement.visit(visit, ...values));
  }

  /** Defines a table or index. The statement is not cached. */
  define(sql: string): void {
    this.clear();
    translateErrors(() => this.database.run(sql));
  }

  clear(): void {
    this.#statements.clear();
  }

  #with<Result>(
    sql: string,
    use: (statement: PreparedStatement<readonly Parameter[], Row>) => Result,
  ): Result {
    return translateErrors(() =>
      use(this.#statements.get(sql, () => new PreparedStatement(this.database, sql, (row) => row))),
    );
  }
}

function translateErrors<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof SqlError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    if (message.startsWith("UNIQUE constraint failed")) throw new UniqueViolationError(message);
    throw new SqlError("SQL_EXECUTION_ERROR", "the statement failed", message);
  }
}
