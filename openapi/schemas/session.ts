import { withComparisonKind } from "./compare-kinds.js";
import { limits } from "../clauses/limits.js";
import { ref } from "./ref.js";
import * as schema from "./schema-builders.js";

/** The values of `status` in the response of a login (part 7). */
export const loginStatuses = [
  "Success",
  "InvalidCredentials",
  "EmailVerificationRequired",
  "MfaRequired",
  "Error",
] as const;

const expiresIn = withComparisonKind("equal", {
  type: "integer",
  const: limits.accessTokenSeconds,
  description: "Lifetime of the access token in seconds.",
});
const sessionOrNull = { anyOf: [ref("AuthResponse"), schema.onlyNull] };
const texts = (description: string) =>
  withComparisonKind("unordered", { type: "array", items: schema.text("equal"), description });

/** Login, token refresh and switching organizations (parts 2, 4.1 and 7). */
export const sessionSchemas: schema.SchemaGroup = (builder) => ({
  LoginRequest: builder.request("A user's credentials.", {
    email: { type: "string", description: "Email address of the user." },
    password: { type: "string", description: "Password of the user." },
  }),
  // client generators name the response of the operation `login` LoginResponse
  LoginResult: builder.response(
    "The result of a login. The HTTP status is 200 whether or not the login succeeded.",
    {
      status: schema.choice(
        "equal",
        loginStatuses,
        "`Success`: `authResponse` contains the session. `InvalidCredentials`: wrong email address or password. " +
          "`EmailVerificationRequired`: the address must be verified first. `MfaRequired`: a second factor is required. " +
          "`Error`: the login failed for another reason.",
      ),
      [builder.isStrict ? "authResponse" : "authResponse?"]: {
        // The specification does not say what a failed login returns here.
        anyOf: [...sessionOrNull.anyOf, ...(builder.isStrict ? [] : [withComparisonKind("present", {})])],
        description: "The session, if the status is `Success`.",
      },
    },
    builder.isStrict
      ? schema.ifThenElse(
          "status",
          "Success",
          { authResponse: schema.notNull },
          { authResponse: schema.onlyNull },
        )
      : schema.ifThenElse("status", "Success", { authResponse: sessionOrNull }, {}),
  ),
  AuthResponse: builder.response("A session: the tokens, and the user they belong to.", {
    accessToken: schema.text("opaque", "JWT for the `Authorization` header."),
    refreshToken: schema.text("opaque", "Refresh token, which can be used once within 7 days."),
    expiresIn,
    userId: schema.identifier("Id of the user."),
    email: schema.text("opaque", "Email address of the user."),
    name: schema.text("opaque", "Name of the user."),
    avatarUrl: schema.nullable(schema.text("present", "URL of the user's picture, or null.")),
    personalOrgId: schema.identifier("Id of the user's personal organization."),
    permissions: texts("The user's permissions, such as `database:read`."),
    roles: texts("The user's role in the organization that the token is for."),
  }),
  RefreshRequest: builder.request("The session to continue.", {
    refreshToken: { type: "string", description: "The most recently issued refresh token." },
  }),
  RefreshResponse: builder.response("New tokens for a session.", {
    accessToken: schema.text("opaque", "New access token."),
    refreshToken: schema.text("opaque", "A new refresh token."),
    expiresIn,
  }),
  SwitchOrganizationRequest: builder.request("The organization that the new tokens are for.", {
    organizationId: schema.identifier("Id of an organization that the user is a member of."),
  }),
});
