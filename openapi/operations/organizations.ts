import { chosenLimits, planNumbers, unlimited } from "../clauses/limits.js";
import type { ClauseId } from "../clauses/register.js";
import { type Strictness, strictAnswer } from "../gaps/strictness.js";
import type { ProblemKind } from "./problems.js";
import { defineOperations } from "./operation.js";
import { ref } from "../schemas/ref.js";
import { allRoles, type Role } from "../schemas/roles.js";

const prefix = "/api/v1/organizations";

/** Roles that manage an organization and its members (part 4.6). */
export const managingRoles: readonly Role[] = ["owner", "admin"];

const notThere: readonly ProblemKind[] = ["organization-not-found", "foreign-resource"];
const accessClauses: readonly ClauseId[] = ["AUTH-15", "AUTH-16", "AUTH-17", "AUTH-18", "GEN-02", "GEN-08"];

const created = {
  organizationId: "org_demo_pro",
  name: "Demo Pro",
  slug: "demo-pro",
  ownerUserId: "user_demo_owner",
  plan: "pro",
  status: "active",
  billingEmail: "owner@demo.test",
  createdAt: "2030-01-01T00:00:00.000Z",
  settings: {
    maxDatabases: 10,
    maxApiKeys: 20,
    maxMembers: 10,
    allowedRegions: null,
    requireMfa: false,
    ssoEnabled: false,
  },
};
const organization = { ...created, updatedAt: "2030-01-01T00:00:00.000Z" };
const parameters = { organizationId: created.organizationId };

/** Organizations (part 4.6). */
export const organizationOperations = defineOperations({
  createOrganization: {
    tag: "Organizations",
    summary: "Create an organization",
    routes: { method: "post", path: prefix },
    access: { kind: "protected", roles: allRoles, roleIn: "none" },
    effect: "write",
    requestBody: ref("CreateOrganizationRequest"),
    successes: () => [
      { status: 201, description: "The organization is there.", schema: ref("OrganizationCreated") },
    ],
    problems: ["conflict"],
    clauses: [
      "ORG-01",
      "ORG-02",
      "ORG-03",
      "ORG-04",
      "ORG-05",
      "ORG-06",
      "ORG-07",
      "ORG-08",
      "ORG-12",
      "GEN-01",
      "GEN-06",
      "GEN-09",
      ...accessClauses,
    ],
    example: {
      request: { name: "Acme Tea" },
      response: (strictness: Strictness) => {
        const plan = strictAnswer(strictness, "new-organization-plan") ?? "free";
        const { limits } = planNumbers[plan];
        return {
          ...created,
          organizationId: "org_8k2d",
          name: "Acme Tea",
          slug: "acme-tea",
          plan,
          settings: {
            ...created.settings,
            maxDatabases: limits?.maxDatabases ?? unlimited,
            maxApiKeys: limits === null ? unlimited : chosenLimits.apiKeys[plan],
            maxMembers: limits?.maxTeamMembers ?? unlimited,
          },
        };
      },
    },
  },
  listOrganizations: {
    tag: "Organizations",
    summary: "List one's own organizations",
    routes: { method: "get", path: prefix },
    access: { kind: "protected", roles: allRoles, roleIn: "none" },
    effect: "read",
    successes: () => [
      { status: 200, description: "The user's memberships.", schema: ref("OrganizationList") },
    ],
    problems: [],
    clauses: ["ORG-05", "ORG-09", "ORG-10", "AUTH-27", "GEN-01", "GEN-05", ...accessClauses],
    example: {
      response: {
        organizations: [
          {
            organizationId: created.organizationId,
            organizationName: created.name,
            role: "owner",
            joinedAt: created.createdAt,
          },
        ],
      },
    },
  },
  getOrganization: {
    tag: "Organizations",
    summary: "Get an organization",
    routes: { method: "get", path: `${prefix}/{organizationId}` },
    access: { kind: "protected", roles: allRoles, roleIn: "path" },
    effect: "read",
    successes: () => [{ status: 200, description: "The organization.", schema: ref("Organization") }],
    problems: notThere,
    clauses: ["ORG-11", "ORG-12", "ORG-13", "ORG-18", "GEN-01", "GEN-05", ...accessClauses],
    example: { parameters, response: organization },
  },
  updateOrganization: {
    tag: "Organizations",
    summary: "Update an organization",
    routes: { method: "put", path: `${prefix}/{organizationId}` },
    access: { kind: "protected", roles: managingRoles, roleIn: "path" },
    effect: "write",
    requestBody: ref("UpdateOrganizationRequest"),
    successes: () => [{ status: 200, description: "The updated organization.", schema: ref("Organization") }],
    problems: [...notThere, "deleted-organization"],
    clauses: [
      "ORG-06",
      "ORG-12",
      "ORG-14",
      "ORG-15",
      "ORG-18",
      "AUTH-26",
      "GEN-05",
      "GEN-06",
      "GEN-09",
      ...accessClauses,
    ],
    example: {
      parameters,
      request: { name: "Demo Professional", settings: { requireMfa: true } },
      response: {
        ...organization,
        name: "Demo Professional",
        settings: { ...organization.settings, requireMfa: true },
        updatedAt: "2030-01-01T00:00:05.000Z",
      },
    },
  },
  deleteOrganization: {
    tag: "Organizations",
    summary: "Delete an organization and all it holds",
    routes: { method: "delete", path: `${prefix}/{organizationId}` },
    access: { kind: "protected", roles: ["owner"], roleIn: "path" },
    effect: "write",
    successes: () => [{ status: 204, description: "The organization is gone.", gap: "deleted-organization" }],
    problems: [...notThere, "personal-organization", "organization-with-databases", "deleted-organization"],
    clauses: ["ORG-16", "ORG-17", "ORG-18", "AUTH-26", "GEN-05", ...accessClauses],
    example: { parameters },
  },
});
