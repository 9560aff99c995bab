import type { Strictness } from "../gaps/strictness.js";
import { defineOperations, type Success } from "./operation.js";
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

/** An answer with new tokens, for which part 4.1 names no status. */
function newTokens(
  strictness: Strictness,
  description: string,
  schema: Success["schema"],
): readonly Success[] {
  const statuses =
    strictness.kind === "open" ? ([200, "2XX"] as const) : [strictness.profile["session-status"]];
  return statuses.map((status) => ({
    status,
    description,
    ...(schema === undefined ? {} : { schema }),
    gap: "session-status",
  }));
}

/** Login and session (part 4.1). */
export const sessionOperations = defineOperations({
  login: {
    tag: "Session",
    summary: "Log in with email and password",
    routes: { method: "post", path: "/auth/password" },
    access: { kind: "public", strayGap: "needless-credential" },
    effect: "write",
    requestBody: ref("LoginRequest"),
    successes: () => [{ status: 200, description: "What came of the login.", schema: ref("LoginResult") }],
    problems: [],
    clauses: [
      "AUTH-01",
      "AUTH-02",
      "AUTH-03",
      "AUTH-04",
      "AUTH-05",
      "AUTH-06",
      "AUTH-07",
      "AUTH-08",
      "AUTH-25",
      "AUTH-27",
      "AUTH-28",
      "GEN-02",
      "GEN-06",
      "GEN-08",
      "GEN-09",
    ],
    example: {
      request: { email: "owner@demo.test", password: "demo-password" },
      response: { status: "Success", authResponse: authResponseExample },
    },
  },
  refreshSession: {
    tag: "Session",
    summary: "Exchange a refresh token for new tokens",
    routes: { method: "post", path: "/auth/refresh" },
    access: { kind: "public", strayGap: "needless-credential" },
    effect: "write",
    requestBody: ref("RefreshRequest"),
    successes: (strictness) => newTokens(strictness, "New tokens.", ref("RefreshResponse")),
    problems: ["unauthenticated"],
    clauses: ["AUTH-09", "AUTH-10", "AUTH-11", "AUTH-07", "AUTH-28", "GEN-06", "GEN-08", "GEN-09"],
    example: {
      request: { refreshToken: "rt_4k2j9x" },
      response: { accessToken: authResponseExample.accessToken, refreshToken: "rt_8d1m0q", expiresIn: 3600 },
    },
  },
  switchOrganization: {
    tag: "Session",
    summary: "Get tokens for another of one's organizations",
    routes: { method: "post", path: "/auth/switch-organization" },
    access: { kind: "protected", roles: allRoles, roleIn: "none" },
    effect: "read",
    requestBody: ref("SwitchOrganizationRequest"),
    successes: (strictness) =>
      newTokens(strictness, "A session for the chosen organization.", ref("AuthResponse")),
    problems: ["organization-not-found", "foreign-resource"],
    clauses: [
      ...(["AUTH-06", "AUTH-12", "AUTH-13", "AUTH-14", "AUTH-16", "AUTH-25", "AUTH-27", "AUTH-28"] as const),
      ...(["GEN-05", "GEN-06", "GEN-09"] as const),
    ],
    example: { request: { organizationId: "org_demo_pro" }, response: authResponseExample },
  },
});
