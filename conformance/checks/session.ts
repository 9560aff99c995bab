import fc from "fast-check";
import { limits } from "../../openapi/clauses/limits.js";
import { parseClaims, parseClaimTime, isJwt } from "../client/claims.js";
import { anonymous, type ApiResponse, type CallOptions } from "../client/client.js";
import { isClientError } from "../client/is-client-error.js";
import { type Check, defineChecks } from "../check/check.js";
import type { CheckContext } from "../check/context.js";
import { databaseList, readPages } from "../steps/pages.js";
import type { Session } from "../target/actors.js";
import {
  replaceLetter,
  buildWrongCredential,
  exampleWrongCredentials,
  wrongCredentialArbitrary,
} from "./access/wrong-credentials.js";

/** Asserts that a failed login returns no tokens and, if a status is given, reports this status. */
function assertLoginFailed(
  context: CheckContext,
  clause: "AUTH-02" | "AUTH-03" | "AUTH-04",
  answer: ApiResponse,
  status?: string,
): void {
  if (status !== undefined) {
    context.assertStatus(clause, answer, 200);
    context.assertEqual(clause, answer.body.status, status, "status");
  }
  const hasTokens = /"(access|refresh)Token"\s*:\s*"[^"]/.test(answer.text);
  context.assert(clause, !hasTokens, "a response without tokens", answer.text);
}

/** Sends a login with fields that may be missing or wrong. */
function logIn(context: CheckContext, body: unknown, intent?: "invalid"): Promise<ApiResponse> {
  return context.call("login", { as: anonymous, body, ...(intent && { intent }) });
}

/** Asserts that an access token is accepted. */
async function assertAccepted(
  context: CheckContext,
  clause: "AUTH-01" | "AUTH-09" | "AUTH-11" | "AUTH-15",
  accessToken: string,
): Promise<void> {
  const as = { name: "fresh token", credential: accessToken };
  await context.assertSuccess(clause, "listOrganizations", { as });
}

/** Asserts that an access token is a JWT; a failure does not show the token. */
function assertJwt(context: CheckContext, accessToken: string): void {
  context.assert("AUTH-28", isJwt(accessToken), "a JWT as accessToken", "a string that is not a JWT");
}

/** Tolerance: clocks may differ by some minutes, and tokens may be valid for some minutes longer. */
const leewaySeconds = 600;

/**
 * Asserts that a new access token is valid for one hour according to its claims. `iat` may be the time of the login, so the
 * time of the response may count instead.
 *
 * @returns whether the claims show the lifetime
 */
function assertLifetime(context: CheckContext, token: string, { header }: ApiResponse): boolean {
  const { iat, exp } = parseClaims(token);
  const lifetimes = [parseClaimTime(iat), Date.parse(header("date") ?? "")]
    .map((start) => (parseClaimTime(exp) - start) / 1000)
    .filter((lifetime) => !Number.isNaN(lifetime));
  if (lifetimes.length === 0) return false;
  const seconds = limits.accessTokenSeconds;
  const expected = `an access token valid for ${seconds} seconds, give or take a few minutes`;
  const isExpected = lifetimes.some((lifetime) => Math.abs(lifetime - seconds) <= leewaySeconds);
  context.assert("AUTH-08", isExpected, expected, `${lifetimes.join(" or ")} seconds`);
  return true;
}

/** Begins another session of the owner, in addition to the session that the run keeps. */
async function beginSession(context: CheckContext): Promise<Session> {
  return context.actors.startSession(await context.actors.getLogin("owner"), "fresh");
}

/** Checks with users who receive no tokens even with the right password. */
const failedLoginChecks = (
  [
    ["unverified", "AUTH-03", "EmailVerificationRequired", "with an unverified email address"],
    ["mfa", "AUTH-04", "MfaRequired", "with an MFA challenge"],
  ] as const
).map(([user, clause, status, who]): Check => ({
  id: `session/${user}`,
  title: `A user ${who} receives no tokens`,
  clauses: [clause],
  needs: [`${user}-user`],
  // That check also tests how failed logins are reported.
  after: ["session/wrong-password"],
  run: async (context) => {
    const { email, password } = await context.actors.getLogin(user);
    assertLoginFailed(context, clause, await logIn(context, { email, password }), status);
  },
}));

