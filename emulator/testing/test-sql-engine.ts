import type { Profile } from "../../openapi/gaps/profile.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { isJsonArray, type JsonObject, type JsonValue } from "../json/json-value.js";
import { parseJson } from "../json/parse-json.js";
import { loadSqlite } from "../sqlite/sqlite.js";
import { sqlCatalogSchema } from "../sql/catalog.js";
import { SqlEngine } from "../sql/sql-engine.js";
import { SqlError } from "../sql/grammar/sql-error.js";
import type { SqlContext, SqlPermission, SqlQuery, SqlResult } from "../sql/sql-request.js";

const SQL = await loadSqlite();

/** An SQL engine with its own database, for tests. */
export class TestSqlEngine {
  readonly database = new SQL.Database();
  readonly engine: SqlEngine;
  /** The bytes that statements have reserved. */
  readonly reserved: number[] = [];
  profile: Profile = defaultProfile;
  databaseId = "db_1";

  constructor(profile: Partial<Profile> = {}) {
    for (const pragma of ["locking_mode=EXCLUSIVE", "journal_mode=MEMORY", "synchronous=OFF"])
      this.database.run(`PRAGMA ${pragma}`);
    this.database.run(sqlCatalogSchema);
    this.engine = new SqlEngine(this.database, (bytes) => this.reserved.push(bytes));
    this.profile = { ...defaultProfile, ...profile };
  }

  context(may: SqlPermission = "admin"): SqlContext {
    return {
      databaseId: this.databaseId,
      permission: may,
      now: "2030-01-01T00:00:00.000Z",
      profile: this.profile,
    };
  }

  /** Runs a definition in a transaction, like the store. */
  execute(sql: string, may?: SqlPermission) {
    return this.transaction(() => this.engine.execute(sql, this.context(may)));
  }

  /** Runs a statement in a transaction. An array of parameters is named "0", "1", … */
  query(
    sql: string,
    parameters: JsonObject | readonly JsonValue[] = {},
    rest: Partial<SqlQuery> = {},
  ): SqlResult {
    const named = isJsonArray(parameters)
      ? new Map(parameters.map((value, index) => [String(index), value]))
      : parameters;
    return this.transaction(() => this.engine.query({ sql, parameters: named, ...rest }, this.context()));
  }

  /** The rows of a SELECT, parsed without loss. */
  rows(
    sql: string,
    parameters: JsonObject | readonly JsonValue[] = {},
    rest: Partial<SqlQuery> = {},
  ): JsonValue {
    return parseJson(this.query(sql, parameters, rest).rowsJson, { maxDepth: 100 });
  }

  /** The size of all rows, as the catalog counts it. */
  countBytes(): number {
    return Number(this.database.exec("SELECT total(bytes) FROM sql_tables")[0]?.values[0]?.[0]);
  }

  /** Returns the error of a statement, which has one of the six codes. */
  refusal(work: () => unknown): Pick<SqlError, "code" | "message" | "details"> {
    try {
      work();
    } catch (error) {
      if (error instanceof SqlError)
        return { code: error.code, message: error.message, details: error.details };
      throw error;
    }
    throw new Error("not refused");
  }

  transaction<Result>(work: () => Result): Result {
    this.database.run("SAVEPOINT s");
    try {
      return work();
    } catch (error) {
      this.database.run("ROLLBACK TO s");
      this.engine.forget();
      throw error;
    } finally {
      this.database.run("RELEASE s");
    }
  }
}
