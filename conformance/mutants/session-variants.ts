import { parseClaims } from "../client/claims.js";
import { isClientError } from "../client/is-client-error.js";
import {
  type Interceptor,
  omitFields,
  changeBody,
  createErrorResponse,
  createSuccessResponse,
} from "./intercept.js";
import { type Variant, variant } from "./mutant.js";
import { disguiseTokens, rewriteClaims } from "./rewrite-responses.js";

/**
 * Validates credentials before looking for the user: a plain email address, a password of at least eight characters. Every
 * second refusal has a status of part 7. Two wrong passwords in a row lock the user out.
 */
const validateLogins: Interceptor = async (request) => {
  const email = String(request.body?.email);
  const isPlain = /^[\w.-]+@[\w-]+(\.[\w-]+)+$/.test(email);
  if (!isPlain || String(request.body?.password).length < 8)
    return request.memory.add("refusals") % 2 === 0
      ? createSuccessResponse({ status: "Error" })
      : createErrorResponse(422);
  const before = Number(request.memory.get(["wrong", email]) ?? 0);
  if (before > 1) return createErrorResponse(423);
  const response = await request.send();
  request.memory.set(["wrong", email], response.body?.status === "InvalidCredentials" ? before + 1 : 0);
  return response;
};

/** Access tokens have no signature; their payload is looked up. */
const useUnsignedTokens = disguiseTokens(
  (token) => `${encodeJson({ alg: "none" })}.${getPayload(token)}.`,
  getPayload,
);

/** Access tokens are encrypted, so that clients cannot read their claims. */
const useEncryptedTokens = disguiseTokens((token) => {
  const [, payload = "", signature = ""] = token.split(".");
  const reversed = Array.from(payload).reverse().join("");
  return [encodeJson({ alg: "RSA-OAEP", enc: "A256GCM" }), "a2V5", "aXY", reversed, signature].join(".");
});

/** Refreshed access tokens contain only the user and whole seconds, so two tokens from the same second are equal. */
const issueTokensPerSecond: Interceptor = (request) =>
  changeBody(request.send(), (body) => {
    const holder = body.authResponse ?? body;
    const { sub, org, iat } = parseClaims(holder.accessToken as string);
    holder.accessToken = request.memory.keepFirst([sub, org, iat], holder.accessToken);
  });

function encodeJson(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function getPayload(token: string): string {
  return token.split(".")[1] ?? "";
}

/** Harmless differences in logins and tokens. */
export const sessionVariants: readonly Variant[] = [
  variant("session/validating-logins", "login").by(validateLogins),
  variant("session/errors-of-logins", "login").replaceResponse(isClientError, () =>
    createSuccessResponse({ status: "Error" }),
  ),
  variant("session/members-reach-databases", ["getDatabase", "deleteDatabase"]).retryWithKnownCredential(
    ({ credential, path }) => [parseClaims(credential).sub, path],
  ),
  variant("session/empty-sessions", "login").changeResponseBody((body) => {
    if (body.status !== "Success") body.authResponse = { accessToken: "", refreshToken: "", expiresIn: 0 };
  }),
  variant("session/no-permissions", "login").changeResponseBody((body) => {
    if (body.authResponse) Object.assign(body.authResponse, { permissions: [], roles: [] });
  }),
  { id: "session/unsigned-tokens", alsoIn: ["access"], wrap: useUnsignedTokens },
  { id: "session/encrypted-tokens", alsoIn: ["access"], wrap: useEncryptedTokens },
  {
    id: "session/tokens-without-times",
    wrap: disguiseTokens(rewriteClaims((claims) => omitFields(claims, "iat", "exp"))),
  },
  {
    id: "session/tokens-with-leeway",
    wrap: disguiseTokens(
      rewriteClaims(({ iat, exp, ...rest }) => ({
        ...rest,
        iat: (iat - 60) * 1000,
        exp: String(exp * 1000),
      })),
    ),
  },
  variant("session/created", ["refreshSession", "switchOrganization"], {
    alsoIn: ["access"],
  }).replaceResponse(200, (_, response) => ({ ...response, status: 201 })),
  variant("session/token-of-the-second", ["login", "refreshSession"]).by(issueTokensPerSecond),
];
