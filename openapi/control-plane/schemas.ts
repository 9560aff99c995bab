import { planTypes } from "../clauses/limits.js";
import { ref } from "../schemas/ref.js";
import { allRoles, scopes } from "../schemas/roles.js";
import { buildProfileSchema } from "../gaps/profile-schema.js";
import {
  responseObject,
  identifier,
  nullable,
  type Properties,
  requestObject,
  type SchemaGroup,
  timestamp,
} from "../schemas/schema-builders.js";
import { subscriptionStatuses } from "../schemas/billing.js";
import { databaseStatuses } from "../schemas/databases.js";
import { faultSchemas } from "./fault-schemas.js";
import { journalSchemas } from "./journal-schemas.js";
import { optionalMembers } from "./optional-members.js";

/** What the control plane takes and gives. */
export const controlPlaneSchemas: SchemaGroup = (strictness) => {
  const { properties = {} } = buildProfileSchema();
  const health = {
    health: { type: "string", enum: ["Healthy", "Unhealthy"] },
    ready: { type: "string", enum: ["Ready", "NotReady"] },
    live: { type: "string", enum: ["Alive", "Dead"] },
    details: { type: "string", description: "Shown while something is wrong." },
  } satisfies Properties;
  return {
    EmulatorState: responseObject(strictness, {
      version: { type: "string" },
      namespace: { type: "string", description: "`default` for the one at the base URL." },
      fixture: { type: "string" },
      seed: { type: "integer" },
      profile: ref("Profile"),
      clock: ref("Clock"),
      counts: responseObject(strictness, {
        users: { type: "integer" },
        organizations: { type: "integer" },
        apiKeys: { type: "integer" },
        databases: { type: "integer" },
        items: { type: "integer", description: "Raw items; entities and rows are counted beside them." },
        repositories: { type: "integer" },
        entities: { type: "integer" },
        sqlTables: { type: "integer" },
        sqlRows: { type: "integer" },
      }),
      credentials: ref("Credentials"),
      links: {
        type: "object",
        additionalProperties: { type: "string" },
        description: "Paths worth knowing.",
      },
    }),
    Credentials: responseObject(
      strictness,
      {
        users: {
          type: "array",
          items: responseObject(strictness, {
            userId: { type: "string" },
            email: { type: "string" },
            password: { type: "string" },
            memberships: {
              type: "array",
              items: responseObject(strictness, {
                organizationId: { type: "string" },
                role: { type: "string", enum: [...allRoles] },
              }),
            },
          }),
        },
        apiKeys: { type: "array", items: ref("ApiKey") },
      },
      { description: "What the fixture was seeded with. None of it is a real secret." },
    ),
    ResetRequest: optionalMembers(strictness, {
      fixture: {
        type: "string",
        description: "demo, empty, or the name of the fixture that the emulator was started with.",
      },
    }),
    Clock: responseObject(strictness, {
      mode: { type: "string", enum: ["manual", "system"] },
      now: timestamp(strictness),
    }),
    ClockChange: optionalMembers(
      strictness,
      {
        mode: { type: "string", enum: ["manual", "system"] },
        now: { type: "string", description: "ISO 8601 with a time zone: the time it becomes." },
        advance: { type: "string", description: "ISO 8601 duration to move ahead by: `PT10M`, `P7D`." },
      },
      { minProperties: 1 },
    ),
    Profile: { type: "object", properties, additionalProperties: false, description: "Gap id → answer." },
    CreateUserRequest: requestObject(
      strictness,
      {
        email: { type: "string", minLength: 3, pattern: "^\\s*[^\\s@]+@[^\\s@]+\\s*$" },
        password: { type: "string", minLength: 1 },
        name: { type: "string", minLength: 1 },
        emailVerified: { type: "boolean", default: true },
        mfaRequired: { type: "boolean", default: false },
      },
      { optional: ["name", "emailVerified", "mfaRequired"] },
    ),
    UserCreated: responseObject(strictness, {
      userId: identifier("The user."),
      personalOrganizationId: identifier("The organization every user has."),
    }),
    CreateApiKeyRequest: requestObject(
      strictness,
      {
        organizationId: identifier("The organization the key works for."),
        name: { type: "string", minLength: 1 },
        scopes: {
          type: "array",
          minItems: 1,
          uniqueItems: true,
          items: { type: "string", enum: [...scopes] },
        },
        expiresAt: { type: ["string", "null"], description: "ISO 8601 with a time zone; null for never." },
      },
      { optional: ["expiresAt"] },
    ),
    ApiKeyCreated: responseObject(strictness, {
      apiKeyId: identifier("The key's identifier."),
      key: { type: "string", description: "What goes into the `Authorization` header." },
    }),
    ApiKey: responseObject(strictness, {
      apiKeyId: { type: "string" },
      key: { type: "string" },
      organizationId: { type: "string" },
      name: { type: "string" },
      scopes: { type: "array", items: { type: "string", enum: [...scopes] } },
      expiresAt: { type: ["string", "null"] },
      createdAt: timestamp(strictness),
    }),
    ApiKeyList: responseObject(strictness, { apiKeys: { type: "array", items: ref("ApiKey") } }),
    DatabaseChange: requestObject(strictness, { status: { type: "string", enum: [...databaseStatuses] } }),
    DatabaseState: responseObject(strictness, {
      databaseId: { type: "string" },
      status: { type: "string", enum: [...databaseStatuses] },
    }),
    OrganizationChange: optionalMembers(
      strictness,
      {
        plan: { type: "string", enum: ["free", "pro", "enterprise"] },
        status: { type: "string", enum: ["active", "suspended", "deleted"] },
        requestsThisPeriod: {
          type: "integer",
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description: "How many requests it has made in the billing period of this moment.",
        },
        settings: optionalMembers(strictness, {
          maxDatabases: { type: "integer", minimum: 0 },
          maxApiKeys: { type: "integer", minimum: 0 },
          maxMembers: { type: "integer", minimum: 0 },
          allowedRegions: { type: ["array", "null"], items: { type: "string" } },
          requireMfa: { type: "boolean" },
          ssoEnabled: { type: "boolean" },
        }),
      },
      { minProperties: 1 },
    ),
    OrganizationState: responseObject(strictness, {
      organizationId: { type: "string" },
      plan: { type: "string", enum: ["free", "pro", "enterprise"] },
      status: { type: "string", enum: ["active", "suspended", "deleted"] },
    }),
    AcceptInvitationRequest: requestObject(
      strictness,
      {
        organizationId: identifier("The organization that invited."),
        email: { type: "string", minLength: 1, description: "The address that was invited." },
        name: { type: "string", minLength: 1 },
        password: { type: "string", minLength: 1, description: "For a person who is no user yet." },
      },
      { optional: ["name", "password"] },
    ),
    InvitationAccepted: responseObject(strictness, {
      organizationId: identifier("The organization."),
      userId: identifier("The user who is a member now."),
      role: { type: "string", enum: [...allRoles] },
    }),
    SubscriptionChange: optionalMembers(
      strictness,
      {
        plan: { type: "string", enum: [...planTypes] },
        status: { type: "string", enum: [...subscriptionStatuses] },
        cancelAtPeriodEnd: { type: "boolean" },
      },
      { minProperties: 1 },
    ),
    SubscriptionState: responseObject(strictness, {
      organizationId: identifier("The organization."),
      subscriptionId: identifier("Its subscription."),
      plan: { type: "string", enum: [...planTypes] },
      status: { type: "string", enum: [...subscriptionStatuses] },
      currentPeriodStart: timestamp(strictness),
      currentPeriodEnd: timestamp(strictness),
      trialStart: nullable(timestamp(strictness)),
      trialEnd: nullable(timestamp(strictness)),
      cancelAtPeriodEnd: { type: "boolean" },
    }),
    ...faultSchemas(strictness),
    ...journalSchemas(strictness),
    Health: responseObject(strictness, health),
    HealthChange: optionalMembers(strictness, health, { minProperties: 1 }),
  };
};
