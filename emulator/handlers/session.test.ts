import { createHmac } from "node:crypto";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { getPropertyRuns } from "../testing/property-runs.js";
import type { EmulatorOptions } from "../api/emulator.js";
import { eachAnswer } from "../testing/each-answer.js";
import { type LoginResponse, type Session, decodeTokenPart } from "../testing/session.js";
import { getProblemKind } from "../testing/read-problem.js";
import { type TestEmulator, createTestEmulator } from "../testing/test-client.js";

const password = "demo-password";
const databases = "/api/v1/management/databases";
const demoDatabase = `${databases}/db_demo`;

let running: TestEmulator;

async function start(options: EmulatorOptions = {}): Promise<TestEmulator> {
  await (running as TestEmulator | undefined)?.emulator.close();
  running = await createTestEmulator(options);
  return running;
}

beforeEach(() => start());
afterEach(() => running.emulator.close());

const login = (email: string, given = password) =>
  running.client.post("/auth/password", { email, password: given });
const loginBody = async (email: string, given = password) =>
  (await login(email, given)).body as LoginResponse;
const logInForSession = async (email: string) => (await loginBody(email)).authResponse;
const refresh = (refreshToken: string) => running.client.post("/auth/refresh", { refreshToken });
const switchTo = (accessToken: string, organizationId: string) =>
  running.client.as(accessToken).post("/auth/switch-organization", { organizationId });

/** Sets the clock so that the next request is at the given time. */
function nextRequestAt(milliseconds: number): void {
  running.emulator.clock.set(new Date(milliseconds - 1).toISOString());
}

const now = () => Date.parse(running.emulator.clock.get().now);

