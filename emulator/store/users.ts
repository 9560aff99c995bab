import { booleanColumn, RowMapping, RowStatements } from "../sqlite/row-mapping.js";
import type { PreparedStatements } from "../sqlite/statement.js";

/** A user as stored; times in milliseconds. */
export interface UserRow {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly avatarUrl: string | null;
  readonly passwordHash: string;
  readonly emailVerified: boolean;
  readonly mfaRequired: boolean;
  readonly personalOrganizationId: string;
  readonly createdAt: number;
}

const mapping = new RowMapping<UserRow>(
  "users",
  "user_id, email, name, avatar_url, password_hash, email_verified, mfa_required, personal_organization_id, created_at",
  { emailVerified: booleanColumn, mfaRequired: booleanColumn },
);

/** Users. Email addresses have the form that {@link normalizeEmail} returns. */
export function prepareUserStatements(statements: PreparedStatements) {
  const users = new RowStatements(statements, mapping);
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
