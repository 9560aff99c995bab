import type { Profile } from "../../openapi/gaps/profile.js";
import { booleanColumn, RowMapping } from "../sqlite/row-mapping.js";
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

const form = new RowMapping<UserRow>(
  "user_id, email, name, avatar_url, password_hash, email_verified, mfa_required, personal_organization_id, created_at",
  { emailVerified: booleanColumn, mfaRequired: booleanColumn },
);

/** Users; e-mail addresses are given in the form of {@link normalizeEmail}. */
export function prepareUserStatements(statements: PreparedStatements) {
  const { columns, markers, read } = form;
  const byId = statements.one<[string], UserRow>(`SELECT ${columns} FROM users WHERE user_id = ?`, read);
  const insert = statements.write(`INSERT INTO users (${columns}) VALUES (${markers})`);
  return {
    byEmail: statements.one<[string], UserRow>(`SELECT ${columns} FROM users WHERE email = ?`, read),
    byId: statements.remember(["users"], byId),
    all: statements.list<[], UserRow>(`SELECT ${columns} FROM users ORDER BY created_at, user_id`, read),
    insert: (user: UserRow) => insert(...form.values(user)),
    remove: statements.write<[string]>("DELETE FROM users WHERE user_id = ?"),
  };
}

/** The form in which e-mail addresses are stored and compared (gap `email-case`). */
export function normalizeEmail(email: string, profile: Profile): string {
  const address = email.trim();
  return profile["email-case"] === "ignored" ? address.toLowerCase() : address;
}
