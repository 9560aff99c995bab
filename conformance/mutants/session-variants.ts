import { parseClaims } from "../client/claims.js";
import { isClientError } from "../client/is-client-error.js";
import { type Interceptor, omitFields, changeBody } from "./intercept.js";
import { type Variant, variant, defineVariantInAreas } from "./mutant.js";
import { disguiseTokens, rewriteClaims } from "./rewrite-answers.js";
import { createErrorResponse, createSuccessResponse } from "./tampers.js";

/**
 * Validates credentials before looking for the user: a plain email address, a password of at least eight characters. Every
 * second refusal has a status of part 7. Two wrong passwords in a row lock the user out.
 */
const validateLogins: () => Interceptor = () => {
  const wrong = new Map<string, number>();
  let number = 0;
  return async (wire) => {
    const email = String(wire.body?.email);
    const isPlain = /^[\w.-]+@[\w-]+(\.[\w-]+)+$/.test(email);
    if (!isPlain || String(wire.body?.password).length < 8)
      return ++number % 2 === 0 ? createSuccessResponse({ status: "Error" }) : createErrorResponse(422);
    const before = wrong.get(email) ?? 0;
    if (before > 1) return createErrorResponse(423);
    const response = await wire.send();
    wrong.set(email, response.body?.status === "InvalidCredentials" ? before + 1 : 0);
    return response;
  };
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
const issueTokensPerSecond: () => Interceptor = () => {
  const last = new Map<unknown, string>();
  return async (wire) => {
    const response = await wire.send();
    if (wire.operationId !== "login" && wire.operationId !== "refreshSession") return response;
    return changeBody(response, (body) => {
      const holder = body.authResponse ?? body;
      const { sub, org, iat } = parseClaims(holder.accessToken as string);
      const moment = `${sub} ${org} ${String(iat)}`;
      holder.accessToken = last.get(moment) ?? holder.accessToken;
      last.set(moment, holder.accessToken as string);
    });
  };
};

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
  variant("session/members-reach-databases", ["getDatabase", "deleteDatabase"]).by(() => {
    const opens = new Map<string, string>();
    return async (wire) => {
      const name = `${parseClaims(wire.credential).sub} ${wire.path.databaseId ?? ""}`;
      const response = await wire.send();
      const other = opens.get(name);
      if (response.status < 300 && wire.credential !== undefined) opens.set(name, wire.credential);
      return response.status >= 400 && other !== undefined ? wire.send({ credential: other }) : response;
    };
  }),
  variant("session/no-permissions", "login").changeResponseBody((body) => {
    if (body.authResponse) Object.assign(body.authResponse, { permissions: [], roles: [] });
  }),
  ...defineVariantInAreas(["session", "access"], "unsigned-tokens", /./).by(useUnsignedTokens),
  ...defineVariantInAreas(["session", "access"], "encrypted-tokens", /./).by(useEncryptedTokens),
  variant("session/tokens-without-times", /./).by(
    disguiseTokens(rewriteClaims((claims) => omitFields(claims, "iat", "exp"))),
  ),
  variant("session/tokens-with-leeway", /./).by(
    disguiseTokens(
      rewriteClaims(({ iat, exp, ...rest }) => ({
        ...rest,
        iat: (iat - 60) * 1000,
        exp: String(exp * 1000),
      })),
    ),
  ),
  variant("session/token-of-the-second", /./).by(issueTokensPerSecond),
];
