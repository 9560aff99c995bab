import { withComparisonKind } from "./compare-kinds.js";
import { limits } from "../clauses/limits.js";
import { ref } from "./ref.js";
import {
  nullSchema,
  responseObjectSchema,
  buildIfThenElseSchema,
  identifierSchema,
  notNullSchema,
  requestObjectSchema,
  type SchemaGroup,
} from "./schema-builders.js";

/** The values of `status` in the response of a login (part 7). */
export const loginStatuses = [
  "Success",
  "InvalidCredentials",
  "EmailVerificationRequired",
  "MfaRequired",
  "Error",
] as const;

/** Login, token refresh and switching organizations (parts 2, 4.1 and 7). */
export const sessionSchemas: SchemaGroup = (strictness) => {
  return {
    LoginRequest: requestObjectSchema(strictness, {
      email: { type: "string", description: "E-mail address of the user." },
      password: { type: "string", description: "Password of the user." },
    }),
    // client generators name the response of the operation `login` LoginResponse
    LoginResult: {
      ...responseObjectSchema(
        strictness,
        {
          status: withComparisonKind("equal", { type: "string", enum: [...loginStatuses] }),
          authResponse: {
            anyOf: [ref("AuthResponse"), { type: "null" }],
            description: "The session, if the status is `Success`.",
          },
        },
        { optional: strictness.kind === "open" ? ["authResponse"] : [] },
      ),
      ...(strictness.kind === "strict"
        ? buildIfThenElseSchema("status", "Success", {
            then: { authResponse: notNullSchema },
            otherwise: { authResponse: nullSchema },
          })
        : {}),
    },
    AuthResponse: responseObjectSchema(strictness, {
      accessToken: withComparisonKind("opaque", {
        type: "string",
        description: "JWT for the `Authorization` header.",
      }),
      refreshToken: withComparisonKind("opaque", {
        type: "string",
        description: "Refresh token, which can be used once within 7 days.",
      }),
      expiresIn: {
        type: "integer",
        "x-compare": "equal",
        const: limits.accessTokenSeconds,
        description: "Lifetime of the access token in seconds.",
      },
      userId: identifierSchema("Id of the user."),
      email: withComparisonKind("opaque", { type: "string" }),
      name: withComparisonKind("opaque", { type: "string" }),
      avatarUrl: withComparisonKind("present", { type: ["string", "null"] }),
      personalOrgId: identifierSchema("Id of the personal organization of the user."),
      permissions: withComparisonKind("unordered", {
        type: "array",
        items: withComparisonKind("equal", { type: "string" }),
        description: "Permissions of the user, such as `database:read`.",
      }),
      roles: {
        type: "array",
        "x-compare": "unordered",
        items: withComparisonKind("equal", { type: "string" }),
        description: "The role of the user in the organization that the token is for.",
      },
    }),
    RefreshRequest: requestObjectSchema(strictness, { refreshToken: { type: "string" } }),
    RefreshResponse: responseObjectSchema(strictness, {
      accessToken: withComparisonKind("opaque", { type: "string" }),
      refreshToken: withComparisonKind("opaque", { type: "string", description: "A new refresh token." }),
      expiresIn: withComparisonKind("equal", { type: "integer", const: limits.accessTokenSeconds }),
    }),
    SwitchOrganizationRequest: requestObjectSchema(strictness, {
      organizationId: identifierSchema("Id of an organization that the user is a member of."),
    }),
  };
};