describe("login", () => {
  it("[AUTH-01] [AUTH-05] [AUTH-06] [AUTH-07] [AUTH-25] [AUTH-27] [AUTH-28] returns a session for the right email and password", async () => {
    const answer = await login("owner@demo.test");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
    const { status, authResponse } = answer.body as LoginResponse;
    expect(status).toBe("Success");
    const { accessToken, refreshToken, ...rest } = authResponse;
    expect(accessToken).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    const [header, claims] = accessToken
      .split(".")
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>);
    expect(header).toMatchObject({ alg: expect.any(String) as string });
    expect(Number(claims?.exp) - Number(claims?.iat)).toBe(3600);
    expect(refreshToken).not.toBe("");
    expect(rest).toEqual({
      expiresIn: 3600,
      userId: "user_demo_owner",
      email: "owner@demo.test",
      name: "Olive Owner",
      avatarUrl: null,
      personalOrgId: "org_personal_owner",
      permissions: ["database:read", "database:write", "repository:read", "repository:write"],
      roles: ["owner"],
    });
  });

  it("ignores space around an email address", async () => {
    expect((await loginBody("  owner@demo.test ")).status).toBe("Success");
  });

  it("[AUTH-01] ignores case in addresses, and stores them in lower case", async () => {
    await start();
    expect((await loginBody("Owner@DEMO.test")).status).toBe("Success");
    const { accessToken } = await logInForSession("owner@demo.test");
    const members = "/api/v1/organizations/org_demo_pro/members";
    const owner = running.client.as(accessToken);
    const invited = await owner.post(members, { email: "Ada@demo.test" });
    expect(invited.body).toMatchObject({ email: "ada@demo.test" });
    expect((await owner.post(members, { email: "ada@Demo.test" })).status).toBe(409);
  });

  it("[AUTH-02] [AUTH-05] returns InvalidCredentials alike for a wrong password and an unknown address", async () => {
    const wrong = await login("owner@demo.test", "demo-passwore");
    const unknown = await login("nobody@demo.test");
    expect([wrong.status, wrong.body]).toEqual([200, { status: "InvalidCredentials", authResponse: null }]);
    expect([unknown.status, unknown.text]).toEqual([200, wrong.text]);
  });

  it.each(["", " demo-password", "DEMO-PASSWORD", "demo-passwor", "demo-password\u0000"])(
    "[AUTH-02] refuses the password %j",
    async (given) => {
      expect((await loginBody("owner@demo.test", given)).status).toBe("InvalidCredentials");
    },
  );

  it("[AUTH-03] [AUTH-05] returns EmailVerificationRequired without tokens", async () => {
    expect((await login("unverified@demo.test")).body).toEqual({
      status: "EmailVerificationRequired",
      authResponse: null,
    });
  });

  it("[AUTH-04] [AUTH-05] returns MfaRequired without tokens", async () => {
    expect((await login("mfa@demo.test")).body).toEqual({ status: "MfaRequired", authResponse: null });
  });

  it("[AUTH-02] reveals nothing about an account without its password", async () => {
    for (const email of ["unverified@demo.test", "mfa@demo.test"])
      expect((await loginBody(email, "wrong")).status).toBe("InvalidCredentials");
  });

  it.each([
    {},
    { email: "owner@demo.test" },
    { password },
    { email: 1, password },
    { email: null, password },
    [],
  ])("refuses the body %j as not valid", async (body) => {
    const answer = await running.client.post("/auth/password", body);
    expect([answer.status, getProblemKind(answer)]).toEqual([400, "validation-failed"]);
  });

  it("[AUTH-06] [AUTH-27] creates a personal organization for every new user, and logs in to it", async () => {
    const { emulator, client } = running;
    const created = emulator.users.create({ email: "ada@demo.test", password: "p", name: "Ada" });
    const session = (await loginBody("ada@demo.test", "p")).authResponse;
    expect([session.userId, session.personalOrgId, session.name]).toEqual([
      created.userId,
      created.personalOrganizationId,
      "Ada",
    ]);
    expect((await client.as(session.accessToken).get(databases)).body).toEqual({
      databases: [],
      nextCursor: null,
    });
    expect((await switchTo(session.accessToken, session.personalOrgId)).status).toBe(200);
  });

  eachAnswer("login-organization", "is what a login is for", async (answer, profile) => {
    await start({ profile });
    const { accessToken } = await logInForSession("owner@demo.test");
    const status = (await running.client.as(accessToken).get(demoDatabase)).status;
    expect(status).toBe(answer === "personal" ? 404 : 200);
    const readonly = await logInForSession("readonly@demo.test");
    expect(readonly.roles).toEqual([answer === "personal" ? "owner" : "readonly"]);
    // without another organization, the login is for the personal one
    const created = running.emulator.users.create({ email: "ada@demo.test", password });
    const ada = await logInForSession("ada@demo.test");
    expect([ada.roles, ada.personalOrgId]).toEqual([["owner"], created.personalOrganizationId]);
    // the order of joining counts, not that of invitations
    for (const organizationId of ["org_demo_pro", "org_demo_enterprise"]) {
      const owner = await running.login("owner@demo.test", organizationId);
      await owner.post(`/api/v1/organizations/${organizationId}/members`, {
        email: "ada@demo.test",
        role: organizationId === "org_demo_pro" ? "readonly" : "admin",
      });
    }
    for (const organizationId of ["org_demo_enterprise", "org_demo_pro"]) {
      running.emulator.invitations.accept({ organizationId, email: "ada@demo.test" });
      running.emulator.clock.advance("1s");
    }
    expect((await logInForSession("ada@demo.test")).roles).toEqual([
      answer === "personal" ? "owner" : "admin",
    ]);
    // a login cannot be for a deleted organization
    running.emulator.organizations.change("org_demo_pro", { status: "deleted" });
    expect((await logInForSession("readonly@demo.test")).roles).toEqual(["owner"]);
  });
});

it("a refused switch or refresh has its own status", async () => {
  const { refreshToken } = await logInForSession("owner@demo.test");
  const { accessToken } = (await refresh(refreshToken)).body as Session;
  expect((await refresh(refreshToken)).status).toBe(401);
  expect((await switchTo(accessToken, "org_nowhere")).status).toBe(404);
});

