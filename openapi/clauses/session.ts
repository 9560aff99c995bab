import { defineClauses } from "./clause.js";

/** Parts 4.1, 5 and 7: login, tokens and API keys. */
export const sessionClauses = defineClauses({
  "AUTH-01": {
    part: "4.1",
    statement:
      "POST /auth/password with the right email and password answers 200 with status Success and an authResponse.",
  },
  "AUTH-02": {
    part: "7",
    statement: "A wrong email or password is answered with status InvalidCredentials and no tokens.",
  },
  "AUTH-03": {
    part: "7",
    statement: "A user whose email is not verified gets status EmailVerificationRequired and no tokens.",
  },
  "AUTH-04": {
    part: "7",
    statement: "A user who must complete an MFA challenge gets status MfaRequired and no tokens.",
  },
  "AUTH-05": {
    part: "7",
    statement:
      "The login status is one of Success, InvalidCredentials, EmailVerificationRequired, MfaRequired and Error.",
  },
  "AUTH-06": {
    part: "2",
    statement:
      "An auth response has accessToken, refreshToken, expiresIn, userId, email, name, avatarUrl, personalOrgId, permissions and roles.",
  },
  "AUTH-07": { part: "5", statement: "expiresIn of an access token is 3600 seconds." },
  "AUTH-08": {
    part: "5",
    statement: "An access token authenticates requests for one hour after it was issued and no longer.",
  },
  "AUTH-09": {
    part: "4.1",
    statement: "POST /auth/refresh answers a new access token, a new refresh token and expiresIn.",
  },
  "AUTH-10": { part: "5", statement: "A refresh token can be used for 7 days and no longer." },
  "AUTH-11": {
    part: "5",
    statement:
      "The refresh token that a refresh returns differs from the one that was sent, and works in its turn.",
  },
  "AUTH-12": {
    part: "5",
    statement:
      "POST /auth/switch-organization answers the fields of an auth response at the top level, for the chosen organization.",
  },
  "AUTH-13": {
    part: "5",
    statement: "After switching, the new access token reaches the resources of the chosen organization.",
  },
  "AUTH-14": { part: "4.1", statement: "Switching organization requires a JWT." },
  "AUTH-15": {
    part: "5",
    statement: "Credentials are sent as `Authorization: Bearer <credential>`, API keys and JWTs alike.",
  },
  "AUTH-16": {
    part: "5",
    statement:
      "An operation that needs a credential refuses a request without one, and with one that is not valid.",
  },
  "AUTH-17": {
    part: "5",
    statement:
      "A token whose signature does not fit its content, or that names no signature at all, is refused.",
  },
  "AUTH-18": { part: "5", statement: "The Management API requires a JWT and refuses API keys." },
  "AUTH-19": {
    part: "5",
    statement: "A key with database:read may read items and may not write or delete them.",
  },
  "AUTH-20": {
    part: "5",
    statement: "A key with database:write may write and delete items and may not read them.",
  },
  "AUTH-21": { part: "5", statement: "A key with database:* may read, write and delete items." },
  "AUTH-22": { part: "5", statement: "A key with * may do everything that a key can do." },
  "AUTH-23": { part: "5", statement: "A key with repository scopes alone has no right to items." },
  "AUTH-24": { part: "5", statement: "A key with an expiration date is refused after that date." },
  "AUTH-25": {
    part: "5",
    statement: "The session carries `permissions` and `roles`.",
  },
  "AUTH-26": { part: "4.6", statement: "The role readonly has view-only access: it changes nothing." },
  "AUTH-27": {
    part: "2",
    statement: "A user has a personal organization from signup on, named by personalOrgId.",
  },
  "AUTH-28": { part: "2", statement: "An access token is a JWT." },
});
