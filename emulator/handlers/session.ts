import { limits } from "../../openapi/clauses/limits.js";
import type { Role } from "../../openapi/schemas/roles.js";
import { createOrganizationNotFoundProblem } from "../access/authorize.js";
import { findSessionUser } from "../access/authenticate.js";
import { hashPassword } from "../access/password.js";
import { Problem } from "../domain/problem.js";
import { normalizeEmail, type UserRow } from "../store/users.js";
import type { OperationResponse, HandlerContext, Handler } from "./handler.js";

/** POST /auth/password. */
export const login: Handler<"login"> = ({ body }, context) => {
  const { store } = context;
  const user = store.users.byEmail(normalizeEmail(body.email));
  const fail = (
    status: Exclude<OperationResponse<"login">["body"]["status"], "Success">,
  ): OperationResponse<"login"> => ({ status: 200, body: { status, authResponse: null } });
  const fault = context.fault?.("login");
  if (fault !== undefined) return fail(fault.loginStatus);
  if (user?.passwordHash !== hashPassword(user?.userId ?? "", body.password))
    return fail("InvalidCredentials");
  if (!user.emailVerified) return fail("EmailVerificationRequired");
  if (user.mfaRequired) return fail("MfaRequired");
  const authResponse = issueSession(user, getLoginOrganization(user, context), context);
  return { status: 200, body: { status: "Success", authResponse } };
};

/** POST /auth/refresh. */
export const refreshSession: Handler<"refreshSession"> = ({ body }, context) => {
  const { store, profile, now } = context;
  const row = store.credentials.refreshToken(body.refreshToken);
  if (row === undefined || now >= row.expiresAt)
    throw createRefreshProblem("The refresh token is unknown or has expired. Log in again.");
  if (row.used && profile["refresh-token-reuse"] === "rejected")
    throw createRefreshProblem(
      "The refresh token has already been used. Use the token that the last refresh returned.",
    );
  const user = findSessionUser(store, row);
  if (user === undefined)
    throw createRefreshProblem("This refresh token's user or organization no longer exists.");
  store.credentials.useRefreshToken(row.token);
  const keepsOrganization = profile["refresh-organization"] === "switched-to";
  const organizationId = keepsOrganization ? row.organizationId : getLoginOrganization(user, context);
  return { status: 200, body: issueTokens(row.userId, organizationId, context) };
};

/** POST /auth/switch-organization. */
export const switchOrganization: Handler<"switchOrganization"> = ({ body }, context) => {
  const { store, caller } = context;
  const user = caller.kind === "user" ? store.users.byId(caller.userId) : undefined;
  if (user === undefined)
    throw new Problem("wrong-credential-kind", "Switching organizations requires an access token.");
  const { organizationId } = body;
  const status = store.organizations.statusOf(organizationId);
  const member = store.organizations.memberOfUser(organizationId, user.userId);
  if (status === undefined || status === "deleted" || member?.status !== "active")
    throw createOrganizationNotFoundProblem(status !== undefined && status !== "deleted", context);
  return { status: 200, body: issueSession(user, organizationId, context) };
};

/** Returns the `permissions` of a session (part 5). */
function getPermissions(role: Role | undefined): string[] {
  if (role === undefined) return [];
  return role === "readonly"
    ? ["database:read", "repository:read"]
    : ["database:read", "database:write", "repository:read", "repository:write"];
}

/**
 * Returns the organization that a login's tokens are for (gap `login-organization`). If the personal organization is
 * deleted, it is another organization, if there is one.
 */
function getLoginOrganization(user: UserRow, { store, profile }: HandlerContext): string {
  const isDeleted = store.organizations.statusOf(user.personalOrganizationId) === "deleted";
  if (!isDeleted && profile["login-organization"] === "personal") return user.personalOrganizationId;
  const joined = store.organizations
    .joinedBy(user.userId)
    .find(
      ({ organizationId, status }) => organizationId !== user.personalOrganizationId && status !== "deleted",
    );
  return joined?.organizationId ?? user.personalOrganizationId;
}

function issueSession(user: UserRow, organizationId: string, context: HandlerContext) {
  const { organizations } = context.store;
  const isDeleted = organizations.statusOf(organizationId) === "deleted";
  const role = isDeleted ? undefined : organizations.memberOfUser(organizationId, user.userId)?.role;
  return {
    ...issueTokens(user.userId, organizationId, context),
    userId: user.userId,
    email: user.email,
    name: user.name,
    avatarUrl: user.avatarUrl,
    personalOrgId: user.personalOrganizationId,
    permissions: getPermissions(role),
    roles: role === undefined ? [] : [role],
  };
}

function issueTokens(userId: string, organizationId: string, { store, ids, tokens, now }: HandlerContext) {
  const accessToken = tokens.issue(ids.next("jti"), userId, organizationId, now);
  const refreshToken = ids.next("rt", 32);
  store.credentials.removeExpiredRefreshTokens(userId, now);
  store.credentials.insertRefreshToken({
    token: refreshToken,
    userId,
    organizationId,
    expiresAt: now + limits.refreshTokenSeconds * 1000,
    used: false,
  });
  return { accessToken, refreshToken, expiresIn: limits.accessTokenSeconds } as const;
}

function createRefreshProblem(detail: string): Problem {
  return new Problem("unauthenticated", detail, {
    headers: { "WWW-Authenticate": 'Bearer error="invalid_token"' },
  });
}
