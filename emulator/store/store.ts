import type { Database, SqlJsStatic } from "sql.js";
import { SqlEngine } from "../sql/sql-engine.js";
import { prepareCredentialStatements } from "./credentials.js";
import { prepareDatabaseStatements } from "./databases.js";
import { prepareEntityStatements } from "./entities.js";
import { prepareItemStatements } from "./items.js";
import { createHeapProblem, type MemoryBudget } from "./memory-budget.js";
import { prepareMetaStatements, preparePasswordStatements } from "./meta.js";
import { prepareOrderStatements } from "./orders.js";
import { prepareOrganizationStatements } from "./organizations.js";
import { prepareRequestCountStatements } from "./request-counts.js";
import { prepareRepositoryStatements } from "./repositories.js";
import { tablesSql } from "./schema.js";
import { Problem } from "../domain/problem.js";
import { emulatorLimits } from "../memory/limits.js";
import { pageCacheBytes, openDatabase, readPageSize } from "../sqlite/sqlite.js";
import { PreparedStatements } from "../sqlite/statement.js";
import { prepareSubscriptionStatements } from "./subscriptions.js";
import { prepareTransactionTokenStatements } from "./transaction-tokens.js";
import { prepareUserStatements } from "./users.js";

/** Approximate memory of an open store without its pages. */
const bytesOfStore = 300 * 1024;
/** After how many bytes of requests the pages are counted again, which takes longer than some requests do. */
const countEvery = 64 * 1024;
/** Maximum size that a request may write in addition to its body. */
const bytesOfRequest = 1024;

/** A namespace has a page for each table and index, mostly an empty one; SQLite's 4 KiB would take twice as much. */
const emptyPageBytes = 2048;

/** The whole state of one namespace: one SQLite database in memory, with its prepared statements. */
export class Store {
  readonly #database: Database;
  readonly #open: () => void;
  readonly #begin: () => void;
  readonly #keep: () => void;
  readonly #undo: () => void;
  readonly #commit: () => void;
  #isOpen = false;
  #isInTransaction = false;
  readonly #size: () => number;
  readonly #budget: MemoryBudget | undefined;
  /** Bytes that the budget counts for this store. */
  #counted = 0;
  #uncounted = 0;
  #holders = 0;
  #isLeft = false;
  readonly meta: ReturnType<typeof prepareMetaStatements>;
  readonly passwords: ReturnType<typeof preparePasswordStatements>;
  readonly users: ReturnType<typeof prepareUserStatements>;
  readonly organizations: ReturnType<typeof prepareOrganizationStatements>;
  readonly credentials: ReturnType<typeof prepareCredentialStatements>;
  readonly subscriptions: ReturnType<typeof prepareSubscriptionStatements>;
  readonly orders: ReturnType<typeof prepareOrderStatements>;
  readonly requestCounts: ReturnType<typeof prepareRequestCountStatements>;
  readonly databases: ReturnType<typeof prepareDatabaseStatements>;
  readonly items: ReturnType<typeof prepareItemStatements>;
  readonly repositories: ReturnType<typeof prepareRepositoryStatements>;
  readonly entities: ReturnType<typeof prepareEntityStatements>;
  readonly transactionTokens: ReturnType<typeof prepareTransactionTokenStatements>;
  /** Tables of the databases. */
  readonly sql: SqlEngine;