describe("an access token", () => {
  it("[AUTH-07] [AUTH-08] works for exactly an hour of the emulator's clock", async () => {
    // tokens contain times in whole seconds, so this token is issued at the start of a second
    const issued = Date.UTC(2030, 5, 1, 12);
    nextRequestAt(issued);
    const { accessToken } = await logInForSession("owner@demo.test");
    const client = running.client.as(accessToken);
    nextRequestAt(issued + 3_600_000 - 1);
    expect((await client.get(databases)).status).toBe(200);
    const late = await client.get(databases);
    expect(now()).toBe(issued + 3_600_000);
    expect([late.status, getProblemKind(late)]).toEqual([401, "unauthenticated"]);
  });

  it("[AUTH-08] expires when the control plane advances the clock", async () => {
    const { control, client } = running;
    const { accessToken } = await logInForSession("owner@demo.test");
    await control.patch("/_emulator/clock", { advance: "PT59M" });
    expect((await client.as(accessToken).get(databases)).status).toBe(200);
    await control.patch("/_emulator/clock", { advance: "PT1M" });
    expect((await client.as(accessToken).get(databases)).status).toBe(401);
  });

  it("[AUTH-08] states when it expires", async () => {
    const { accessToken } = await logInForSession("owner@demo.test");
    const { iat, exp, sub } = decodeTokenPart(accessToken, "payload");
    expect([iat, exp, sub]).toEqual([
      Date.UTC(2030, 0, 1) / 1000,
      Date.UTC(2030, 0, 1, 1) / 1000,
      "user_demo_owner",
    ]);
  });

  it("[AUTH-17] is refused when any single character of it is changed", async () => {
    const { accessToken } = await logInForSession("owner@demo.test");
    const { client } = running;
    expect((await client.as(accessToken).get(databases)).status).toBe(200);
    const characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".split("");
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: accessToken.length - 1 }),
        fc.constantFrom(...characters, "", ".", "=", "+", "/", "!"),
        async (at, character) => {
          fc.pre(accessToken[at] !== character);
          const tampered = accessToken.slice(0, at) + character + accessToken.slice(at + 1);
          const answer = await client.as(tampered).get(databases);
          expect([answer.status, getProblemKind(answer)]).toEqual([401, "unauthenticated"]);
        },
      ),
      { numRuns: getPropertyRuns(200) },
    );
  });

  it("[AUTH-17] is refused with every other last character, though some decode to the same bytes", async () => {
    const { accessToken } = await logInForSession("owner@demo.test");
    for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") {
      const token = accessToken.slice(0, -1) + character;
      expect((await running.client.as(token).get(databases)).status).toBe(token === accessToken ? 200 : 401);
    }
  });

  it("[AUTH-17] is refused if its header names no signature, another algorithm or another key", async () => {
    const { accessToken } = await logInForSession("owner@demo.test");
    const [header = "", payload = "", signature = ""] = accessToken.split(".");
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const sign = (content: string, algorithm: string, key: string) =>
      `${content}.${createHmac(algorithm, key).update(content).digest("base64url")}`;
    const none = encode({ alg: "none", typ: "JWT" });
    const headers = [
      none,
      encode({ alg: "NONE" }),
      encode({ alg: "HS512", typ: "JWT" }),
      encode({ typ: "JWT" }),
    ];
    const forged = [
      `${none}.${payload}.`,
      `${none}.${payload}.${signature}`,
      `${header}.${payload}.`,
      `${header}..${signature}`,
      `.${payload}.${signature}`,
      "..",
      ...headers.map((other) => `${other}.${payload}.${signature}`),
      sign(`${header}.${payload}`, "sha256", ""),
      sign(`${header}.${payload}`, "sha256", "secret"),
      sign(`${encode({ alg: "HS512", typ: "JWT" })}.${payload}`, "sha512", "secret"),
      `${encode({ alg: "RS256", typ: "JWT" })}.${payload}.${signature}`,
      `${encode([])}.${payload}.${signature}`,
      `${header}.${encode("text")}.${signature}`,
      `${header}.${Buffer.from("no JSON").toString("base64url")}.${signature}`,
    ];
    for (const token of forged) {
      const answer = await running.client.as(token).get(databases);
      expect([token, answer.status, getProblemKind(answer)]).toEqual([token, 401, "unauthenticated"]);
    }
  });

  it("[AUTH-16] [AUTH-17] is refused if it comes from another seed", async () => {
    const { accessToken } = await logInForSession("owner@demo.test");
    await start({ seed: 2 });
    expect((await running.client.as(accessToken).get(databases)).status).toBe(401);
  });

  it("[AUTH-16] is refused once its user is deleted, as is the refresh token", async () => {
    const { emulator, client } = running;
    const { accessToken, refreshToken } = await logInForSession("member@demo.test");
    emulator.users.delete("user_demo_member");
    const answer = await client.as(accessToken).get(databases);
    expect([answer.status, getProblemKind(answer)]).toEqual([401, "unauthenticated"]);
    expect((await refresh(refreshToken)).status).toBe(401);
    expect((await loginBody("member@demo.test")).status).toBe("InvalidCredentials");
  });

  it("[AUTH-16] is refused for a deleted organization; other tokens of its user still work", async () => {
    const { emulator, client, tokens } = running;
    const personal = await logInForSession("admin@demo.test");
    const pro = await tokens("admin@demo.test", "org_demo_pro");
    emulator.organizations.change("org_demo_pro", { status: "deleted" });
    expect((await client.as(pro.accessToken).get(databases)).status).toBe(401);
    expect((await refresh(pro.refreshToken)).status).toBe(401);
    expect(
      (await client.as("dsk_demo_all").get("/api/v1/databases/db_demo/items/settings/currency")).status,
    ).toBe(401);
    expect((await client.as(personal.accessToken).get(databases)).status).toBe(200);
    expect((await switchTo(personal.accessToken, "org_demo_pro")).status).toBe(404);
  });

  it("[AUTH-16] is refused for an organization deleted with its owner", async () => {
    const { emulator, client, tokens } = running;
    const pro = await tokens("admin@demo.test", "org_demo_pro");
    emulator.users.delete("user_demo_owner");
    expect((await client.as(pro.accessToken).get(databases)).status).toBe(401);
    expect((await refresh(pro.refreshToken)).status).toBe(401);
    expect(
      (await switchTo((await logInForSession("admin@demo.test")).accessToken, "org_demo_pro")).status,
    ).toBe(404);
  });
});

