import { longTextColumn, RowMapping, RowStatements } from "../sqlite/row-mapping.js";
import type { PreparedStatements } from "../sqlite/statement.js";

/** The stored result of a transaction. */
interface TransactionTokenRow {
  readonly databaseRef: number;
  readonly kind: "get" | "write";
  readonly token: string;
  readonly bodyHash: string;
  readonly status: number;
  /** The body of the response. */
  readonly body: string;
  readonly expiresAt: number;
}

const mapping = new RowMapping<TransactionTokenRow>(
  "transaction_tokens",
  "database_ref, kind, token, body_hash, status, body, expires_at",
  { body: longTextColumn },
);

/** Stored responses to transactions, by database, kind and token. */
export function prepareTransactionTokenStatements(statements: PreparedStatements) {
  const tokens = new RowStatements(statements, mapping);
  return {
    /** Counts the characters of all stored responses. */
    characters: statements.number<[]>("SELECT sum(length(body)) FROM transaction_tokens"),
    find: tokens.one<[databaseRef: number, kind: TransactionTokenRow["kind"], token: string]>(
      "WHERE database_ref = ? AND kind = ? AND token = ?",
    ),
    insert: tokens.insert(),
    removeExpired: statements.write<[now: number]>("DELETE FROM transaction_tokens WHERE expires_at <= ?"),
  };
}
