import { stringifyJson } from "../json/stringify-json.js";
import { createSqlValidationError } from "./grammar/sql-error.js";
import type { SqlQuery } from "./sql-request.js";
import type { StoredValue } from "./types/codec.js";

/** By how many characters the values of a statement may be longer than the statement and its parameters. */
const maxExpansion = 8 * 1024 * 1024;

/**
 * Counts the characters of all values in one run of a statement, before SQLite gets them: a DECIMAL in a collection is
 * given as `1e300` and written with all its digits.
 */
export class ValueBudget {
  #length = 0;
  #maximum = maxExpansion;
  /** Whether the maximum includes the length of the query, which is rarely needed. */
  #includesQuery = false;

  constructor(private readonly query: SqlQuery) {}

  /** Returns the value. @throws SqlError SQL_VALIDATION_ERROR if the values are too long */
  spend<Value extends StoredValue | null>(value: Value): Value {
    if (typeof value !== "string") return value;
    this.#length += value.length;
    if (this.#length > this.#maximum) this.#checkQuery();
    return value;
  }

  #checkQuery(): void {
    if (!this.#includesQuery) {
      const { sql, parameters = {} } = this.query;
      this.#maximum += sql.length + stringifyJson(parameters).length;
      this.#includesQuery = true;
    }
    if (this.#length > this.#maximum)
      throw createSqlValidationError(
        "the statement's values become much longer when their numbers are written without exponents",
        `Writing the numbers without exponents can add at most ${maxExpansion} characters. Use fewer values, or numbers with smaller exponents.`,
      );
  }
}
