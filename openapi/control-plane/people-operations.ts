import { planTypes } from "../clauses/limits.js";
import { success } from "../operations/operation.js";
import { ref } from "../schemas/ref.js";
import { responseObject, identifier, type SchemaGroup, timestamp } from "../schemas/schema-builders.js";
import { databaseStatuses } from "../schemas/databases.js";
import { organizationStatuses } from "../schemas/organizations.js";
import { defineControlOperations } from "./define-control-operations.js";
import { optionalMembers } from "./optional-members.js";

const user = {
  userId: "user_demo_owner",
  email: "owner@demo.test",
  name: "Olive Owner",
  emailVerified: true,
  mfaRequired: false,
  personalOrganizationId: "org_personal_owner",
  createdAt: "2030-01-01T00:00:00.000Z",
};
const organization = {
  organizationId: "org_demo_pro",
  name: "Demo Pro",
  slug: "demo-pro",
  plan: "pro",
  status: "active",
  isPersonal: false,
  ownerUserId: "user_demo_owner",
  databases: 1,
  createdAt: "2030-01-01T00:00:00.000Z",
};

const database = {
  databaseId: "db_demo",
  organizationId: "org_demo_pro",
  name: "demo",
  region: "eu-west-1",
  status: "Active",
  items: 11,
  repositories: 2,
  sqlTables: 2,
  createdAt: "2030-01-01T00:00:00.000Z",
};

/** Everybody in a namespace and what they own, and a session as any of them. */
export const peopleOperations = defineControlOperations({
  listUsers: {
    summary: "List all users",
    routes: { method: "get", path: "/_emulator/users" },
    successes: [success(200, "The users, oldest first.", "UserList")],
    example: { response: { users: [user] } },
  },
  listOrganizations: {
    summary: "List all organizations",
    routes: { method: "get", path: "/_emulator/organizations" },
    successes: [success(200, "The organizations that are not deleted, oldest first.", "OrganizationList")],
    example: { response: { organizations: [organization] } },
  },
  listAllDatabases: {
    summary: "List all databases",
    routes: { method: "get", path: "/_emulator/databases" },
    successes: [success(200, "The databases of all organizations, oldest first.", "AllDatabases")],
    example: { response: { databases: [database] } },
  },
  createSession: {
    summary: "Log in as a user, without their password",
    description:
      "Gives an access token for an organization that the user is a member of, the personal one without a name. It " +
      "lives as long as one of a login does; there is no refresh token. The user is named by id or by e-mail address.",
    routes: { method: "post", path: "/_emulator/sessions" },
    requestBody: ref("CreateSessionRequest"),
    successes: [success(201, "The access token.", "SessionCreated")],
    problems: ["user-not-found", "organization-not-found", "member-not-found"],
    example: {
      request: { userId: "user_demo_owner", organizationId: "org_demo_pro" },
      response: {
        accessToken: "eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl",
        organizationId: "org_demo_pro",
        expiresAt: "2030-01-01T01:00:00.000Z",
      },
    },
  },
});

/** What they take and give. */
export const peopleSchemas: SchemaGroup = (strictness) => ({
  User: responseObject(strictness, {
    userId: { type: "string" },
    email: { type: "string" },
    name: { type: "string" },
    emailVerified: { type: "boolean" },
    mfaRequired: { type: "boolean" },
    personalOrganizationId: { type: "string" },
    createdAt: timestamp(strictness),
  }),
  UserList: responseObject(strictness, { users: { type: "array", items: ref("User") } }),
  OrganizationEntry: responseObject(strictness, {
    organizationId: { type: "string" },
    name: { type: "string" },
    slug: { type: "string" },
    plan: { type: "string", enum: [...planTypes] },
    status: { type: "string", enum: [...organizationStatuses] },
    isPersonal: { type: "boolean", description: "Whether it came with a user." },
    ownerUserId: { type: "string" },
    databases: { type: "integer", description: "How many it has." },
    createdAt: timestamp(strictness),
  }),
  OrganizationList: responseObject(strictness, {
    organizations: { type: "array", items: ref("OrganizationEntry") },
  }),
  DatabaseEntry: responseObject(strictness, {
    databaseId: { type: "string" },
    organizationId: { type: "string" },
    name: { type: "string" },
    region: { type: "string" },
    status: { type: "string", enum: [...databaseStatuses] },
    items: { type: "integer", description: "Raw items." },
    repositories: { type: "integer", description: "How many it has." },
    sqlTables: { type: "integer", description: "How many it has." },
    createdAt: timestamp(strictness),
  }),
  AllDatabases: responseObject(strictness, { databases: { type: "array", items: ref("DatabaseEntry") } }),
  CreateSessionRequest: optionalMembers(strictness, {
    userId: identifier("Who logs in."),
    email: { type: "string", minLength: 1, description: "Their e-mail address, in place of the id." },
    organizationId: identifier("The organization that the token is for."),
  }),
  SessionCreated: responseObject(strictness, {
    accessToken: { type: "string" },
    organizationId: identifier("The organization that the token is for."),
    expiresAt: timestamp(strictness),
  }),
});
