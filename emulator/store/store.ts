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
const storeOverheadBytes = 300 * 1024;
/** The pages are counted again after this many bytes of requests, because counting takes longer than some requests. */
const recountBytes = 64 * 1024;
/** Maximum size that a request may write in addition to its body. */
const requestOverheadBytes = 1024;

/** Half of SQLite's default. A namespace has a page for each table and index, and most of them are empty. */
const initialPageBytes = 2048;

/** The whole state of one namespace: one SQLite database in memory, with its prepared statements. */
export class Store {
  readonly #database: Database;
  readonly #open: () => void;
  readonly #begin: () => void;
  readonly #release: () => void;
  readonly #rollBack: () => void;
  readonly #commit: () => void;
  /** Whether SQLite has an open transaction. */
  #isOpen = false;
  /** Whether {@link transaction} is running. */
  #isInTransaction = false;
  readonly #countPageBytes: () => number;
  readonly #budget: MemoryBudget | undefined;
  /** Bytes that the budget counts for this store. */
  #counted = 0;
  /** Bytes that requests have reserved since the pages were counted. */
  #uncounted = 0;
  #holders = 0;
  #mustClose = false;
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
    const begin = statements.commandKeepingCaches<[]>("BEGIN");
    const commit = statements.commandKeepingCaches<[]>("COMMIT");
    const savepoint = statements.commandKeepingCaches<[]>("SAVEPOINT work");
    const release = statements.commandKeepingCaches<[]>("RELEASE work");
    const rollback = statements.commandKeepingCaches<[]>("ROLLBACK TO work");
    this.#open = () => {
      // Uncommitted changes need memory, and SQLite rolls them back if there is no more memory.
      if (this.#isLarge()) this.#commit();
      if (!this.#isOpen) begin.run();
      this.#isOpen = true;
    };
    this.#begin = () => {
      this.#open();
      // The pending changes belong to earlier requests.
      this.#flushCounters();
      savepoint.run();
      this.#isInTransaction = true;
      statements.canRollBack = true;
    };
    this.#release = () => {
      this.#isInTransaction = false;
      statements.canRollBack = false;
      release.run();
    };
    this.#rollBack = () => {
      this.#isInTransaction = false;
      statements.canRollBack = false;
      try {
        rollback.run();
        release.run();
      } catch {
        // SQLite has already rolled back, because it has no more memory.
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
    this.#countPageBytes = () => (pages.first() ?? 0) * pageSize;
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

  /** Creates an empty state. */
  static create(sqlite: SqlJsStatic): Store {
    const database = openDatabase(sqlite);
    database.run(`PRAGMA page_size=${initialPageBytes}`);
    database.run(tablesSql);
    return new Store(database, 0, initialPageBytes);
  }

  /** Opens a state that {@link export} has written. @throws a problem `limit-reached` if the budget has no room for it */
  static open(sqlite: SqlJsStatic, bytes: Uint8Array, budget?: MemoryBudget): Store {
    budget?.assertRoom(getMemoryBytes(bytes.length));
    return new Store(openDatabase(sqlite, bytes), bytes.length, readPageSize(bytes), budget);
  }

  /** Reserves the bytes that a request is going to write. @throws a problem `limit-reached` */
  reserve(bytes: number): void {
    if (this.#budget === undefined) return;
    this.#uncounted += bytes + requestOverheadBytes;
    if (this.#uncounted < recountBytes && !this.#budget.isNearlyFull) return;
    this.#uncounted = 0;
    const size = this.size();
    this.#count(size);
    if (size + bytes > getMaxStateBytes()) throw createStateLimitProblem();
    this.#budget.assertRoom(bytes);
  }

  #count(size: number): void {
    const bytes = getMemoryBytes(size);
    this.#budget?.change(bytes - this.#counted);
    this.#counted = bytes;
  }

  /**
   * Runs work as a transaction, which is rolled back if the work throws. Inside another transaction, the work is part of that
   * transaction.
   *
   * For SQLite, it is a savepoint in a transaction that stays open until the state is exported, because a commit would copy
   * every changed page.
   */
  transaction<Result>(work: () => Result): Result {
    if (this.#isInTransaction) return work();
    this.#begin();
    const sizeBefore = this.#isLarge() ? this.size() : Infinity;
    let result: Result;
    try {
      result = work();
      // Pages may take several times the bytes that were reserved. A transaction that only deletes frees no page.
      if (sizeBefore !== Infinity && this.size() > Math.max(sizeBefore, getMaxStateBytes()))
        throw createStateLimitProblem();
    } catch (error) {
      this.#rollBack();
      if (!this.#isOpen) throw createHeapProblem();
      throw error;
    }
    this.#release();
    return result;
  }

  /** Whether one request may make the state too large. A request writes less than three quarters of the maximum. */
  #isLarge(): boolean {
    return this.#budget !== undefined && this.#counted > emulatorLimits.stateBytes / 4;
  }

  /** Runs work for its result, and rolls back what it writes. */
  preview<Result>(work: () => Result): Result {
    // The work may replace the counts in memory by those of another period.
    this.single(() => this.requestCounts.flush());
    this.#begin();
    try {
      return work();
    } finally {
      this.databases.clear();
      this.repositories.clear();
      this.#rollBack();
    }
  }

  /** Runs work that cannot fail after its first write, and needs no rollback. */
  single<Result>(work: () => Result): Result {
    this.#open();
    return work();
  }

  /** Exports the state as the bytes of a SQLite file. This is not possible inside a transaction. */
  export(): Uint8Array {
    this.#flushCounters();
    this.requestCounts.flush();
    this.#commit();
    return this.#database.export();
  }

  /** Bytes that the budget counts for this store. */
  get countedBytes(): number {
    return this.#counted;
  }

  #flushCounters(): void {
    this.databases.flush();
    this.repositories.flush();
  }

  /** Size of the state. */
  size(): number {
    return this.#countPageBytes();
  }

  /** Keeps the store open until {@link release}, for a request that waits, even if the namespace is reset. */
  hold(): void {
    this.#holders += 1;
  }

  get isHeld(): boolean {
    return this.#holders > 0;
  }

  release(): void {
    this.#holders -= 1;
    this.#closeIfUnused();
  }

  /** Frees the memory as soon as no request holds the store. */
  close(): void {
    this.#mustClose = true;
    this.#closeIfUnused();
  }

  #closeIfUnused(): void {
    if (!this.#mustClose || this.#holders > 0) return;
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

/** Returns the memory of an open store with this many bytes of pages. The newest pages exist twice. */
export function getMemoryBytes(size: number): number {
  return storeOverheadBytes + size + Math.min(size, pageCacheBytes);
}
