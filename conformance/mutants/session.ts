import type { OperationId } from "../../openapi/operations/register.js";
import { limits } from "../../openapi/clauses/limits.js";
import { parseClaims } from "../client/claims.js";
import { disguiseTokens, rewriteClaims } from "./rewrite-responses.js";
import {
  type AnyJson,
  type InterceptedResponse,
  type InterceptedRequest,
  changeBody,
  createErrorResponse,
  createSuccessResponse,
  isErrorResponse,
  usesApiKey,
} from "./intercept.js";
import { type Mutant, mutant } from "./mutant.js";

/** Returns the time of the deployment in milliseconds since 1970. */
const getResponseTime = ({ headers }: InterceptedResponse) => Date.parse(headers.date ?? "");

/** Returns when the token of a caller expires, in milliseconds since 1970. */
const getExpiryTime = ({ credential }: InterceptedRequest) => Number(parseClaims(credential).exp) * 1000;

const lengthenToDay = rewriteClaims(({ exp, ...rest }) => ({ ...rest, exp: Number(exp) + 23 * 3600 }));

const login: readonly OperationId[] = ["login"];
const refresh: readonly OperationId[] = ["refreshSession"];
const change: readonly OperationId[] = ["switchOrganization"];

const always = () => "";

/** Faults in logins, tokens and sessions. */
export const sessionMutants: readonly Mutant[] = [
  mutant("session/query-as-password", "AUTH-02", login).by(async (request) => {
    const { email, password } = request.body ?? {};
    const known: AnyJson = request.memory.get(email);
    if (typeof password === "object" && password !== null && known !== undefined) return known;
    const response = await request.send();
    return response.body?.status === "Success" ? request.memory.set(email, response) : response;
  }),
  mutant("session/password-in-any-case", "AUTH-02", login).by(async (request) => {
    const response = await request.send();
    const user = [request.body?.email, String(request.body?.password).toLowerCase()];
    if (response.body?.status === "Success") request.memory.set(user, request.body);
    const body: unknown = request.memory.get(user);
    return response.body?.status === "InvalidCredentials" && body !== undefined
      ? request.send({ body })
      : response;
  }),
  mutant("session/unverified-is-invalid", "AUTH-03", login).replaceField("status", (status) =>
    status === "EmailVerificationRequired" ? "InvalidCredentials" : status,
  ),
  mutant("session/mfa-as-verification", "AUTH-04", login).replaceField("status", (status) =>
    status === "MfaRequired" ? "EmailVerificationRequired" : status,
  ),
  {
    id: "session/opaque-token",
    clause: "AUTH-28",
    wrap: disguiseTokens((token) => `tok_${Buffer.from(token.slice(-24)).toString("hex")}`),
  },
  {
    id: "session/token-for-a-day",
    clause: "AUTH-08",
    wrap: disguiseTokens(lengthenToDay),
  },
  ...(["refreshSession", "switchOrganization"] as const).map((operation) =>
    mutant(`session/${operation}-returns-token-for-a-day`, "AUTH-08", /./).by((request) => {
      const { memory, credential } = request;
      const response = request.send({ credential: memory.get(credential) });
      if (request.operationId !== operation) return response;
      return changeBody(response, (body) => {
        const longer = lengthenToDay(body.accessToken as string);
        memory.set(longer, body.accessToken);
        body.accessToken = longer;
      });
    }),
  ),
  mutant("session/refresh-keeps-access-token", "AUTH-09", [...login, ...refresh]).changeResponseBody(
    (body, request) => {
      const session = body.authResponse ?? body;
      session.accessToken = request.memory.get(request.body?.refreshToken) ?? session.accessToken;
      request.memory.set(session.refreshToken, session.accessToken);
    },
  ),
  ...(["deleteDatabase", "listMembers", "queryItems"] as const).map((operation) =>
    mutant(`session/refreshed-tokens-refused-by-${operation}`, "AUTH-09", ["refreshSession", operation]).by(
      ({ operationId, credential, memory, send }) =>
        operationId === "refreshSession"
          ? changeBody(send(), ({ accessToken }) => memory.set(accessToken, true))
          : (memory.get(credential) ?? false)
            ? createErrorResponse(403)
            : send(),
    ),
  ),
  mutant("session/refresh-gives-rights-of-owner", "AUTH-26", ["refreshSession", "inviteMember"]).by(
    async ({ operationId, path, credential, memory, send }) => {
      if (operationId === "refreshSession")
        return changeBody(send(), ({ accessToken }) => memory.set(accessToken, true));
      const response = await send();
      if (!isErrorResponse(response)) memory.set(path, credential);
      return memory.get(credential) === true ? send({ credential: memory.get(path) }) : response;
    },
  ),
  mutant("session/chosen-is-personal", "AUTH-27", change).replaceField(
    "personalOrgId",
    (_, { body }) => body.organizationId,
  ),
  mutant("session/refresh-keeps-token", "AUTH-11", refresh).by((request) => {
    // The wrapped deployment accepts only its newest token, so the newest is sent instead.
    const given: unknown = request.body?.refreshToken;
    const newest: unknown = request.memory.get(given) ?? given;
    return changeBody(request.send({ body: { refreshToken: newest } }), (body) => {
      request.memory.set(given, body.refreshToken);
      body.refreshToken = given;
    });
  }),
  mutant("session/switch-answers-any-refresh-token", "AUTH-09", change).replaceField("refreshToken", "any"),
  mutant("session/login-answers-any-user-id", "AUTH-06", login).changeResponseBody(({ authResponse }) => {
    if (authResponse) authResponse.userId = "any";
  }),
  mutant("session/login-answers-any-refresh-token", "AUTH-09", login).changeResponseBody(
    ({ authResponse }) => {
      if (authResponse) authResponse.refreshToken = "any";
    },
  ),
  mutant("session/switch-does-nothing", "AUTH-13", change).replaceField(
    "accessToken",
    // The first switch prepares the user of the run.
    (token, { credential, memory }) => (memory.add("switches") > 1 ? credential : token),
  ),
  mutant("session/last-switch-counts", "DB-09", ["switchOrganization", "listDatabases"]).by((request) => {
    const { sub } = parseClaims(request.credential);
    return request.operationId === "listDatabases"
      ? request.send({ credential: request.memory.get(sub) })
      : changeBody(request.send(), ({ accessToken }) => request.memory.set(sub, accessToken));
  }),
  mutant("session/keys-switch", "AUTH-14", change).repeatLastSuccess(
    always,
    (response, { credential }) => isErrorResponse(response) && credential?.split(".").length !== 3,
  ),
  mutant("session/signature-unread", "AUTH-17", [
    "listDatabases",
    "listOrganizations",
  ]).retryWithKnownCredential(({ credential }) => credential?.split(".")[1]),
  mutant("session/refresh-by-access-token", "AUTH-16", [...change, ...refresh]).by(async (request) => {
    const body: unknown = request.memory.get(request.body?.refreshToken) ?? request.body;
    return changeBody(request.send({ body }), ({ accessToken, refreshToken }) =>
      request.memory.set(accessToken, { refreshToken }),
    );
  }),
  mutant("session/keys-by-beginning", "AUTH-16", "queryItems").retryWithKnownCredential(
    ({ credential }) => credential?.slice(0, -6),
    ({ status }) => status === 401,
  ),
  mutant("session/keys-without-ends", "AUTH-16", "queryItems").retryWithKnownCredential(
    // A key has 36 characters.
    ({ credential }) => credential?.slice(0, 34),
    ({ status }, request) => usesApiKey(request) && status === 401,
  ),
  mutant("session/none-in-other-case", "AUTH-17", "listDatabases").retryWithKnownCredential(
    ({ credential }) => credential?.split(".")[1],
    (_, { credential = "" }) => {
      const header = Buffer.from(credential.split(".")[0] ?? "", "base64url").toString();
      return /"none"/i.test(header) && !header.includes('"none"');
    },
  ),
  mutant("session/login-takes-text", "GEN-06", login).replaceResponse(
    (response, { body }) => isErrorResponse(response) && typeof body === "string",
    () => createSuccessResponse({ status: "InvalidCredentials", authResponse: null }),
  ),
  mutant(
    "time/expired-token-opens-all-but-one",
    "AUTH-08",
    /^(?!listOrganizations$)/,
  ).retryWithKnownCredential(
    always,
    (response, request) => isErrorResponse(response) && getExpiryTime(request) <= getResponseTime(response),
  ),
  mutant("time/refresh-for-ever", "AUTH-10", refresh).repeatLastSuccess(always, isErrorResponse),
  mutant("time/refreshed-ends-with-first", "AUTH-10", [...login, ...refresh, ...change]).by(
    async (request) => {
      const response = await request.send();
      const token: unknown = (response.body?.authResponse ?? response.body)?.refreshToken;
      if (token === undefined) return response;
      const begin = Number(request.memory.get(request.body?.refreshToken) ?? getResponseTime(response));
      request.memory.set(token, begin);
      const isOver = getResponseTime(response) > begin + limits.refreshTokenSeconds * 1000;
      return isOver ? createErrorResponse(401) : response;
    },
  ),
  mutant("time/keys-for-ever", "AUTH-24", "queryItems").repeatLastSuccess(
    always,
    ({ status }) => status === 401,
  ),
];
