import type { SchemaObject } from "openapi3-ts/oas31";
import { planTypes, unlimitedCount } from "../clauses/limits.js";
import { defineSuccess, get, patch, post, remove } from "../operations/operation.js";
import { databaseStatuses } from "../schemas/databases.js";
import { organizationStatuses } from "../schemas/organizations.js";
import { ref } from "../schemas/ref.js";
import { scopes } from "../schemas/roles.js";
import * as schema from "../schemas/schema-builders.js";
import * as control from "./define-control.js";

/** Organizations, their databases and API keys. */
export const organizationOperations = control.defineOperations({
  listOrganizations: get("/_emulator/organizations", "List all organizations", {
    successes: [
      defineSuccess(200, "All organizations except deleted ones, oldest first.", "OrganizationList"),
    ],
  }),
  changeOrganization: patch(
    "/_emulator/organizations/{organizationId}",
    "Change an organization's plan, status, settings or request count",
    {
      description:
        "Changing the plan starts a paid subscription to the new plan and sets the limits in the settings to the " +
        "plan's limits. Limits under `settings` in the same request take precedence. The status `deleted` removes " +
        "everything that the organization owns. Use `requestsThisPeriod` to test what happens when an organization has " +
        "used all or nearly all of its plan's requests.",
      requestBody: ref("OrganizationChange"),
      successes: [defineSuccess(200, "The organization.", "OrganizationEntry")],
      problems: ["organization-not-found", "personal-organization"],
      example: {
        request: { status: "suspended" },
      },
    },
  ),
  listAllDatabases: get("/_emulator/databases", "List all databases", {
    successes: [defineSuccess(200, "The databases of all organizations, oldest first.", "AllDatabases")],
  }),
  changeDatabase: patch("/_emulator/databases/{databaseId}", "Change a database's status", {
    requestBody: ref("DatabaseChange"),
    successes: [defineSuccess(200, "The database.", "DatabaseEntry")],
    problems: ["database-not-found"],
    example: {
      request: { status: "Maintenance" },
    },
  }),
  createApiKey: post("/_emulator/api-keys", "Create an API key", {
    requestBody: ref("CreateApiKeyRequest"),
    successes: [defineSuccess(201, "The new API key.", "ApiKey")],
    problems: ["organization-not-found", "ceiling-reached"],
    example: {
      request: { organizationId: "org_demo_pro", name: "reader", scopes: ["database:read"] },
    },
  }),
  listApiKeys: get("/_emulator/api-keys", "List all API keys", {
    successes: [defineSuccess(200, "The API keys, oldest first.", "ApiKeyList")],
  }),
  deleteApiKey: remove("/_emulator/api-keys/{apiKeyId}", "Revoke an API key", {
    successes: [defineSuccess(204, "The API key was revoked.")],
    problems: ["api-key-not-found"],
  }),
});

/** A larger number could not be distinguished from one that means no maximum. */
const countSchema: SchemaObject = { type: "integer", minimum: 0, maximum: unlimitedCount };

/** The settings of an organization. */
export const settingsFields: Readonly<Record<string, SchemaObject>> = {
  maxDatabases: countSchema,
  maxApiKeys: countSchema,
  maxMembers: countSchema,
  allowedRegions: { type: ["array", "null"], items: { type: "string" } },
  requireMfa: { type: "boolean" },
  ssoEnabled: { type: "boolean" },
};

/** The schemas of requests and responses. */
export const organizationSchemas: schema.SchemaGroup = () => ({
  OrganizationEntry: control.object({
    organizationId: { type: "string" },
    name: { type: "string" },
    slug: { type: "string" },
    plan: { type: "string", enum: [...planTypes] },
    status: { type: "string", enum: [...organizationStatuses] },
    isPersonal: { type: "boolean", description: "Whether this is a user's personal organization." },
    ownerUserId: { type: "string" },
    databases: { type: "integer", description: "Number of databases." },
    createdAt: control.timestamp,
  }),
  OrganizationList: control.object({
    organizations: control.array("OrganizationEntry"),
  }),
  OrganizationChange: control.object(
    {
      "plan?": { type: "string", enum: [...planTypes] },
      "status?": { type: "string", enum: [...organizationStatuses] },
      "requestsThisPeriod?": {
        type: "integer",
        minimum: 0,
        maximum: 2 ** 51,
        description: "Number of requests made in the current billing period.",
      },
      "settings?": control.object(schema.makeOptional(settingsFields)),
    },
    { minProperties: 1 },
  ),
  DatabaseEntry: control.object({
    databaseId: { type: "string" },
    organizationId: { type: "string" },
    name: { type: "string" },
    region: { type: "string" },
    status: { type: "string", enum: [...databaseStatuses] },
    items: { type: "integer", description: "Number of raw items." },
    repositories: { type: "integer", description: "Number of repositories." },
    sqlTables: { type: "integer", description: "Number of SQL tables." },
    createdAt: control.timestamp,
  }),
  AllDatabases: control.object({ databases: control.array("DatabaseEntry") }),
  DatabaseChange: control.object({ status: { type: "string", enum: [...databaseStatuses] } }),
  CreateApiKeyRequest: control.object({
    organizationId: schema.identifier("Id of the organization that the key belongs to."),
    name: { type: "string", minLength: 1 },
    scopes: {
      type: "array",
      minItems: 1,
      uniqueItems: true,
      items: { type: "string", enum: [...scopes] },
    },
    "expiresAt?": {
      type: ["string", "null"],
      description: "Expiry time, in ISO 8601 with a time zone; null if the key never expires.",
    },
  }),
  ApiKey: control.object({
    apiKeyId: { type: "string" },
    key: { type: "string", description: "The key, for the `Authorization` header." },
    organizationId: { type: "string" },
    name: { type: "string" },
    scopes: { type: "array", items: { type: "string", enum: [...scopes] } },
    expiresAt: { type: ["string", "null"] },
    createdAt: control.timestamp,
  }),
  ApiKeyList: control.object({ apiKeys: control.array("ApiKey") }),
});