describe("refresh", () => {
  it("[AUTH-07] [AUTH-09] [AUTH-11] returns new tokens that work in turn", async () => {
    const first = await logInForSession("owner@demo.test");
    const seen = new Set([first.refreshToken]);
    let { refreshToken } = first;
    for (let turn = 0; turn < 3; turn += 1) {
      const answer = await refresh(refreshToken);
      const next = answer.body as Session;
      expect([answer.status, Object.keys(next).sort()]).toEqual([
        200,
        ["accessToken", "expiresIn", "refreshToken"],
      ]);
      expect(next.expiresIn).toBe(3600);
      expect(next.accessToken).not.toBe(first.accessToken);
      expect((await running.client.as(next.accessToken).get(databases)).status).toBe(200);
      ({ refreshToken } = next);
      seen.add(refreshToken);
    }
    expect(seen.size).toBe(4);
  });

  it("[AUTH-09] keeps the organization after a switch", async () => {
    const { client, tokens } = running;
    const { refreshToken } = await tokens("owner@demo.test", "org_demo_pro");
    const { accessToken } = (await refresh(refreshToken)).body as Session;
    expect((await client.as(accessToken).get(demoDatabase)).status).toBe(200);
  });

  it("[AUTH-10] works for exactly 7 days of the emulator's clock", async () => {
    const week = 7 * 86_400_000;
    const [one, other] = [await logInForSession("owner@demo.test"), await logInForSession("owner@demo.test")];
    const issued = now();
    nextRequestAt(issued - 1 + week - 1);
    expect((await refresh(one.refreshToken)).status).toBe(200);
    nextRequestAt(issued + week);
    const late = await refresh(other.refreshToken);
    expect([late.status, getProblemKind(late)]).toEqual([401, "unauthenticated"]);
    expect(late.headers.get("www-authenticate")).toContain("Bearer");
  });

  it("[AUTH-10] starts 7 days again with every refresh", async () => {
    const { emulator } = running;
    let { refreshToken } = await logInForSession("owner@demo.test");
    for (let turn = 0; turn < 3; turn += 1) {
      emulator.clock.advance("P6D");
      ({ refreshToken } = (await refresh(refreshToken)).body as Session);
    }
    emulator.clock.advance("P7D");
    expect((await refresh(refreshToken)).status).toBe(401);
  });

  it.each(["", "rt_unknown", "..", "\u0000"])(
    "[AUTH-16] refuses the unknown token %j",
    async (refreshToken) => {
      expect((await refresh(refreshToken)).status).toBe(401);
    },
  );

  it("[AUTH-16] refuses an access token and an API key in place of a refresh token", async () => {
    const { accessToken } = await logInForSession("owner@demo.test");
    expect((await refresh(accessToken)).status).toBe(401);
    expect((await refresh("dsk_demo_all")).status).toBe(401);
  });

  it("[AUTH-16] gives a refresh token no rights of its own", async () => {
    const { refreshToken } = await logInForSession("owner@demo.test");
    expect((await running.client.as(refreshToken).get(databases)).status).toBe(401);
  });

  it.each([{}, { refreshToken: null }, { refreshToken: 5 }])(
    "refuses the body %j as not valid",
    async (body) => {
      expect((await running.client.post("/auth/refresh", body)).status).toBe(400);
    },
  );

  eachAnswer("refresh-token-reuse", "is what becomes of a used refresh token", async (answer, profile) => {
    await start({ profile });
    const { refreshToken } = await logInForSession("owner@demo.test");
    const next = (await refresh(refreshToken)).body as Session;
    const again = await refresh(refreshToken);
    expect(again.status).toBe(answer === "rejected" ? 401 : 200);
    expect((await refresh(next.refreshToken)).status).toBe(200);
  });
});

