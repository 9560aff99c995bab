import type { SqlValue } from "sql.js";
import type { Scope } from "../../openapi/schemas/roles.js";
import type { Statements } from "../sqlite/statement.js";

/** A refresh token as stored; times in milliseconds. */
export interface RefreshTokenRow {
  readonly token: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly expiresAt: number;
  readonly used: boolean;
}

/** An API key as stored; times in milliseconds. The key itself is kept readable: it protects nothing real. */
export interface ApiKeyRow {
  readonly apiKeyId: string;
  readonly key: string;
  readonly organizationId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: number | null;
  readonly createdAt: number;
}

const keyColumns = "api_key_id, key, organization_id, name, scopes, expires_at, created_at";

function readApiKey(row: SqlValue[]): ApiKeyRow {
  return {
    apiKeyId: row[0] as string,
    key: row[1] as string,
    organizationId: row[2] as string,
    name: row[3] as string,
    scopes: (row[4] as string).split(" ") as Scope[],
    expiresAt: row[5] as number | null,
    createdAt: row[6] as number,
  };
}

/** Removes the refresh tokens of a user that have expired. */
export const removalOfExpiredTokens = "DELETE FROM refresh_tokens WHERE user_id = ? AND expires_at <= ?";

/** Refresh tokens and API keys. */
export function credentialStatements(statements: Statements) {
  const refreshToken = statements.query<[string], RefreshTokenRow>(
    "SELECT token, user_id, organization_id, expires_at, used FROM refresh_tokens WHERE token = ?",
    (row) => ({
      token: row[0] as string,
      userId: row[1] as string,
      organizationId: row[2] as string,
      expiresAt: row[3] as number,
      used: row[4] === 1,
    }),
  );
  const insertRefreshToken = statements.command<[string, string, string, number]>(
    "INSERT INTO refresh_tokens (token, user_id, organization_id, expires_at, used) VALUES (?, ?, ?, ?, 0)",
  );
  const useRefreshToken = statements.command<[string]>("UPDATE refresh_tokens SET used = 1 WHERE token = ?");
  const forgetRefreshTokens = statements.command<[string, number]>(removalOfExpiredTokens);
  const removeRefreshTokensOf = statements.command<[string]>("DELETE FROM refresh_tokens WHERE user_id = ?");
  const removeRefreshTokensFor = statements.command<[string]>(
    "DELETE FROM refresh_tokens WHERE organization_id = ?",
  );
  const apiKey = statements.query<[string], ApiKeyRow>(
    `SELECT ${keyColumns} FROM api_keys WHERE key = ?`,
    readApiKey,
  );
  const rememberedKey = statements.remember(["api_keys"], (key) => apiKey.first(key));
  const apiKeyById = statements.query<[string], ApiKeyRow>(
    `SELECT ${keyColumns} FROM api_keys WHERE api_key_id = ?`,
    readApiKey,
  );
  const allApiKeys = statements.query<[], ApiKeyRow>(
    `SELECT ${keyColumns} FROM api_keys ORDER BY sequence`,
    readApiKey,
  );
  const countApiKeys = statements.query<[string], number>(
    "SELECT COUNT(*) FROM api_keys WHERE organization_id = ?",
    (row) => row[0] as number,
  );
  const insertApiKey = statements.command<(string | number | null)[]>(
    `INSERT INTO api_keys (${keyColumns}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const removeApiKey = statements.command<[string]>("DELETE FROM api_keys WHERE api_key_id = ?");
  const removeApiKeysOf = statements.command<[string]>("DELETE FROM api_keys WHERE organization_id = ?");
  return {
    refreshToken: (token: string) => refreshToken.first(token),
    insertRefreshToken: (row: Omit<RefreshTokenRow, "used">) =>
      insertRefreshToken.run(row.token, row.userId, row.organizationId, row.expiresAt),
    useRefreshToken: (token: string) => useRefreshToken.run(token),
    /** Forgets the user's tokens that have expired, so that they do not pile up. */
    forgetExpiredRefreshTokens: (userId: string, now: number) => forgetRefreshTokens.run(userId, now),
    removeRefreshTokensOf: (userId: string) => removeRefreshTokensOf.run(userId),
    apiKey: rememberedKey,
    removeRefreshTokensFor: (organizationId: string) => removeRefreshTokensFor.run(organizationId),
    apiKeyById: (apiKeyId: string) => apiKeyById.first(apiKeyId),
    allApiKeys: () => allApiKeys.all(),
    countApiKeys: (organizationId: string) => countApiKeys.first(organizationId) ?? 0,
    insertApiKey: (row: ApiKeyRow) =>
      insertApiKey.run(
        row.apiKeyId,
        row.key,
        row.organizationId,
        row.name,
        row.scopes.join(" "),
        row.expiresAt,
        row.createdAt,
      ),
    removeApiKey: (apiKeyId: string) => removeApiKey.change(apiKeyId) > 0,
    removeApiKeysOf: (organizationId: string) => removeApiKeysOf.run(organizationId),
  };
}
