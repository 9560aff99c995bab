import { success } from "../operations/operation.js";
import { ref } from "../schemas/ref.js";
import { defaultProfile } from "../gaps/profile.js";
import { billingOperations, subscription } from "./billing-operations.js";
import { defineControlOperations } from "./define-control-operations.js";
import { peopleOperations } from "./people-operations.js";
import { namespaceOperations } from "./namespace-operations.js";
import { faultOperations } from "./fault-operations.js";
import { journalOperations } from "./journal-operations.js";

const clock = { mode: "manual", now: "2030-01-01T00:10:00.000Z" };
const apiKey = {
  apiKeyId: "key_4h2s",
  key: "dsk_9a8b7c",
  organizationId: "org_demo_pro",
  name: "reader",
  scopes: ["database:read"],
  expiresAt: null,
  createdAt: "2030-01-01T00:00:00.000Z",
};

/** What the emulator offers beside the service, under `/_emulator`. */
export const controlPlaneOperations = defineControlOperations({
  getEmulator: {
    summary: "Version, fixture, profile, clock, counts and seeded credentials",
    routes: { method: "get", path: "/_emulator" },
    successes: [success(200, "The state of the namespace.", "EmulatorState")],
    example: {},
  },
  resetEmulator: {
    summary: "Go back to the starting state",
    description:
      "The starting state is what the namespace began with: the fixture, the file of `--data`, or the copy that a fork " +
      "made; a fixture that is named here becomes it. The profile and snapshots stay. Requests under way finish in the " +
      "state in which they began.",
    routes: { method: "post", path: "/_emulator/reset" },
    requestBody: ref("ResetRequest"),
    successes: [success(204, "The namespace is as it was at the start.")],
    example: { request: { fixture: "demo" } },
  },
  getClock: {
    summary: "Read the clock",
    routes: { method: "get", path: "/_emulator/clock" },
    successes: [success(200, "The clock.", "Clock")],
    example: { response: clock },
  },
  changeClock: {
    summary: "Advance or set the clock, or change its mode",
    routes: { method: "patch", path: "/_emulator/clock" },
    requestBody: ref("ClockChange"),
    successes: [success(200, "The clock after the change.", "Clock")],
    example: { request: { advance: "PT10M" }, response: clock },
  },
  getProfile: {
    summary: "The profile in force",
    routes: { method: "get", path: "/_emulator/profile" },
    successes: [success(200, "One answer for every gap.", "Profile")],
    example: { response: defaultProfile },
  },
  setProfile: {
    summary: "Put another profile in force",
    description: "Gaps that are left out take their default answer.",
    routes: { method: "put", path: "/_emulator/profile" },
    requestBody: ref("Profile"),
    successes: [success(200, "The whole profile.", "Profile")],
    example: {
      request: { "validation-status": 422 },
      response: { ...defaultProfile, "validation-status": 422 },
    },
  },
  createUser: {
    summary: "Create a user with a personal organization",
    routes: { method: "post", path: "/_emulator/users" },
    requestBody: ref("CreateUserRequest"),
    successes: [success(201, "The user.", "UserCreated")],
    problems: ["conflict"],
    example: {
      request: { email: "ada@example.test", password: "correct horse" },
      response: { userId: "user_1c9d", personalOrganizationId: "org_7e2b" },
    },
  },
  deleteUser: {
    summary: "Remove a user with everything they own",
    routes: { method: "delete", path: "/_emulator/users/{userId}" },
    successes: [success(204, "The user is gone.")],
    problems: ["user-not-found"],
    example: { parameters: { userId: "user_1c9d" } },
  },
  createApiKey: {
    summary: "Create an API key",
    routes: { method: "post", path: "/_emulator/api-keys" },
    requestBody: ref("CreateApiKeyRequest"),
    successes: [success(201, "The key.", "ApiKeyCreated")],
    problems: ["organization-not-found", "ceiling-reached"],
    example: {
      request: { organizationId: "org_demo_pro", name: "reader", scopes: ["database:read"] },
      response: { apiKeyId: apiKey.apiKeyId, key: apiKey.key },
    },
  },
  listApiKeys: {
    summary: "List all API keys",
    routes: { method: "get", path: "/_emulator/api-keys" },
    successes: [success(200, "The keys, oldest first.", "ApiKeyList")],
    example: { response: { apiKeys: [apiKey] } },
  },
  deleteApiKey: {
    summary: "Revoke an API key",
    routes: { method: "delete", path: "/_emulator/api-keys/{apiKeyId}" },
    successes: [success(204, "The key is refused from now on.")],
    problems: ["api-key-not-found"],
    example: { parameters: { apiKeyId: "key_4h2s" } },
  },
  changeDatabase: {
    summary: "Move a database to a status",
    routes: { method: "patch", path: "/_emulator/databases/{databaseId}" },
    requestBody: ref("DatabaseChange"),
    successes: [success(200, "The database's status.", "DatabaseState")],
    problems: ["database-not-found"],
    example: {
      parameters: { databaseId: "db_demo" },
      request: { status: "Maintenance" },
      response: { databaseId: "db_demo", status: "Maintenance" },
    },
  },
  changeOrganization: {
    summary: "Change plan, status, settings or used requests of an organization",
    description:
      "A change of plan begins a paid subscription of it and sets the ceilings in the settings to the plan's; " +
      "settings given beside it win. The status deleted removes all that the organization holds. " +
      "`requestsThisPeriod` tries at once what a plan does whose requests are nearly or all used up.",
    routes: { method: "patch", path: "/_emulator/organizations/{organizationId}" },
    requestBody: ref("OrganizationChange"),
    successes: [success(200, "The organization's state.", "OrganizationState")],
    problems: ["organization-not-found", "personal-organization"],
    example: {
      parameters: { organizationId: "org_demo_pro" },
      request: { status: "suspended" },
      response: { organizationId: "org_demo_pro", plan: "pro", status: "suspended" },
    },
  },
  acceptInvitation: {
    summary: "Accept an invitation",
    description:
      "Makes a pending member an active one. A person whom the service does not know becomes a user, with a " +
      "verified email address; `name` and `password` are for them alone.",
    routes: { method: "post", path: "/_emulator/invitations/accept" },
    requestBody: ref("AcceptInvitationRequest"),
    successes: [success(200, "The new member.", "InvitationAccepted")],
    problems: ["organization-not-found", "member-not-found", "ceiling-reached"],
    example: {
      request: { organizationId: "org_demo_pro", email: "ada@example.test", password: "correct horse" },
      response: { organizationId: "org_demo_pro", userId: "user_1c9d", role: "member" },
    },
  },
  changeSubscription: {
    summary: "Change plan or status of a subscription",
    description:
      "Another plan begins a new subscription. The status canceled takes the organization back to the free plan at " +
      "once, and any other status gives it its plan again; trialing begins a trial of 14 days.",
    routes: { method: "patch", path: "/_emulator/subscriptions/{organizationId}" },
    requestBody: ref("SubscriptionChange"),
    successes: [success(200, "The subscription.", "SubscriptionState")],
    problems: ["organization-not-found"],
    example: {
      parameters: { organizationId: "org_demo_pro" },
      request: { status: "trialing" },
      response: subscription,
    },
  },
  setHealth: {
    summary: "Say what the health endpoints answer",
    routes: { method: "put", path: "/_emulator/health" },
    requestBody: ref("HealthChange"),
    successes: [success(200, "What they answer from now on.", "Health")],
    example: {
      request: { health: "Unhealthy", details: "disk full" },
      response: { health: "Unhealthy", ready: "Ready", live: "Alive", details: "disk full" },
    },
  },
  ...billingOperations,
  ...peopleOperations,
  ...namespaceOperations,
  ...faultOperations,
  ...journalOperations,
});

/** The operations of the control plane. */
export type ControlOperationId = keyof typeof controlPlaneOperations;