describe("refresh after a switch", () => {
  eachAnswer("refresh-organization", "is which organization tokens are for", async (answer, profile) => {
    await start({ profile });
    const { client, tokens } = running;
    const { refreshToken } = await tokens("owner@demo.test", "org_demo_pro");
    const { accessToken } = (await refresh(refreshToken)).body as Session;
    const isSwitched = answer === "switched-to";
    expect((await client.as(accessToken).get(demoDatabase)).status).toBe(isSwitched ? 200 : 404);
  });
});

describe("switching organization", () => {
  it("[AUTH-06] [AUTH-12] [AUTH-25] returns a session for the chosen organization at the top level", async () => {
    const before = await logInForSession("readonly@demo.test");
    const answer = await switchTo(before.accessToken, "org_demo_pro");
    const { accessToken, refreshToken, ...rest } = answer.body as Session;
    expect([answer.status, rest]).toEqual([
      200,
      {
        expiresIn: 3600,
        userId: "user_demo_readonly",
        email: "readonly@demo.test",
        name: "Rey Readonly",
        avatarUrl: null,
        personalOrgId: "org_personal_readonly",
        permissions: ["database:read", "repository:read"],
        roles: ["readonly"],
      },
    ]);
    expect(accessToken).not.toBe(before.accessToken);
    expect(refreshToken).not.toBe(before.refreshToken);
  });

  it("[AUTH-13] reaches the chosen organization and leaves the old token unchanged", async () => {
    const { client } = running;
    const before = await logInForSession("owner@demo.test");
    const { accessToken } = (await switchTo(before.accessToken, "org_demo_pro")).body as Session;
    expect((await client.as(before.accessToken).get(demoDatabase)).status).toBe(404);
    expect((await client.as(accessToken).get(demoDatabase)).status).toBe(200);
    const enterprise = (await switchTo(accessToken, "org_demo_enterprise")).body as Session;
    expect((await client.as(enterprise.accessToken).get(demoDatabase)).status).toBe(404);
    const back = (await switchTo(enterprise.accessToken, "org_demo_pro")).body as Session;
    expect((await client.as(back.accessToken).get(demoDatabase)).status).toBe(200);
  });

  it.each([
    ["owner", ["database:read", "database:write", "repository:read", "repository:write"]],
    ["admin", ["database:read", "database:write", "repository:read", "repository:write"]],
    ["member", ["database:read", "database:write", "repository:read", "repository:write"]],
    ["readonly", ["database:read", "repository:read"]],
  ])("[AUTH-25] carries role %s and its permissions", async (role, permissions) => {
    const { accessToken } = await logInForSession(`${role}@demo.test`);
    const session = (await switchTo(accessToken, "org_demo_pro")).body as Session;
    expect([session.roles, session.permissions]).toEqual([[role], permissions]);
  });

  it("[AUTH-14] requires a JWT, and rejects anonymous callers and API keys", async () => {
    const { client } = running;
    const body = { organizationId: "org_demo_pro" };
    expect((await client.post("/auth/switch-organization", body)).status).toBe(401);
    const key = await client.as("dsk_demo_all").post("/auth/switch-organization", body);
    expect([key.status, getProblemKind(key)]).toEqual([403, "wrong-credential-kind"]);
  });

  it("[GEN-05] treats another organization as missing", async () => {
    const { accessToken } = await logInForSession("outsider@demo.test");
    const foreign = await switchTo(accessToken, "org_demo_pro");
    const missing = await switchTo(accessToken, "org_nowhere");
    expect([foreign.status, foreign.text]).toEqual([404, missing.text]);
    expect(missing.status).toBe(404);
  });

  it.each([{}, { organizationId: "" }, { organizationId: 1 }])(
    "refuses the body %j as not valid",
    async (body) => {
      const { accessToken } = await logInForSession("owner@demo.test");
      expect((await running.client.as(accessToken).post("/auth/switch-organization", body)).status).toBe(400);
    },
  );
});

describe("tokens of a seed", () => {
  const transcript = async (seed: number) => {
    await start({ seed });
    const session = await logInForSession("owner@demo.test");
    const next = (await refresh(session.refreshToken)).body as Session;
    const switched = (await switchTo(next.accessToken, "org_demo_pro")).body as Session;
    return [session, next, switched].flatMap(({ accessToken, refreshToken }) => [accessToken, refreshToken]);
  };

  it("are the same every time and differ for another seed", async () => {
    const one = await transcript(5);
    expect(await transcript(5)).toEqual(one);
    const other = await transcript(6);
    expect(one.filter((token) => other.includes(token))).toEqual([]);
    expect(new Set(one).size).toBe(6);
  });
});
