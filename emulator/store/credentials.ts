import type { Scope } from "../../openapi/schemas/roles.js";
import { booleanColumn, RowMapping } from "../sqlite/row-mapping.js";
import type { PreparedStatements } from "../sqlite/statement.js";

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

const tokenMapping = new RowMapping<RefreshTokenRow>("token, user_id, organization_id, expires_at, used", {
  used: booleanColumn,
});

const keyMapping = new RowMapping<ApiKeyRow>(
  "api_key_id, key, organization_id, name, scopes, expires_at, created_at",
  { scopes: { read: (stored) => (stored as string).split(" "), write: (all: string[]) => all.join(" ") } },
);

/** Removes the refresh tokens of a user that have expired. */
export const deleteExpiredTokensSql = "DELETE FROM refresh_tokens WHERE user_id = ? AND expires_at <= ?";

/** Refresh tokens and API keys. */
export function prepareCredentialStatements(statements: PreparedStatements) {
  const { columns, markers, read } = keyMapping;
  const insertRefreshToken = statements.write(
    `INSERT INTO refresh_tokens (${tokenMapping.columns}) VALUES (${tokenMapping.markers})`,
  );
  const apiKey = statements.one<[string], ApiKeyRow>(`SELECT ${columns} FROM api_keys WHERE key = ?`, read);
  const insertApiKey = statements.write(`INSERT INTO api_keys (${columns}) VALUES (${markers})`);
  const removeApiKey = statements.command<[string]>("DELETE FROM api_keys WHERE api_key_id = ?");
  return {
    refreshToken: statements.one<[string], RefreshTokenRow>(
      `SELECT ${tokenMapping.columns} FROM refresh_tokens WHERE token = ?`,
      tokenMapping.read,
    ),
    insertRefreshToken: (row: Omit<RefreshTokenRow, "used">) =>
      insertRefreshToken(...tokenMapping.values({ ...row, used: false })),
    useRefreshToken: statements.write<[string]>("UPDATE refresh_tokens SET used = 1 WHERE token = ?"),
    /** Forgets the user's tokens that have expired, so that they do not pile up. */
    forgetExpiredRefreshTokens: statements.write<[userId: string, now: number]>(deleteExpiredTokensSql),
    removeRefreshTokensOf: statements.write<[string]>("DELETE FROM refresh_tokens WHERE user_id = ?"),
    apiKey: statements.remember(["api_keys"], apiKey),
    removeRefreshTokensFor: statements.write<[string]>(
      "DELETE FROM refresh_tokens WHERE organization_id = ?",
    ),
    allApiKeys: statements.list<[], ApiKeyRow>(`SELECT ${columns} FROM api_keys ORDER BY sequence`, read),
    countApiKeys: statements.number<[string]>("SELECT COUNT(*) FROM api_keys WHERE organization_id = ?"),
    insertApiKey: (row: ApiKeyRow) => insertApiKey(...keyMapping.values(row)),
    removeApiKey: (apiKeyId: string) => removeApiKey.change(apiKeyId) > 0,
    removeApiKeysOf: statements.write<[string]>("DELETE FROM api_keys WHERE organization_id = ?"),
  };
}
