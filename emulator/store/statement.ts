import type { Database, SqlValue, Statement as SqlStatement } from "sql.js";

/** What a statement can be given: text, numbers, bytes or NULL. */
export type Parameter = string | number | Uint8Array | null;

/**
 * One SQL statement, prepared at its first use and kept as long as the database is open. Rows are read by
 * position, which costs half of what reading them by name does.
 */
export class Statement<Parameters extends readonly Parameter[], Row = never> {
  readonly #database: Database;
  readonly #sql: string;
  readonly #read: (row: SqlValue[]) => Row;
  #prepared: SqlStatement | undefined;

  constructor(database: Database, sql: string, read: (row: SqlValue[]) => Row) {
    this.#database = database;
    this.#sql = sql;
    this.#read = read;
  }

  /** The first row, or nothing. */
  first(...parameters: Parameters): Row | undefined {
    const prepared = this.#bind(parameters);
    try {
      return prepared.step() ? this.#read(prepared.get()) : undefined;
    } finally {
      prepared.reset();
    }
  }

  /** All rows, in order. */
  all(...parameters: Parameters): Row[] {
    const prepared = this.#bind(parameters);
    try {
      const rows: Row[] = [];
      while (prepared.step()) rows.push(this.#read(prepared.get()));
      return rows;
    } finally {
      prepared.reset();
    }
  }

  /** Rows one by one, for readers that stop early; the statement is reset when the loop ends. */
  *each(...parameters: Parameters): Generator<Row, void, undefined> {
    const prepared = this.#bind(parameters);
    try {
      while (prepared.step()) yield this.#read(prepared.get());
    } finally {
      prepared.reset();
    }
  }

  /** Runs a statement that returns no rows. */
  run(...parameters: Parameters): void {
    const prepared = this.#bind(parameters);
    try {
      prepared.step();
    } finally {
      prepared.reset();
    }
  }

  /** Runs a statement and counts the rows it changed. */
  change(...parameters: Parameters): number {
    this.run(...parameters);
    return this.#database.getRowsModified();
  }

  #bind(parameters: Parameters): SqlStatement {
    const prepared = (this.#prepared ??= this.#database.prepare(this.#sql));
    prepared.bind(parameters as unknown as SqlValue[]);
    return prepared;
  }
}

/** Makes the statements of one database; `command` is for those whose rows nobody reads. */
export class Statements {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  query<Parameters extends readonly Parameter[], Row>(
    sql: string,
    read: (row: SqlValue[]) => Row,
  ): Statement<Parameters, Row> {
    return new Statement(this.#database, sql, read);
  }

  command<Parameters extends readonly Parameter[]>(sql: string): Statement<Parameters> {
    return new Statement(this.#database, sql, () => {
      throw new Error("a command returns no rows");
    });
  }
}
