import { castToTextSql, encodeUtf8View } from "../sqlite/long-text.js";
import { RowMapping } from "../sqlite/row-mapping.js";
import type { PreparedStatements } from "../sqlite/statement.js";

/** The stored result of a transaction. */
export interface TransactionOutcome {
  readonly bodyHash: string;
  readonly status: number;
  /** The body of the answer as it was sent. */
  readonly body: string;
  readonly expiresAt: number;
}

/** Transactions that were answered in the last 10 minutes, by database, kind and token. */
export function prepareTransactionTokenStatements(statements: PreparedStatements) {
  const form = new RowMapping<TransactionOutcome>("body_hash, status, body, expires_at");
  const insert = statements.command<[number, string, string, string, number, string | Uint8Array, number]>(
    `INSERT INTO transaction_tokens (database_ref, kind, token, ${form.columns}) VALUES (?, ?, ?, ?, ?, ${castToTextSql}, ?)`,
  );
  return {
    /** Characters of all answers. */
    characters: statements.number<[]>("SELECT sum(length(body)) FROM transaction_tokens"),
    find: statements.one<[databaseRef: number, kind: "get" | "write", token: string], TransactionOutcome>(
      `SELECT ${form.columns} FROM transaction_tokens WHERE database_ref = ? AND kind = ? AND token = ?`,
      form.read,
    ),
    insert: (databaseRef: number, kind: "get" | "write", token: string, outcome: TransactionOutcome) =>
      insert.run(
        databaseRef,
        kind,
        token,
        outcome.bodyHash,
        outcome.status,
        encodeUtf8View(outcome.body),
        outcome.expiresAt,
      ),
    /** Deletes expired results. */
    forget: statements.write<[now: number]>("DELETE FROM transaction_tokens WHERE expires_at <= ?"),
  };
}