  /** @param size bytes of the pages of the database, of which each has `pageSize` */
  private constructor(database: Database, size: number, pageSize: number, budget?: MemoryBudget) {
    this.#database = database;
    this.#budget = budget;
    const statements = new PreparedStatements(database);
    const open = statements.quiet<[]>("BEGIN");
    const commit = statements.quiet<[]>("COMMIT");
    const mark = statements.quiet<[]>("SAVEPOINT work");
    const release = statements.quiet<[]>("RELEASE work");
    const rollback = statements.quiet<[]>("ROLLBACK TO work");
    this.#open = () => {
      // if the heap of all namespaces runs out, SQLite rolls back everything uncommitted, and keeps large changes there
      if (this.#isLarge()) this.#commit();
      if (!this.#isOpen) open.run();
      this.#isOpen = true;
    };
    this.#begin = () => {
      this.#open();
      // what is in memory belongs to requests before this one
      this.#flushFigures();
      mark.run();
      this.#isInTransaction = true;
      statements.canUndo = true;
    };
    this.#keep = () => {
      this.#isInTransaction = false;
      statements.canUndo = false;
      release.run();
    };
    this.#undo = () => {
      this.#isInTransaction = false;
      statements.canUndo = false;
      try {
        rollback.run();
        release.run();
      } catch {
        // SQLite has rolled back already, for lack of memory
        this.#isOpen = false;
      }
      statements.forgetAll();
      this.sql.forget();
    };
    this.#commit = () => {
      if (this.#isOpen) commit.run();
      this.#isOpen = false;
    };
    const pages = statements.query<[], number>("PRAGMA page_count", (row) => row[0] as number);
    this.#size = () => (pages.first() ?? 0) * pageSize;
    this.meta = prepareMetaStatements(statements);
    this.passwords = preparePasswordStatements(this.meta);
    this.users = prepareUserStatements(statements);
    this.organizations = prepareOrganizationStatements(statements);
    this.credentials = prepareCredentialStatements(statements);
    this.subscriptions = prepareSubscriptionStatements(statements);
    this.orders = prepareOrderStatements(statements);
    this.requestCounts = prepareRequestCountStatements(statements, this.meta);
    this.sql = new SqlEngine(database, (bytes) => this.reserve(bytes));
    this.databases = prepareDatabaseStatements(statements, (databaseId) => this.sql.dropDatabase(databaseId));
    this.items = prepareItemStatements(statements);
    this.repositories = prepareRepositoryStatements(statements);
    this.entities = prepareEntityStatements(statements);
    this.transactionTokens = prepareTransactionTokenStatements(statements);
    this.#count(size);
  }

  /** An empty state. */
  static create(sqlite: SqlJsStatic): Store {
    const database = openDatabase(sqlite);
    database.run(`PRAGMA page_size=${emptyPageBytes}`);
    database.run(tablesSql);
    return new Store(database, 0, emptyPageBytes);
  }

  /**
   * The state that {@link Store.export} wrote.
   *
   * @throws a problem `limit-reached` where the budget has no room for it
   */
  static open(sqlite: SqlJsStatic, bytes: Uint8Array, budget?: MemoryBudget): Store {
    budget?.assertRoom(memoryOf(bytes.length));
    return new Store(openDatabase(sqlite, bytes), bytes.length, readPageSize(bytes), budget);
  }

  /**
   * Makes sure that a request may write so many bytes: those of its body, or more where it multiplies them. Called
   * before they are written.
   *
   * @throws a problem `limit-reached`
   */
  reserve(bytes: number): void {
    if (this.#budget === undefined) return;
    this.#uncounted += bytes + bytesOfRequest;
    if (this.#uncounted < countEvery && !this.#budget.isNearlyFull) return;
    this.#uncounted = 0;
    const size = this.size();
    this.#count(size);
    if (size + bytes > getMaxStateBytes()) throw createStateLimitProblem();
    this.#budget.assertRoom(bytes);
  }

  #count(size: number): void {
    const bytes = memoryOf(size);
    this.#budget?.change(bytes - this.#counted);
    this.#counted = bytes;
  }

  /**
   * Runs the work as a transaction, which is rolled back if the work throws. Inside another transaction, the work is
   * part of that one.
   *
   * To SQLite it is a savepoint in a transaction that stays open until the state is exported: nobody else sees the
   * database, and to commit means to copy every page that was written.
   */
  transaction<Result>(work: () => Result): Result {
    if (this.#isInTransaction) return work();
    this.#begin();
    const sizeBefore = this.#isLarge() ? this.size() : Infinity;
    let result: Result;
    try {
      result = work();
      // pages may take several times the bytes that were reserved; what only deletes frees no page
      if (sizeBefore !== Infinity && this.size() > Math.max(sizeBefore, getMaxStateBytes()))
        throw createStateLimitProblem();
    } catch (error) {
      this.#undo();
      if (!this.#isOpen) throw createHeapProblem();
      throw error;
    }
    this.#keep();
    return result;
  }

  /** Whether one request, which writes less than three quarters of the largest state, may make the state too large. */
  #isLarge(): boolean {
    return this.#budget !== undefined && this.#counted > emulatorLimits.stateBytes / 4;
  }

  /** Runs work for its result, and rolls back what it writes. */
  preview<Result>(work: () => Result): Result {
    this.#begin();
    try {
      return work();
    } finally {
      this.databases.clear();
      this.repositories.clear();
      this.#undo();
    }
  }

  /** Runs work that writes only after everything that may fail, and needs no rollback. */
  single<Result>(work: () => Result): Result {
    this.#open();
    return work();
  }

  /** The state as the bytes of a SQLite file; not possible inside a transaction. */
  export(): Uint8Array {
    this.#flushFigures();
    this.requestCounts.flush();
    this.#commit();
    return this.#database.export();
  }

  /** Writes the figures that single writes have left in memory. */
  #flushFigures(): void {
    this.databases.flush();
    this.repositories.flush();
  }

  /** Size of the state. */
  size(): number {
    return this.#size();
  }

  /**
   * Keeps the store usable until {@link release}, for a request that waits: a reset in the meantime leaves it to the
   * requests that began in it.
   */
  hold(): void {
    this.#holders += 1;
  }

  get isHeld(): boolean {
    return this.#holders > 0;
  }

  release(): void {
    this.#holders -= 1;
    this.#closeIfLeft();
  }

  /** Frees the memory as soon as the store has no holder. */
  close(): void {
    this.#isLeft = true;
    this.#closeIfLeft();
  }

  #closeIfLeft(): void {
    if (!this.#isLeft || this.#holders > 0) return;
    this.sql.forget();
    this.#database.close();
    this.#budget?.change(-this.#counted);
  }
}

function getMaxStateBytes(): number {
  return emulatorLimits.stateBytes - emulatorLimits.spareStateBytes;
}

function createStateLimitProblem(): Problem {
  return new Problem(
    "limit-reached",
    `A namespace's data can take up at most ${getMaxStateBytes()} bytes. Reset the namespace, or distribute the data across several namespaces.`,
  );
}

/** The memory of an open store with this many bytes of pages: the newest pages exist twice. */
function memoryOf(size: number): number {
  return bytesOfStore + size + Math.min(size, pageCacheBytes);
}
