import fc from "fast-check";
import { limits } from "../../openapi/clauses/limits.js";
import type { ClauseId } from "../../openapi/clauses/register.js";
import { parseClaims, isJwt } from "../client/claims.js";
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
} from "./wrong-credentials.js";

/** Asserts that a failed login has the right status and contains no tokens. */
function assertNoTokens(
  context: CheckContext,
  clause: "AUTH-02" | "AUTH-03" | "AUTH-04",
  answer: ApiResponse,
  status: string,
): void {
  context.assertStatus(clause, answer, 200);
  context.assertEqual(clause, answer.body.status, status, "status");
  assertNothingGiven(context, clause, answer);
}

function assertNothingGiven(context: CheckContext, clause: ClauseId, { text }: ApiResponse): void {
  context.assert(clause, !/"(access|refresh)Token"\s*:\s*"/.test(text), "a response without tokens", text);
}

/** Whether a login was refused without looking for the user, with a status of HTTP or of part 7. */
function isInvalid(answer: ApiResponse): boolean {
  return isClientError(answer) || answer.body?.status === "Error";
}

/** Whether a login was refused because of too many attempts, which is allowed. */
function isLimited({ status }: ApiResponse): boolean {
  return status === 429;
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

/** Asserts that an access token is a JWT, without showing the token in a failure. */
function assertJwt(context: CheckContext, accessToken: string): void {
  context.assert("AUTH-28", isJwt(accessToken), "a JWT as accessToken", "a string that is not a JWT");
}

/** Tolerance, because clocks may differ by some minutes, and tokens may be valid for some minutes longer. */
const leewaySeconds = 600;

/** Returns the lifetime of a token in seconds according to its claims; NaN if they do not show it. */
function lifeOf(token: string, { header }: ApiResponse): number {
  const { iat = Date.parse(header("date") ?? "") / 1000, exp } = parseClaims(token);
  // RFC 7519 has seconds since 1970; in milliseconds they are a thousand times as many
  const [from, to] = [iat, exp].map((time) => (Number(time) > 1e11 ? Number(time) / 1000 : Number(time)));
  return Number(to) - Number(from);
}

/** Logs the owner in, in addition to the session that the run keeps. */
async function fresh(context: CheckContext): Promise<Session> {
  return context.actors.startSession(await context.actors.getLogin("owner"), "fresh");
}

/** Users who receive no tokens even with the right password. */
const failedLogins = (
  [
    ["unverified", "AUTH-03", "EmailVerificationRequired", "with an unverified email address"],
    ["mfa", "AUTH-04", "MfaRequired", "with an MFA challenge"],
  ] as const
).map(([user, clause, status, who]): Check => ({
  id: `session/${user}`,
  title: `A user ${who} receives no tokens`,
  clauses: [clause],
  needs: [`${user}-user`],
  // how a failed login is reported is checked once for all of them of them
  after: ["session/wrong-password"],
  run: async (context) => {
    const { email, password } = await context.actors.getLogin(user);
    const answer = await context.call("login", { as: anonymous, body: { email, password } });
    assertNoTokens(context, clause, answer, status);
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
      const call = { as: anonymous, body: { email, password } };
      const answer = await context.assertSuccess("AUTH-01", "login", call);
      context.assertEqual("AUTH-05", answer.body.status, "Success", "status");
      const session = answer.body.authResponse;
      const isGiven = typeof session === "object" && session !== null;
      context.assert("AUTH-01", isGiven, "an authResponse", answer.body);
      context.markExercised("AUTH-07", "AUTH-25");
      const isTheirs = String(session.email).toLowerCase() === email.toLowerCase();
      context.assert("AUTH-06", isTheirs, `the email ${email}`, session.email);
      assertJwt(context, session.accessToken as string);
      await assertAccepted(context, "AUTH-15", session.accessToken as string);
      const own = await context.call("listOrganizations");
      const ids = own.body.organizations.map(
        ({ organizationId }: { organizationId: string }) => organizationId,
      );
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
      const answer = await context.call("login", { as: anonymous, body: { email, password } });
      const life = lifeOf(answer.body.authResponse.accessToken as string, answer);
      if (Number.isNaN(life)) context.notOffered("the access token does not contain its expiration time");
      const seconds = limits.accessTokenSeconds;
      const expected = `an access token valid for ${seconds} seconds, give or take a few minutes`;
      const isRight = Math.abs(life - seconds) <= leewaySeconds;
      context.assert("AUTH-08", isRight, expected, `${life} seconds`);
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
      const refuse = async (
        body: { email: string; password: string },
        mayBeRefused: (answer: ApiResponse) => boolean,
      ) => {
        const answer = await context.call("login", { as: anonymous, intent: "invalid", body });
        if (mayBeRefused(answer)) assertNothingGiven(context, "AUTH-02", answer);
        else assertNoTokens(context, "AUTH-02", answer, "InvalidCredentials");
      };
      // few tries at a real user, and none after another: a deployment may lock them out
      for (const wrong of [`${password}x`, swapCase(password)]) {
        if (wrong !== password) await refuse({ email, password: wrong }, isLimited);
        await context.call("login", { as: anonymous, body: { email, password } });
      }
      // what nobody can have may be refused before anybody is looked for: a rare address, a short password
      if (password.length > 1) await refuse({ email, password: password.slice(0, -1) }, isInvalid);
      await context.property(
        [fc.emailAddress({ size: "small" }), fc.string({ minLength: 1, maxLength: 40 })],
        async (local, guess) => {
          const rare = `${context.resources.createName()}.${local}`.slice(-200);
          await refuse({ email: rare, password: guess }, isInvalid);
          await refuse({ email: context.resources.createInviteAddress(), password }, isLimited);
        },
        { names: ["local", "guess"], share: 0.5 },
      );
    },
  },
  {
    id: "session/malformed-login",
    title: "A login without an email address or password, or with a body that is not JSON, returns no tokens",
    clauses: ["AUTH-02", "GEN-06"],
    needs: ["owner"],
    run: async (context) => {
      const { email, password } = await context.actors.getLogin("owner");
      for (const body of [{ email }, { password }, {}, [], { email, password: 1 }]) {
        const answer = await context.call("login", { as: anonymous, intent: "invalid", body });
        const isFailure = answer.status >= 400 || answer.body?.status !== "Success";
        context.assert("AUTH-02", isFailure && answer.status < 500, "no success", answer.text);
      }
      for (const rawBody of ["", "{", `{"email": ${JSON.stringify(email)}`, "email=a&password=b"]) {
        const answer = await context.call("login", { as: anonymous, intent: "invalid", rawBody });
        // the status of a login can tell an error as well
        const isError = answer.body?.status === "Error";
        if (answer.status === 200)
          context.assert("GEN-06", isError, "Error: the body is not JSON", answer.text);
        else context.assertRefused("GEN-06", answer, "the body is not JSON");
      }
    },
  },
  ...failedLogins,
  {
    id: "session/refresh",
    title: "Each of several refreshes in a row returns new tokens that work",
    clauses: ["AUTH-07", "AUTH-09", "AUTH-11", "AUTH-28"],
    needs: ["owner"],
    after: ["session/login"],
    run: async (context) => {
      const begun = await fresh(context);
      let { refreshToken } = begun;
      const seen = new Set([refreshToken]);
      const accessTokens = new Set([begun.accessToken]);
      for (let turn = 0; turn < 3; turn++) {
        const clause = turn === 0 ? "AUTH-09" : "AUTH-11";
        // a token that holds no more than whole seconds is another one in another second
        if (turn === 2) await context.client.time.sleep(2000);
        const call = { as: anonymous, body: { refreshToken } };
        const answer = await context.assertSuccess(clause, "refreshSession", call, "2XX");
        context.markExercised("AUTH-07");
        const { accessToken } = answer.body as Session;
        await assertAccepted(context, "AUTH-09", accessToken);
        assertJwt(context, accessToken);
        const isNew = turn < 2 || !accessTokens.has(accessToken);
        context.assert("AUTH-09", isNew, "a new access token", "an access token that was issued before");
        accessTokens.add(accessToken);
        refreshToken = answer.body.refreshToken;
        const isFresh = !seen.has(refreshToken);
        context.assert("AUTH-11", isFresh, "a new refresh token", "a refresh token that was issued before");
        seen.add(refreshToken);
      }
    },
  },
  {
    id: "session/unknown-refresh-token",
    title: "A refresh accepts only refresh tokens, and no other operation does",
    clauses: ["AUTH-16", "AUTH-17"],
    needs: ["owner"],
    after: ["session/login"],
    run: async (context) => {
      const { refreshToken, accessToken } = await fresh(context);
      const refuse = (clause: "AUTH-16" | "AUTH-17", body: unknown) => {
        const because = "the deployment did not issue this refresh token";
        return context.assertRefusal(clause, "refreshSession", { as: anonymous, body }, because);
      };
      await refuse("AUTH-16", { refreshToken: context.resources.createName() });
      await refuse("AUTH-16", {});
      await context.property(
        [fc.nat({ max: 9999 })],
        async (at) => {
          await refuse("AUTH-17", {
            refreshToken: replaceLetter(refreshToken, at % (refreshToken.length - 1)),
          });
        },
        { names: ["at"], share: 0.5 },
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
      const answer = await context.assertSuccess("AUTH-12", "switchOrganization", { body }, "2XX");
      const { userId, email, personalOrgId } = await context.actors.getSession("owner");
      context.assertEqual("AUTH-12", answer.body.userId, userId, "the userId");
      context.assertEqual("AUTH-12", answer.body.email, email, "the email");
      context.assertEqual("AUTH-27", answer.body.personalOrgId, personalOrgId, "the personalOrgId");
      assertJwt(context, answer.body.accessToken as string);
      const chosen = context.actors.registerTokens(answer.body as Session, "switched");
      const as = { name: "switched token", credential: chosen.accessToken };
      const { databaseId } = await context.resources.createDatabase({ as });
      const { ids } = await readPages(context, { ...databaseList, as });
      const isThere = ids.includes(databaseId) && !ids.includes(before);
      const expected = `database ${databaseId} of the chosen organization, but not ${before}`;
      context.assert("AUTH-13", isThere, expected, ids);
      await context.assertSuccess("AUTH-13", "deleteDatabase", { as, path: { databaseId } }, 204);
      await context.resources.waitUntilGone(databaseId, { as });
      const refresh = { body: { refreshToken: chosen.refreshToken } };
      const renewed = await context.assertSuccess("AUTH-09", "refreshSession", refresh, "2XX");
      context.actors.registerTokens(renewed.body as Session, "switched and refreshed");
      // the token from before is for the same organization as before; where a user has one session, it is a new one
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
      const { accessToken } = await fresh(context);
      const all = ["listDatabases", "listOrganizations", "queryItems", "getUsage"] as const;
      // that a token opens items is said nowhere
      const opensItems = await context.canUseTokensForData();
      const operations = all.filter((operation) => operation !== "queryItems" || opensItems);
      const callOf = (operation: (typeof operations)[number]): CallOptions =>
        operation === "queryItems"
          ? { path: { databaseId }, body: { partitionKey: context.resources.createName() } }
          : {};
      // the token itself is good, whatever is made of it below
      for (const operation of operations) {
        const as = { name: "fresh token", credential: accessToken };
        await context.assertSuccess("AUTH-15", operation, { ...callOf(operation), as });
      }
      await context.property(
        [fc.constantFrom(...operations), wrongCredentialArbitrary],
        async (operation, wrong) => {
          const built = buildWrongCredential(wrong, accessToken);
          if (built === undefined) return;
          const { clause, header } = built;
          const headers: CallOptions["headers"] = header === undefined ? {} : { Authorization: header };
          const call = { ...callOf(operation), as: { name: wrong.what }, headers };
          await context.assertRefusal(clause, operation, call, wrong.what);
        },
        {
          names: ["operation", "wrong"],
          share: 2,
          examples: exampleWrongCredentials.map((wrong) => ["listDatabases" as const, wrong]),
        },
      );
      if (!context.offers("key *")) return;
      const key = await context.actors.getKeyCaller("*");
      const { credential = "" } = key;
      const altered = { name: "altered key", credential: replaceLetter(credential, credential.length - 3) };
      const call = callOf("queryItems");
      await context.assertSuccess("AUTH-15", "queryItems", { ...call, as: key });
      await context.assertRefusal("AUTH-16", "queryItems", { ...call, as: altered }, "no key is like this");
    },
  },
);

function swapCase(text: string): string {
  return text.replace(/\p{L}/gu, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}
