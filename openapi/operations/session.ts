import { getClauseRange } from "../clauses/register.js";
import type { Strictness } from "../gaps/strictness.js";
import { defineOperationGroup, defineSuccess, type ResponseDefinition, post } from "./operation.js";
import { ref } from "../schemas/ref.js";
import { allRoles } from "../schemas/roles.js";

const authResponseExample = {
  accessToken: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c2VyXzEifQ.c2lnbmF0dXJl",
  refreshToken: "rt_4k2j9x",
  expiresIn: 3600,
  userId: "user_demo_owner",
  email: "owner@demo.test",
  name: "Olive Owner",
  avatarUrl: null,
  personalOrgId: "org_personal_owner",
  permissions: ["database:read", "database:write", "repository:read", "repository:write"],
  roles: ["owner"],
};

/** A response with new tokens, for which part 4.1 does not specify a status. */
function buildTokenSuccesses(
  strictness: Strictness,
  description: string,
  schema: NonNullable<ResponseDefinition["schema"]>,
): readonly ResponseDefinition[] {
  const statuses = strictness.kind === "open" ? ([200, "2XX"] as const) : ([200] as const);
  return statuses.map((status) => ({ status, description, schema }));
}

/** Login and session (part 4.1). */
export const sessionOperations = defineOperationGroup({ tag: "Session", clauses: ["AUTH-28", "GEN-06"] })({
  login: post("/auth/password", "Log in with email and password", {
    description:
      "Returns 200 whether or not the login succeeds; `status` gives the result. With `Success`, `authResponse` contains tokens " +
      "for the user's personal organization (gap `login-organization`). The access token is valid for an hour, the refresh " +
      "token for 7 days.",
    access: { kind: "public" },
    requestBody: ref("LoginRequest"),
    successes: [defineSuccess(200, "The result of the login.", "LoginResult")],
    clauses: ["AUTH-06", ...getClauseRange("AUTH-01", "AUTH-08"), "AUTH-25", "AUTH-27", "GEN-02", "GEN-08"],
    example: {
      request: { email: "owner@demo.test", password: "demo-password" },
      response: { status: "Success", authResponse: authResponseExample },
    },
  }),
  refreshSession: post("/auth/refresh", "Exchange a refresh token for new tokens", {
    description:
      "Returns a new access token, valid for an hour, and a new refresh token, valid for 7 days, for the same organization (gap " +
      "`refresh-organization`). Store the new refresh token: the old token is rejected from then on (gap `refresh-token-reuse`).",
    access: { kind: "public" },
    requestBody: ref("RefreshRequest"),
    successes: (strictness) => buildTokenSuccesses(strictness, "New tokens.", ref("RefreshResponse")),
    problems: ["unauthenticated"],
    clauses: ["AUTH-09", "AUTH-07", "AUTH-10", "AUTH-11", "GEN-08"],
    example: {
      request: { refreshToken: "rt_4k2j9x" },
      response: {
        accessToken: authResponseExample.accessToken,
        refreshToken: "rt_8d1m0q",
        expiresIn: 3600,
      },
    },
  }),
  switchOrganization: post(
    "/auth/switch-organization",
    "Get tokens for another of the caller's organizations",
    {
      description:
        "Returns a session, as a login does, for another organization that the caller is a member of. The existing tokens do " +
        "not change: send the new access token to work in the chosen organization.",
      access: { kind: "protected", roles: allRoles, roleIn: "none" },
      effect: "read",
      requestBody: ref("SwitchOrganizationRequest"),
      successes: (strictness) =>
        buildTokenSuccesses(strictness, "A session for the chosen organization.", ref("AuthResponse")),
      problems: ["organization-not-found", "foreign-resource"],
      clauses: ["AUTH-12", "AUTH-06", "AUTH-13", "AUTH-14", "AUTH-16", "AUTH-25", "AUTH-27", "GEN-05"],
      example: { request: { organizationId: "org_demo_pro" }, response: authResponseExample },
    },
  ),
});
