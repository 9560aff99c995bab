import type { Scope } from "../../openapi/schemas/roles.js";
import * as column from "../sqlite/columns.js";
import { type RowOf, RowStatements, StateTable } from "../sqlite/state-table.js";
import type { PreparedStatements } from "../sqlite/statement.js";

export const refreshTokensTable = new StateTable("refresh_tokens", {
  token: column.text("PRIMARY KEY"),
  userId: column.text("REFERENCES users (user_id)"),
  organizationId: column.text(),
  expiresAt: column.timestamp(),
  used: column.flag(),
});

/** The keys are stored as plain text, because they protect nothing. */
export const apiKeysTable = new StateTable("api_keys", {
  sequence: column.sequence,
  apiKeyId: column.text("UNIQUE"),
  key: column.text("UNIQUE"),
  organizationId: column.text("REFERENCES organizations (organization_id)"),
  name: column.text(),
  scopes: {
    ...column.text(),
    read: (stored): readonly Scope[] => (stored as string).split(" ") as Scope[],
    write: (all: readonly Scope[]) => all.join(" "),
  },
  expiresAt: column.nullable(column.timestamp()),
  createdAt: column.timestamp(),
});
export type ApiKeyRow = RowOf<typeof apiKeysTable>;

/** Removes the refresh tokens of a user that have expired. */
export const deleteExpiredTokensSql = "DELETE FROM refresh_tokens WHERE user_id = ? AND expires_at <= ?";

/** Refresh tokens and API keys. */
export function prepareCredentialStatements(statements: PreparedStatements) {
  const refreshTokens = new RowStatements(statements, refreshTokensTable);
  const apiKeys = new RowStatements(statements, apiKeysTable);
  const removeApiKey = statements.command<[string]>("DELETE FROM api_keys WHERE api_key_id = ?");
  return {
    refreshToken: refreshTokens.one<[string]>("WHERE token = ?"),
    insertRefreshToken: refreshTokens.insert(),
    useRefreshToken: statements.write<[string]>("UPDATE refresh_tokens SET used = 1 WHERE token = ?"),
    removeExpiredRefreshTokens: statements.write<[userId: string, now: number]>(deleteExpiredTokensSql),
    removeRefreshTokensOf: statements.write<[string]>("DELETE FROM refresh_tokens WHERE user_id = ?"),
    apiKey: statements.remember(["api_keys"], apiKeys.one<[string]>("WHERE key = ?")),
    removeRefreshTokensFor: statements.write<[string]>(
      "DELETE FROM refresh_tokens WHERE organization_id = ?",
    ),
    allApiKeys: apiKeys.list<[]>("ORDER BY sequence"),
    countApiKeys: statements.number<[string]>("SELECT COUNT(*) FROM api_keys WHERE organization_id = ?"),
    insertApiKey: apiKeys.insert(),
    removeApiKey: (apiKeyId: string) => removeApiKey.change(apiKeyId) > 0,
    removeApiKeysOf: statements.write<[string]>("DELETE FROM api_keys WHERE organization_id = ?"),
  };
}
