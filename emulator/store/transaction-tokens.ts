import { textFromBytes, encodeText } from "../sqlite/long-text.js";
import type { Statements } from "../sqlite/statement.js";

/** The remembered outcome of a transaction. */
export interface TransactionOutcome {
  readonly bodyHash: string;
  readonly status: number;
  /** The body of the answer as it was sent. */
  readonly body: string;
  readonly expiresAt: number;
}

/** Transactions that were answered in the last 10 minutes, by database, kind and token. */
export function transactionTokenStatements(statements: Statements) {
  const find = statements.query<[number, string, string], TransactionOutcome>(
    "SELECT body_hash, status, body, expires_at FROM transaction_tokens WHERE database_ref = ? AND kind = ? AND token = ?",
    (row) => ({
      bodyHash: row[0] as string,
      status: row[1] as number,
      body: row[2] as string,
      expiresAt: row[3] as number,
    }),
  );
  const insert = statements.command<[number, string, string, string, number, string | Uint8Array, number]>(
    "INSERT INTO transaction_tokens (database_ref, kind, token, body_hash, status, body, expires_at) " +
      `VALUES (?, ?, ?, ?, ?, ${textFromBytes}, ?)`,
  );
  const forget = statements.command<[number]>("DELETE FROM transaction_tokens WHERE expires_at <= ?");
  const characters = statements.query<[], number>(
    "SELECT coalesce(sum(length(body)), 0) FROM transaction_tokens",
    (row) => row[0] as number,
  );
  return {
    /** Characters of all answers. */
    characters: () => characters.first() ?? 0,
    find: (databaseRef: number, kind: "get" | "write", token: string) => find.first(databaseRef, kind, token),
    insert: (databaseRef: number, kind: "get" | "write", token: string, outcome: TransactionOutcome) =>
      insert.run(
        databaseRef,
        kind,
        token,
        outcome.bodyHash,
        outcome.status,
        encodeText(outcome.body),
        outcome.expiresAt,
      ),
    /** Forgets those that have expired. */
    forget: (now: number) => forget.run(now),
  };
}
