import type { Scope } from "../../openapi/schemas/roles.js";
import { booleanColumn, RowMapping, RowStatements } from "../sqlite/row-mapping.js";
import type { PreparedStatements } from "../sqlite/statement.js";

/** A refresh token as stored; times in milliseconds. */
export interface RefreshTokenRow {
  readonly token: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly expiresAt: number;
  readonly used: boolean;
}

/** An API key as stored; times in milliseconds. The key is stored as plain text, because it protects nothing. */
export interface ApiKeyRow {
  readonly apiKeyId: string;
  readonly key: string;
  readonly organizationId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: number | null;
  readonly createdAt: number;
}

const tokenMapping = new RowMapping<RefreshTokenRow>(
  "refresh_tokens",
  "token, user_id, organization_id, expires_at, used",
  { used: booleanColumn },
);

const keyMapping = new RowMapping<ApiKeyRow>(
  "api_keys",
  "api_key_id, key, organization_id, name, scopes, expires_at, created_at",
  { scopes: { read: (stored) => (stored as string).split(" "), write: (all: string[]) => all.join(" ") } },
);

/** Removes the refresh tokens of a user that have expired. */
export const deleteExpiredTokensSql = "DELETE FROM refresh_tokens WHERE user_id = ? AND expires_at <= ?";

/** Refresh tokens and API keys. */
export function prepareCredentialStatements(statements: PreparedStatements) {
  const refreshTokens = new RowStatements(statements, tokenMapping);
  const apiKeys = new RowStatements(statements, keyMapping);
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
