import type { OperationId } from "../../openapi/operations/register.js";
import { limits } from "../../openapi/clauses/limits.js";
import { parseClaims } from "../client/claims.js";
import { disguiseTokens, rewriteClaims } from "./rewrite-answers.js";
import { type AnyJson, type InterceptedResponse, type InterceptedRequest, changeBody } from "./intercept.js";
import { type Mutant, mutant } from "./mutant.js";
import {
  createErrorResponse,
  createSuccessResponse,
  changeResponseBody,
  replaceField,
  isRefusal,
} from "./tampers.js";

/** Returns the time of the deployment in milliseconds since 1970. */
const getResponseTime = ({ headers }: InterceptedResponse) => Date.parse(headers.date ?? "");

/** Returns when the token of a caller expires, in milliseconds since 1970. */
const getExpiryTime = ({ credential }: InterceptedRequest) => Number(parseClaims(credential).exp) * 1000;

const login: readonly OperationId[] = ["login"];
const refresh: readonly OperationId[] = ["refreshSession"];
const change: readonly OperationId[] = ["switchOrganization"];

const always = () => "";

/** Faults in logins, tokens and sessions. */
export const sessionMutants: readonly Mutant[] = [
  mutant("session/password-in-any-case", "AUTH-02", login).by(() => {
    let right: AnyJson;
    return async (wire) => {
      const response = await wire.send();
      const { email, password } = wire.body ?? {};
      if (response.body?.status === "Success") right = { email, password };
      const isRight =
        right?.email === email && String(right?.password).toLowerCase() === String(password).toLowerCase();
      return isRight && response.body?.status === "InvalidCredentials"
        ? wire.send({ body: right })
        : response;
    };
  }),
  mutant("session/unverified-is-invalid", "AUTH-03", login).replaceField("status", (status) =>
    status === "EmailVerificationRequired" ? "InvalidCredentials" : status,
  ),
  mutant("session/mfa-as-verification", "AUTH-04", login).replaceField("status", (status) =>
    status === "MfaRequired" ? "EmailVerificationRequired" : status,
  ),
  mutant("session/opaque-token", "AUTH-28", /./).by(
    disguiseTokens((token) => `tok_${Buffer.from(token.slice(-24)).toString("hex")}`),
  ),
  mutant("session/token-for-a-day", "AUTH-08", /./).by(
    disguiseTokens(rewriteClaims(({ exp, ...rest }) => ({ ...rest, exp: Number(exp) + 23 * 3600 }))),
  ),
  mutant("session/refresh-keeps-access-token", "AUTH-09", [...login, ...refresh]).by(() => {
    const sessions = new Map<string, string>();
    return changeResponseBody((body, wire) => {
      const session = body.authResponse ?? body;
      session.accessToken = sessions.get(wire.body?.refreshToken as string) ?? session.accessToken;
      sessions.set(session.refreshToken as string, session.accessToken as string);
    })();
  }),
  mutant("session/chosen-is-personal", "AUTH-27", change).replaceField(
    "personalOrgId",
    (_, { body }) => body.organizationId,
  ),
  mutant("session/refresh-keeps-token", "AUTH-11", refresh).by(() => {
    // The wrapped deployment accepts only its newest token, so the newest is sent instead.
    const newest = new Map<string, string>();
    return async (wire) => {
      const given = String(wire.body?.refreshToken);
      return changeBody(await wire.send({ body: { refreshToken: newest.get(given) ?? given } }), (body) => {
        newest.set(given, body.refreshToken as string);
        body.refreshToken = given;
      });
    };
  }),
  mutant("session/switch-answers-any-refresh-token", "AUTH-09", change).replaceField("refreshToken", "any"),
  mutant("session/switch-does-nothing", "AUTH-13", change).by(() => {
    let switches = 0;
    // The first switch prepares the user of the run.
    return replaceField("accessToken", (token, { credential }) => (switches++ < 1 ? token : credential))();
  }),
  mutant("session/last-switch-counts", "DB-09", ["switchOrganization", "listDatabases"]).by(() => {
    let last: { readonly user: string; readonly token: string } | undefined;
    const users = new Map<string | undefined, string>();
    return async (wire) => {
      const isSame = last !== undefined && users.get(wire.credential) === last.user;
      if (wire.operationId === "listDatabases")
        return wire.send(isSame ? { credential: last?.token ?? "" } : {});
      return changeBody(await wire.send(), ({ userId, accessToken }) => {
        last = { user: userId, token: accessToken };
        users.set(accessToken, userId);
      });
    };
  }),
  mutant("session/keys-switch", "AUTH-14", change).repeatLastSuccess(
    always,
    (response, { credential }) => isRefusal(response) && credential?.split(".").length !== 3,
  ),
  mutant("session/signature-unread", "AUTH-17", ["listDatabases", "listOrganizations"]).by(() => {
    const valid = new Map<string, string>();
    return async (wire) => {
      const { credential = "" } = wire;
      const [, payload = ""] = credential.split(".");
      const response = await wire.send();
      if (response.status === 200 && payload.length > 20) valid.set(payload, credential);
      const known = valid.get(payload);
      return isRefusal(response) && known !== undefined ? wire.send({ credential: known }) : response;
    };
  }),
  mutant("session/refresh-by-access-token", "AUTH-16", [...change, ...refresh]).by(() => {
    const tokens = new Map<unknown, string>();
    return async (wire) => {
      const refreshToken = tokens.get(wire.body?.refreshToken);
      const response = await wire.send(refreshToken === undefined ? {} : { body: { refreshToken } });
      const { refreshToken: given, accessToken = "" } = response.body ?? {};
      tokens.set(accessToken, given as string);
      return response;
    };
  }),
  mutant("session/keys-by-beginning", "AUTH-16", "queryItems").by(() => {
    const known = new Map<unknown, string>();
    return async (wire) => {
      const { credential = "" } = wire;
      const response = await wire.send();
      if (response.status === 200) known.set(credential.slice(0, -6), credential);
      const like = known.get(credential.slice(0, -6));
      return response.status === 401 && like !== undefined ? wire.send({ credential: like }) : response;
    };
  }),
  mutant("session/login-takes-text", "GEN-06", login).replaceResponse(
    (response, { body }) => isRefusal(response) && typeof body === "string",
    () => createSuccessResponse({ status: "InvalidCredentials", authResponse: null }),
  ),
  mutant("time/expired-token-opens-all-but-one", "AUTH-08", /^(?!listOrganizations$)/).by(() => {
    let valid: string | undefined;
    return async (wire) => {
      const response = await wire.send();
      if (!isRefusal(response)) valid = wire.credential ?? valid;
      const isExpired = isRefusal(response) && getExpiryTime(wire) <= getResponseTime(response);
      return isExpired && valid !== undefined ? wire.send({ credential: valid }) : response;
    };
  }),
  mutant("time/refresh-for-ever", "AUTH-10", refresh).repeatLastSuccess(always, isRefusal),
  mutant("time/refreshed-ends-with-first", "AUTH-10", [...login, ...refresh, ...change]).by(() => {
    const begins = new Map<string, number>();
    return async (wire) => {
      const response = await wire.send();
      const token = (response.body?.authResponse ?? response.body)?.refreshToken as string | undefined;
      if (token === undefined) return response;
      const now = getResponseTime(response);
      const begin = begins.get(wire.body?.refreshToken as string) ?? now;
      if (now > begin + limits.refreshTokenSeconds * 1000) return createErrorResponse(401);
      begins.set(token, begin);
      return response;
    };
  }),
  mutant("time/keys-for-ever", "AUTH-24", "queryItems").repeatLastSuccess(
    always,
    ({ status }) => status === 401,
  ),
];
