import { CachePool, PooledCache } from "../memory/cache-pool.js";
import type { Store } from "../store/store.js";
import type { UserRow } from "../store/users.js";
import type { AccessClaims } from "../world/tokens.js";
import type { World } from "../world/world.js";
import { Problem } from "../domain/problem.js";
import { formatTimestamp } from "../time/timestamp.js";
import type { Caller } from "./caller.js";

/**
 * Identifies the caller of a request (clauses AUTH-15 to AUTH-17, AUTH-24).
 *
 * @param header the `Authorization` header
 * @throws a problem `unauthenticated` without a valid credential
 */
export function authenticate(header: string | undefined, world: World, now: number): Caller {
  const { credential, isJwt } = credentials.get(header ?? "", () => parseCredential(header));
  return isJwt ? authenticateUser(credential, world, now) : authenticateApiKey(credential, world, now);
}

interface Credential {
  readonly credential: string;
  readonly isJwt: boolean;
}

/** Parsed headers, cached because clients send the same header with every request. */
const credentials = new PooledCache<Credential>({ pool: new CachePool(1000) });

function parseCredential(header: string | undefined): Credential {
  if (header === undefined || header.trim() === "")
    throw createUnauthenticatedProblem("Send the header `Authorization: Bearer <access token or API key>`.");
  const credential = /^bearer +([^\s]+)\s*$/i.exec(header)?.[1];
  if (credential === undefined)
    throw createUnauthenticatedProblem(
      "The Authorization header must have the form `Bearer <access token or API key>`.",
      true,
    );
  return { credential, isJwt: credential.split(".").length === 3 };
}

function authenticateUser(token: string, { tokens, store }: World, now: number): Caller {
  const claims = tokens.read(token, now);
  if (claims === undefined)
    throw createUnauthenticatedProblem(describeInvalidToken(tokens.getExpiry(token), now), true);
  const { userId, organizationId } = claims;
  if (findSessionUser(store, claims) === undefined)
    throw createUnauthenticatedProblem("This access token's user or organization no longer exists.", true);
  const status = store.organizations.statusOf(organizationId);
  const member = store.organizations.memberOfUser(organizationId, userId);
  return {
    kind: "user",
    userId,
    organizationId,
    role: member?.status === "active" && status !== "deleted" ? member.role : undefined,
  };
}

/**
 * Finds the user of a token, whose organization must still exist. A user who has deleted their personal organization
 * continues without an organization.
 */
export function findSessionUser(
  { organizations, users }: Store,
  { userId, organizationId }: Pick<AccessClaims, "userId" | "organizationId">,
): UserRow | undefined {
  const status = organizations.statusOf(organizationId);
  const user = users.byId(userId);
  const isGone =
    status === undefined || (status === "deleted" && organizationId !== user?.personalOrganizationId);
  return isGone ? undefined : user;
}

/** Distinguishes an expired token from an unknown one, because the caller must react differently. */
function describeInvalidToken(expiredAt: number | undefined, now: number): string {
  return expiredAt === undefined
    ? "The access token is unknown: another emulator or service issued it, this emulator's random seed has changed, or the token was altered. Log in again."
    : `The access token expired at ${formatTimestamp(expiredAt)}; the current time is ${formatTimestamp(now)}. Refresh the session, or log in again.`;
}

function authenticateApiKey(key: string, { store }: World, now: number): Caller {
  const row = store.credentials.apiKey(key);
  if (row === undefined)
    throw createUnauthenticatedProblem(
      "The API key is unknown. It may have been revoked; use another key.",
      true,
    );
  if (row.expiresAt !== null && now >= row.expiresAt)
    throw createUnauthenticatedProblem(
      `The API key expired at ${formatTimestamp(row.expiresAt)}; the current time is ${formatTimestamp(now)}. Use another key.`,
      true,
    );
  const { apiKeyId, organizationId, scopes } = row;
  if (store.organizations.statusOf(organizationId) === "deleted")
    throw createUnauthenticatedProblem("This API key's organization no longer exists.", true);
  return { kind: "apiKey", apiKeyId, organizationId, scopes };
}

function createUnauthenticatedProblem(detail: string, wasSent = false): Problem {
  const challenge = `Bearer realm="data-service"${wasSent ? ', error="invalid_token"' : ""}`;
  return new Problem("unauthenticated", detail, { headers: { "WWW-Authenticate": challenge } });
}
