import { emulatorDefinedLimits, planTerms, unlimitedCount } from "../clauses/limits.js";
import { type ClauseId, getClauseRange } from "../clauses/register.js";
import { type Strictness, getStrictAnswer } from "../gaps/strictness.js";
import type { ProblemKind } from "./problems.js";
import { defineOperationGroup, defineSuccess, get, post, put, remove } from "./operation.js";
import { ref } from "../schemas/ref.js";
import { allRoles, type Role } from "../schemas/roles.js";

const prefix = "/api/v1/organizations";

/** Roles that can manage an organization and its members (part 4.6). */
export const managementRoles: readonly Role[] = ["owner", "admin"];

const notFoundProblems: readonly ProblemKind[] = ["organization-not-found", "foreign-resource"];
const accessClauses: readonly ClauseId[] = [...getClauseRange("AUTH-15", "AUTH-18"), "GEN-02", "GEN-08"];

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

/** Organizations (part 4.6). */
export const organizationOperations = defineOperationGroup({ tag: "Organizations", clauses: accessClauses })({
  createOrganization: post(prefix, "Create an organization", {
    description:
      "The caller becomes the owner, and the organization starts on the free plan (gap `new-organization-plan`). By default, " +
      "`slug` is derived from the name. To work in the new organization, switch to it: the current access token gives access only to the organization that it was issued for.",
    access: { kind: "protected", roles: allRoles, roleIn: "none" },
    requestBody: ref("CreateOrganizationRequest"),
    successes: [defineSuccess(201, "The organization was created.", "OrganizationCreated")],
    problems: ["conflict"],
    clauses: ["ORG-01", ...getClauseRange("ORG-02", "ORG-08"), "ORG-12", "GEN-01", "GEN-06"],
    example: {
      request: { name: "Acme Tea" },
      response: (strictness: Strictness) => {
        const plan = getStrictAnswer(strictness, "new-organization-plan") ?? "free";
        const { limits } = planTerms[plan];
        return {
          ...created,
          organizationId: "org_8k2d",
          name: "Acme Tea",
          slug: "acme-tea",
          plan,
          settings: {
            ...created.settings,
            maxDatabases: limits?.maxDatabases ?? unlimitedCount,
            maxApiKeys: emulatorDefinedLimits.apiKeys[plan],
            maxMembers: limits?.maxTeamMembers ?? unlimitedCount,
          },
        };
      },
    },
  }),
  listOrganizations: get(prefix, "List the caller's organizations", {
    description:
      "Returns all organizations that the caller is an active member of, with the caller's role in each, in the order in which the caller joined them.",
    access: { kind: "protected", roles: allRoles, roleIn: "none" },
    successes: [defineSuccess(200, "The caller's memberships.", "OrganizationList")],
    clauses: ["ORG-09", "ORG-05", "ORG-10", "AUTH-27", "GEN-01", "GEN-05"],
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
  }),
  getOrganization: get(`${prefix}/{organizationId}`, "Get an organization", {
    description:
      "Returns the plan, the status and the settings, including the limits on databases, API keys and members.",
    access: { kind: "protected", roles: allRoles, roleIn: "path" },
    successes: [defineSuccess(200, "The organization.", "Organization")],
    problems: notFoundProblems,
    clauses: ["ORG-11", "ORG-12", "ORG-13", "ORG-18", "GEN-01", "GEN-05"],
    example: { response: organization },
  }),
  updateOrganization: put(`${prefix}/{organizationId}`, "Update an organization", {
    description: "Omitted fields do not change. The only setting that can be changed is `requireMfa`.",
    access: { kind: "protected", roles: managementRoles, roleIn: "path" },
    requestBody: ref("UpdateOrganizationRequest"),
    successes: [defineSuccess(200, "The updated organization.", "Organization")],
    problems: [...notFoundProblems, "deleted-organization"],
    clauses: ["ORG-14", "ORG-06", "ORG-12", "ORG-15", "ORG-18", "GEN-05", "GEN-06"],
    example: {
      request: { name: "Demo Professional", settings: { requireMfa: true } },
      response: {
        ...organization,
        name: "Demo Professional",
        settings: { ...organization.settings, requireMfa: true },
        updatedAt: "2030-01-01T00:00:05.000Z",
      },
    },
  }),
  deleteOrganization: remove(`${prefix}/{organizationId}`, "Delete an organization and everything in it", {
    description:
      "The organization's databases, repositories, API keys and memberships are deleted as well (gap " +
      "`deleted-organization`). A personal organization cannot be deleted.",
    access: { kind: "protected", roles: ["owner"], roleIn: "path" },
    successes: [
      defineSuccess(204, "The organization was deleted.", undefined, { gap: "deleted-organization" }),
    ],
    problems: [...notFoundProblems, "personal-organization", "deleted-organization"],
    clauses: ["ORG-16", "ORG-17", "ORG-18", "GEN-05"],
  }),
});
