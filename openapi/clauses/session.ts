import { defineClauses } from "./clause.js";

/** Parts 4.1, 5 and 7: login, tokens and API keys. */
export const sessionClauses = defineClauses({
  "4.1": {
    "AUTH-01":
      "POST /auth/password with the correct email and password returns 200 with the status Success and an authResponse.",
    "AUTH-09": "POST /auth/refresh returns a new access token, a new refresh token and expiresIn.",
    "AUTH-14": "Switching to another organization requires a JWT.",
  },
  "7": {
    "AUTH-02": "A login with a wrong email or password gets the status InvalidCredentials and no tokens.",
    "AUTH-03": "A user whose email is not verified gets the status EmailVerificationRequired and no tokens.",
    "AUTH-04": "A user who must complete an MFA challenge gets the status MfaRequired and no tokens.",
    "AUTH-05":
      "The login status is one of Success, InvalidCredentials, EmailVerificationRequired, MfaRequired and Error.",
  },
  "2": {
    "AUTH-06":
      "An auth response has accessToken, refreshToken, expiresIn, userId, email, name, avatarUrl, personalOrgId, permissions and roles.",
    "AUTH-27": "From signup on, a user has a personal organization, whose id is personalOrgId.",
    "AUTH-28": "An access token is a JWT.",
  },
  "5": {
    "AUTH-07": "The expiresIn of an access token is 3600 seconds.",
    "AUTH-08": "An access token is valid for one hour after it is issued, but no longer.",
    "AUTH-10": "A refresh token is valid for 7 days, but no longer.",
    "AUTH-11":
      "POST /auth/refresh returns a refresh token that differs from the one in the request and can itself be used for a refresh.",
    "AUTH-12":
      "POST /auth/switch-organization returns the fields of an auth response for the chosen organization, at the top level.",
    "AUTH-13":
      "After an organization switch, the new access token gives access to the chosen organization's resources.",
    "AUTH-15": "Both API keys and JWTs are sent as `Authorization: Bearer <credential>`.",
    "AUTH-16":
      "An operation that needs a credential rejects requests without a credential and requests with an invalid credential.",
    "AUTH-17":
      "A token is rejected if its signature does not match its content or if it declares no signature.",
    "AUTH-18": "The Management API requires a JWT and rejects API keys.",
    "AUTH-19": "A key with database:read can read items but cannot write or delete them.",
    "AUTH-20": "A key with database:write can write and delete items but cannot read them.",
    "AUTH-21": "A key with database:* can read, write and delete items.",
    "AUTH-22": "A key with * can do everything that any other key can do.",
    "AUTH-23": "A key with only repository scopes has no access to items.",
    "AUTH-24": "A key with an expiration date is rejected after that date.",
    "AUTH-25": "A session has `permissions` and `roles`.",
  },
  "4.6": {
    "AUTH-26": "A user with the role readonly has view-only access and cannot change anything.",
  },
});
