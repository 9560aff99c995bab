import * as column from "../sqlite/columns.js";
import { type RowOf, RowStatements, StateTable } from "../sqlite/state-table.js";
import type { PreparedStatements } from "../sqlite/statement.js";

export const usersTable = new StateTable("users", {
  userId: column.text("PRIMARY KEY"),
  email: column.text("UNIQUE"),
  name: column.text(),
  avatarUrl: column.nullable(column.text()),
  passwordHash: column.text(),
  emailVerified: column.flag(),
  mfaRequired: column.flag(),
  personalOrganizationId: column.text(),
  createdAt: column.timestamp(),
});
export type UserRow = RowOf<typeof usersTable>;

/** Users. Email addresses have the form that {@link normalizeEmail} returns. */
export function prepareUserStatements(statements: PreparedStatements) {
  const users = new RowStatements(statements, usersTable);
  return {
    byEmail: users.one<[string]>("WHERE email = ?"),
    byId: statements.remember(["users"], users.one<[string]>("WHERE user_id = ?")),
    all: users.list<[]>("ORDER BY created_at, user_id"),
    insert: users.insert(),
    remove: statements.write<[string]>("DELETE FROM users WHERE user_id = ?"),
  };
}

/** Converts an email address to the form that is stored and compared. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}
