import type { SqlValue } from "sql.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { Statements } from "../sqlite/statement.js";

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

const columns =
  "user_id, email, name, avatar_url, password_hash, email_verified, mfa_required, personal_organization_id, created_at";

function readUser(row: SqlValue[]): UserRow {
  return {
    userId: row[0] as string,
    email: row[1] as string,
    name: row[2] as string,
    avatarUrl: row[3] as string | null,
    passwordHash: row[4] as string,
    emailVerified: row[5] === 1,
    mfaRequired: row[6] === 1,
    personalOrganizationId: row[7] as string,
    createdAt: row[8] as number,
  };
}

/** Users; e-mail addresses are given in the form of {@link storedEmail}. */
export function userStatements(statements: Statements) {
  const byEmail = statements.query<[string], UserRow>(
    `SELECT ${columns} FROM users WHERE email = ?`,
    readUser,
  );
  const byId = statements.query<[string], UserRow>(
    `SELECT ${columns} FROM users WHERE user_id = ?`,
    readUser,
  );
  const all = statements.query<[], UserRow>(
    `SELECT ${columns} FROM users ORDER BY created_at, user_id`,
    readUser,
  );
  const insert = statements.command<(string | number | null)[]>(
    `INSERT INTO users (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const remove = statements.command<[string]>("DELETE FROM users WHERE user_id = ?");
  return {
    byEmail: (email: string) => byEmail.first(email),
    byId: statements.remember(["users"], (userId) => byId.first(userId)),
    all: () => all.all(),
    insert: (user: UserRow) =>
      insert.run(
        user.userId,
        user.email,
        user.name,
        user.avatarUrl,
        user.passwordHash,
        Number(user.emailVerified),
        Number(user.mfaRequired),
        user.personalOrganizationId,
        user.createdAt,
      ),
    remove: (userId: string) => remove.run(userId),
  };
}

/** The form in which e-mail addresses are stored and compared (gap `email-case`). */
export function storedEmail(email: string, profile: Profile): string {
  const address = email.trim();
  return profile["email-case"] === "ignored" ? address.toLowerCase() : address;
}
