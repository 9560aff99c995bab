import * as column from "../sqlite/columns.js";
import { RowStatements, StateTable } from "../sqlite/state-table.js";
import type { PreparedStatements } from "../sqlite/statement.js";

/** The stored responses to transactions. */
export const transactionTokensTable = new StateTable("transaction_tokens", {
  databaseRef: column.inPrimaryKey(column.integer("REFERENCES databases (ref)")),
  kind: column.inPrimaryKey(column.text<"get" | "write">()),
  token: column.inPrimaryKey(column.text()),
  bodyHash: column.text(),
  status: column.integer(),
  /** The body of the response. */
  body: column.longText(),
  expiresAt: column.timestamp(),
});

/** Stored responses to transactions, by database, kind and token. */
export function prepareTransactionTokenStatements(statements: PreparedStatements) {
  const tokens = new RowStatements(statements, transactionTokensTable);
  return {
    /** Counts the characters of all stored responses. */
    characters: statements.number<[]>("SELECT sum(length(body)) FROM transaction_tokens"),
    find: tokens.one<[databaseRef: number, kind: "get" | "write", token: string]>(
      "WHERE database_ref = ? AND kind = ? AND token = ?",
    ),
    insert: tokens.insert(),
    removeExpired: statements.write<[now: number]>("DELETE FROM transaction_tokens WHERE expires_at <= ?"),
  };
}
