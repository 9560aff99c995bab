import { defineSuccess, get, post, remove } from "../operations/operation.js";
import { ref } from "../schemas/ref.js";
import { allRoles } from "../schemas/roles.js";
import * as schema from "../schemas/schema-builders.js";
import * as control from "./define-control.js";

/** Users, their sessions and their invitations. */
export const peopleOperations = control.defineOperations({
  createUser: post("/_emulator/users", "Create a user with a personal organization", {
    requestBody: ref("CreateUserRequest"),
    successes: [defineSuccess(201, "The user.", "User")],
    problems: ["conflict"],
    example: {
      request: { email: "ada@example.test", password: "correct horse" },
    },
  }),
  deleteUser: remove("/_emulator/users/{userId}", "Delete a user and everything that only this user owns", {
    successes: [defineSuccess(204, "The user was deleted.")],
    problems: ["user-not-found"],
  }),
  listUsers: get("/_emulator/users", "List all users", {
    successes: [defineSuccess(200, "The users, oldest first.", "UserList")],
  }),
  createSession: post("/_emulator/sessions", "Log in as a user, without a password", {
    description:
      "Returns an access token for one of the user's organizations, by default the personal organization. The token is " +
      "valid for as long as a token from a login, but there is no refresh token. Identify the user by id or email " +
      "address.",
    requestBody: ref("CreateSessionRequest"),
    successes: [defineSuccess(201, "The access token.", "SessionCreated")],
    problems: ["user-not-found", "organization-not-found", "member-not-found"],
    example: {
      request: { userId: "user_demo_owner", organizationId: "org_demo_pro" },
    },
  }),
  acceptInvitation: post("/_emulator/invitations/accept", "Accept an invitation", {
    description:
      "Makes a pending member active. If no user has the email address, the emulator creates a user and marks the " +
      "address as verified. The emulator uses `name` and `password` only in this case.",
    requestBody: ref("AcceptInvitationRequest"),
    successes: [defineSuccess(200, "The new member.", "InvitationAccepted")],
    problems: ["organization-not-found", "member-not-found"],
    example: {
      request: { organizationId: "org_demo_pro", email: "ada@example.test", password: "correct horse" },
    },
  }),
});

/** The schemas of requests and responses. */
export const peopleSchemas: schema.SchemaGroup = () => ({
  CreateUserRequest: control.object({
    email: { type: "string", minLength: 3, pattern: "^\\s*[^\\s@]+@[^\\s@]+\\s*$" },
    password: { type: "string", minLength: 1 },
    "name?": { type: "string", minLength: 1 },
    "emailVerified?": { type: "boolean", default: true },
    "mfaRequired?": { type: "boolean", default: false },
  }),
  User: control.object({
    userId: { type: "string" },
    email: { type: "string" },
    name: { type: "string" },
    emailVerified: { type: "boolean" },
    mfaRequired: { type: "boolean" },
    personalOrganizationId: { type: "string" },
    createdAt: control.timestamp,
  }),
  UserList: control.object({ users: control.array("User") }),
  CreateSessionRequest: control.object({
    "userId?": schema.identifier("Id of the user to log in as."),
    "email?": { type: "string", minLength: 1, description: "Email address of the user, if no id is given." },
    "organizationId?": schema.identifier("Id of the organization that the token is for."),
  }),
  SessionCreated: control.object({
    accessToken: { type: "string" },
    organizationId: schema.identifier("Id of the organization that the token is for."),
    expiresAt: control.timestamp,
  }),
  AcceptInvitationRequest: control.object({
    organizationId: schema.identifier("Id of the organization that sent the invitation."),
    email: { type: "string", minLength: 1, description: "The invited email address." },
    "name?": { type: "string", minLength: 1 },
    "password?": { type: "string", minLength: 1, description: "Password of the user, if a user is created." },
  }),
  InvitationAccepted: control.object({
    organizationId: schema.identifier("Id of the organization."),
    userId: schema.identifier("Id of the user who is now a member."),
    role: { type: "string", enum: [...allRoles] },
  }),
});