/** Checks of login, refresh, switching and credentials (parts 4.1, 5 and 7). */
export const sessionChecks = defineChecks(
  {
    id: "session/login",
    title: "A login returns the status Success and working tokens",
    clauses: ["AUTH-01", "AUTH-05", "AUTH-06", "AUTH-07", "AUTH-15", "AUTH-25", "AUTH-27", "AUTH-28"],
    needs: ["owner"],
    run: async (context) => {
      const { email, password } = await context.actors.getLogin("owner");
      const response = context.assertStatus("AUTH-01", await logIn(context, { email, password }), 200);
      context.assertEqual("AUTH-05", response.body.status, "Success", "status");
      const session = response.body.authResponse;
      const hasSession = typeof session === "object" && session !== null;
      context.assert("AUTH-01", hasSession, "an authResponse", response.body);
      context.markExercised("AUTH-07", "AUTH-25");
      const isSameEmail = String(session.email).toLowerCase() === email.toLowerCase();
      context.assert("AUTH-06", isSameEmail, `the email ${email}`, session.email);
      assertJwt(context, session.accessToken as string);
      await assertAccepted(context, "AUTH-15", session.accessToken as string);
      const { organizations } = (await context.call("listOrganizations")).body;
      const ids = (organizations as { organizationId: string }[]).map((entry) => entry.organizationId);
      const { userId } = await context.actors.getSession("owner");
      context.assertEqual("AUTH-06", session.userId, userId, "the userId");
      const { personalOrgId } = session as Session;
      const expected = `the personal organization ${personalOrgId} in the user's list`;
      context.assert("AUTH-27", ids.includes(personalOrgId), expected, ids);
    },
  },
  {
    id: "session/token-lifetime",
    title: "An access token is valid for one hour",
    clauses: ["AUTH-08"],
    needs: ["owner"],
    after: ["session/login"],
    run: async (context) => {
      const { email, password } = await context.actors.getLogin("owner");
      const response = await logIn(context, { email, password });
      if (!assertLifetime(context, response.body.authResponse.accessToken as string, response))
        context.notOffered("the access token does not contain its expiration time");
    },
  },
  {
    id: "session/wrong-password",
    title: "A login with a wrong email address or password returns InvalidCredentials and no tokens",
    clauses: ["AUTH-02"],
    needs: ["owner"],
    after: ["session/login"],
    run: async (context) => {
      const { email, password } = await context.actors.getLogin("owner");
      const assertRejected = async (body: object, isPlausible: boolean) => {
        const response = await logIn(context, body, "invalid");
        // The deployment may limit attempts, and may refuse an impossible address or password without looking for the user.
        const isRefused = isClientError(response) || response.body?.status === "Error";
        const mayBeRefused = isPlausible ? response.status === 429 : isRefused;
        assertLoginFailed(context, "AUTH-02", response, mayBeRefused ? undefined : "InvalidCredentials");
      };
      // The deployment may lock out a user after a few failed logins, so a successful login follows each of them.
      for (const wrong of [`${password}x`, swapCase(password)]) {
        if (wrong !== password) await assertRejected({ email, password: wrong }, true);
        await logIn(context, { email, password });
      }
      if (password.length > 1) await assertRejected({ email, password: password.slice(0, -1) }, false);
      await context.property(
        { local: fc.emailAddress({ size: "small" }), guess: fc.string({ minLength: 1, maxLength: 40 }) },
        async ({ local, guess }) => {
          const unusual = `${context.resources.createName()}.${local}`.slice(-200);
          await assertRejected({ email: unusual, password: guess }, false);
          await assertRejected({ email: context.resources.createInviteAddress(), password }, true);
        },
        { share: 0.5 },
      );
    },
  },
  {
    id: "session/malformed-login",
    title:
      "A login with a missing email address, a missing or invalid password, or a body that is not JSON, returns no tokens",
    clauses: ["AUTH-02", "GEN-06"],
    needs: ["owner"],
    run: async (context) => {
      const { email, password } = await context.actors.getLogin("owner");
      const wrong = [1, "", null, true, {}, { $ne: "" }];
      for (const body of [
        { email },
        { password },
        {},
        [],
        ...wrong.map((password) => ({ email, password })),
      ]) {
        const response = await logIn(context, body, "invalid");
        const isFailure = response.status >= 400 || response.body?.status !== "Success";
        context.assert("AUTH-02", isFailure && response.status < 500, "no success", response.text);
        // A few failed logins in a row may lock out the user.
        await logIn(context, { email, password });
      }
      for (const rawBody of ["", "{", `{"email": ${JSON.stringify(email)}`, "email=a&password=b"]) {
        const response = await context.call("login", { as: anonymous, intent: "invalid", rawBody });
        // A login can also report an error in its status.
        const isError = response.body?.status === "Error";
        if (response.status === 200)
          context.assert("GEN-06", isError, "Error: the body is not JSON", response.text);
        else context.assertRefused("GEN-06", response, "the body is not JSON");
      }
    },
  },
  ...failedLoginChecks,
  {
    id: "session/refresh",
    title: "Each of several refreshes in a row returns new tokens that work",
    clauses: ["AUTH-07", "AUTH-09", "AUTH-11", "AUTH-28"],
    needs: ["owner"],
    after: ["session/login"],
    run: async (context) => {
      // Another check refreshes a session that has switched to an organization.
      const { email, password } = await context.actors.getLogin("owner");
      const session = await context.actors.startSession({ email, password }, "fresh");
      let { refreshToken } = session;
      const refreshTokens = new Set([refreshToken]);
      const accessTokens = new Set([session.accessToken]);
      for (let turn = 0; turn < 3; turn++) {
        const clause = turn === 0 ? "AUTH-09" : "AUTH-11";
        // Two tokens issued in the same second may be equal.
        if (turn === 2) await context.client.time.sleep(2000);
        const call = { as: anonymous, body: { refreshToken } };
        const response = await context.assertSuccess(clause, "refreshSession", call, "2XX");
        context.markExercised("AUTH-07");
        const { accessToken } = response.body as Session;
        await assertAccepted(context, "AUTH-09", accessToken);
        assertJwt(context, accessToken);
        assertLifetime(context, accessToken, response);
        const isNew = turn < 2 || !accessTokens.has(accessToken);
        context.assert("AUTH-09", isNew, "a new access token", "an access token that was issued before");
        accessTokens.add(accessToken);
        refreshToken = response.body.refreshToken;
        const hasNewRefreshToken = !refreshTokens.has(refreshToken);
        const expected = "a new refresh token";
        context.assert("AUTH-11", hasNewRefreshToken, expected, "a refresh token that was issued before");
        refreshTokens.add(refreshToken);
      }
      if (!context.offers("invitations")) return;
      for (const [name, clause] of [
        ["readonly", "AUTH-26"],
        ["member", "ORG-26"],
      ] as const) {
        if (!context.offers(name)) continue;
        const begun = await context.actors.startSession(await context.actors.getLogin(name), name);
        const call = { as: anonymous, body: { refreshToken: begun.refreshToken } };
        const { body } = await context.assertSuccess("AUTH-09", "refreshSession", call, "2XX");
        const { accessToken } = context.actors.registerTokens(body as Session, `${name} refreshed`);
        const invitation = {
          as: { name, credential: accessToken },
          path: { organizationId: await context.actors.getOrganizationId("owner") },
          body: { email: context.resources.createInviteAddress() },
        };
        const because = `${name} cannot manage members, even after a refresh`;
        await context.assertRefusal(clause, "inviteMember", invitation, because);
      }
    },
  },
  {
    id: "session/unknown-refresh-token",
    title: "A refresh accepts only refresh tokens, and no other operation accepts them",
    clauses: ["AUTH-16", "AUTH-17"],
    needs: ["owner"],
    after: ["session/login"],
    run: async (context) => {
      const { refreshToken, accessToken } = await beginSession(context);
      const refuse = (clause: "AUTH-16" | "AUTH-17", body: unknown) => {
        const because = "the deployment did not issue this refresh token";
        return context.assertRefusal(clause, "refreshSession", { as: anonymous, body }, because);
      };
      await refuse("AUTH-16", { refreshToken: context.resources.createName() });
      await refuse("AUTH-16", {});
      await context.property(
        { at: fc.nat({ max: 9999 }) },
        async ({ at }) => {
          const altered = replaceLetter(refreshToken, at % (refreshToken.length - 1));
          await refuse("AUTH-17", { refreshToken: altered });
        },
        { share: 0.5 },
      );
      await refuse("AUTH-16", { refreshToken: accessToken });
      const as = { name: "refresh token", credential: refreshToken };
      const because = "a refresh token is not an access token";
      await context.assertRefusal("AUTH-16", "listOrganizations", { as }, because);
    },
  },
  {
    id: "session/switch-organization",
    title: "After a switch to another organization, the new token gives access only to that organization",
    clauses: ["AUTH-09", "AUTH-12", "AUTH-13", "AUTH-14", "AUTH-27", "AUTH-28", "DB-09"],
    needs: ["owner", "database", "create-organizations", "create-databases"],
    after: ["session/login"],
    run: async (context) => {
      const before = await context.resources.getDatabase();
      const organizationId = await context.resources.createOrganization();
      const body = { organizationId };
      const response = await context.assertSuccess("AUTH-12", "switchOrganization", { body }, "2XX");
      const owner = await context.actors.getSession("owner");
      context.assertFields("AUTH-12", response.body, owner, "the response", ["userId", "email"]);
      context.assertFields("AUTH-27", response.body, owner, "the response", ["personalOrgId"]);
      assertJwt(context, response.body.accessToken as string);
      assertLifetime(context, response.body.accessToken as string, response);
      const session = context.actors.registerTokens(response.body as Session, "switched");
      const as = { name: "switched token", credential: session.accessToken };
      const { databaseId } = await context.resources.createDatabase({ as });
      const { ids } = await readPages(context, { ...databaseList, as });
      const isThere = ids.includes(databaseId) && !ids.includes(before);
      const expected = `database ${databaseId} of the chosen organization, but not ${before}`;
      context.assert("AUTH-13", isThere, expected, ids);
      const refresh = { body: { refreshToken: session.refreshToken } };
      const renewed = await context.assertSuccess("AUTH-09", "refreshSession", refresh, "2XX");
      const { accessToken } = context.actors.registerTokens(
        renewed.body as Session,
        "switched and refreshed",
      );
      const refreshed = { name: "switched and refreshed token", credential: accessToken };
      const { ids: reached } = await readPages(context, { ...databaseList, as: refreshed });
      // The refreshed token may be for another organization, and the refresh may have ended the earlier token.
      const isForChosen = reached.includes(databaseId);
      const remover = isForChosen ? refreshed : await context.actors.getCallerIn("owner", organizationId);
      const uses = [
        ["listMembers", { path: { organizationId } }],
        ...((await context.canUseTokensForData())
          ? [["queryItems", { path: { databaseId }, body: { partitionKey: "p" } }] as const]
          : []),
      ] as const;
      if (isForChosen)
        for (const [operationId, call] of uses)
          await context.assertSuccess("AUTH-09", operationId, {
            ...call,
            as: refreshed,
            intent: "may-be-refused",
          });
      // With this intent, a refusal of the refreshed token is not taken for one of the operation.
      const removal = { as: remover, path: { databaseId }, intent: "may-be-refused" } as const;
      await context.assertSuccess(isForChosen ? "AUTH-09" : "AUTH-13", "deleteDatabase", removal, 204);
      await context.resources.waitUntilGone(databaseId, { as: remover });
      // The earlier token, or its renewal if a user can have only one session, is still for the same organization.
      const { ids: others } = await readPages(context, databaseList);
      context.assert("DB-09", others.includes(before), `${before} in the owner's list`, others);
      for (const [caller, because] of [
        [anonymous, "the token is missing"],
        ...(context.offers("key *")
          ? [[await context.actors.getKeyCaller("*"), "an API key is not a JWT"] as const]
          : []),
      ] as const)
        await context.assertRefusal("AUTH-14", "switchOrganization", { as: caller, body }, because);
    },
  },
  {
    id: "session/invalid-credentials",
    title: "Missing, malformed and altered credentials are rejected everywhere",
    clauses: ["AUTH-15", "AUTH-16", "AUTH-17"],
    needs: ["owner", "database"],
    after: ["session/login"],
    run: async (context) => {
      const databaseId = await context.resources.getDatabase();
      const { accessToken } = await beginSession(context);
      const all = ["listDatabases", "listOrganizations", "queryItems", "getUsage"] as const;
      // The specification does not say that access tokens give access to items.
      const canQuery = await context.canUseTokensForData();
      const operations = all.filter((operation) => operation !== "queryItems" || canQuery);
      const callOf = (operation: (typeof operations)[number]): CallOptions =>
        operation === "queryItems"
          ? { path: { databaseId }, body: { partitionKey: context.resources.createName() } }
          : {};
      // The unaltered token is valid.
      for (const operation of operations) {
        const as = { name: "fresh token", credential: accessToken };
        await context.assertSuccess("AUTH-15", operation, { ...callOf(operation), as });
      }
      await context.property(
        { operation: fc.constantFrom(...operations), wrong: wrongCredentialArbitrary },
        async ({ operation, wrong }) => {
          const built = buildWrongCredential(wrong, accessToken);
          if (built === undefined) return;
          const { clause, header } = built;
          const headers: CallOptions["headers"] = header === undefined ? {} : { Authorization: header };
          const call = { ...callOf(operation), as: { name: wrong.what }, headers };
          await context.assertRefusal(clause, operation, call, wrong.what);
        },
        {
          share: 2,
          examples: exampleWrongCredentials.map((wrong) => ({ operation: "listDatabases" as const, wrong })),
        },
      );
      if (!context.offers("key *")) return;
      const key = await context.actors.getKeyCaller("*");
      const { credential = "" } = key;
      const call = callOf("queryItems");
      await context.assertSuccess("AUTH-15", "queryItems", { ...call, as: key });
      for (const altered of [replaceLetter(credential, credential.length - 3), `${credential}more`]) {
        const as = { name: "altered key", credential: altered };
        await context.assertRefusal("AUTH-16", "queryItems", { ...call, as }, "there is no such key");
      }
    },
  },
);

function swapCase(text: string): string {
  return text.replace(/\p{L}/gu, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}
