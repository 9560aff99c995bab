import { stringifyJson } from "../json/stringify-json.js";
import { createSqlValidationError } from "./grammar/sql-error.js";
import type { ValueGetter } from "./compile-value.js";
import type { SqlQuery } from "./sql-request.js";
import type { InputValue, StoredValue } from "./types/codec.js";

/** The values of a statement may be this much longer than the statement and its parameters. */
const maxExpansion = 8 * 1024 * 1024;

/**
 * Limits the characters of all values in one run of a statement. Values can be longer than the statement, because a DECIMAL
 * in a collection, such as `1e300`, is written with all its digits.
 */
export class ValueBudget {
  #length = 0;
  #maximum = maxExpansion;
  /** Whether the maximum includes the length of the query. It is computed only if necessary. */
  #includesQuery = false;

  constructor(private readonly query: SqlQuery) {}

  /** Returns the value. @throws SqlError SQL_VALIDATION_ERROR if the values are too long */
  spend<Value extends StoredValue | null>(value: Value): Value {
    if (typeof value !== "string") return value;
    this.#length += value.length;
    if (this.#length > this.#maximum) this.#assertFits();
    return value;
  }

  /** Evaluates values. @throws SqlError SQL_VALIDATION_ERROR if they are too long */
  evaluate(getters: readonly ValueGetter[], parameters: readonly InputValue[]): StoredValue[] {
    return getters.map((getValue) => this.spend(getValue(parameters)));
  }

  #assertFits(): void {
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
