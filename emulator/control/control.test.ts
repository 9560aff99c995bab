import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { unlimitedCount } from "../../openapi/clauses/limits.js";
import { buildControlPlaneDocument } from "../../openapi/control-plane/document.js";
import { controlPlaneOperations } from "../../openapi/control-plane/operations.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { createEmulator, type EmulatorOptions } from "../api/emulator.js";
import { sendRawBytes } from "../testing/raw-socket.js";
import type { Session } from "../testing/session.js";
import { getRefusal } from "../testing/read-problem.js";
import {
  type TestResponse,
  type TestClient,
  type TestEmulator,
  createTestEmulator,
} from "../testing/test-client.js";
import { catchProblem } from "../testing/catch-problem.js";

/** A response whose whole body is compared. */
interface ComparedResponse {
  readonly status: number;
  readonly body: unknown;
}

const databases = "/api/v1/management/databases";

let running: TestEmulator;
let control: TestClient;

async function start(options: EmulatorOptions = {}): Promise<void> {
  await (running as TestEmulator | undefined)?.emulator.close();
  running = await createTestEmulator(options);
  ({ control } = running);
}
beforeEach(() => start());
afterEach(() => running.emulator.close());

const look = (answer: Promise<TestResponse>): Promise<ComparedResponse> => answer;
const now = async () => ((await control.get("/_emulator/clock")).body as { now: string }).now;
const login = async (email: string, password = "demo-password") =>
  ((await running.client.post("/auth/password", { email, password })).body as { status: string }).status;

describe("GET /_emulator", () => {
  it("says what the emulator is, contains and was seeded with", async () => {
    const { status, body } = await look(control.get("/_emulator"));
    expect(status).toBe(200);
    expect(body).toEqual(running.emulator.state());
    expect(body).toMatchObject({
      namespace: "default",
      fixture: "demo",
      seed: 1,
      profile: defaultProfile,
      clock: { mode: "manual", now: "2030-01-01T00:00:00.000Z" },
      counts: { users: 7, organizations: 10, apiKeys: 7, databases: 1, items: 11 },
    });
    const held = { repositories: 2, entities: 9, sqlTables: 2, sqlRows: 9 };
    expect(body).toMatchObject({ counts: held });
    const client = running.client.as("dsk_demo_all");
    await client.post("/api/v1/repositories/repo_demo_events", { data: {} });
    await client.post("/databases/db_demo/sql/execute", { sql: "CREATE TABLE t (a INT PRIMARY KEY)" });
    await client.post("/databases/db_demo/sql/query", { sql: "INSERT INTO t VALUES (1), (2)" });
    expect(running.emulator.state().counts).toMatchObject({
      items: 11,
      repositories: 2,
      entities: held.entities + 1,
      sqlTables: held.sqlTables + 1,
      sqlRows: held.sqlRows + 2,
    });
    const { users, apiKeys } = running.emulator.state().credentials;
    expect(users).toHaveLength(7);
    expect(apiKeys).toHaveLength(7);
    for (const { email, password } of users)
      expect(await login(email, password)).not.toBe("InvalidCredentials");
  });

  it("shows no credentials that have stopped working, and none that were not seeded", () => {
    const { emulator } = running;
    emulator.users.create({ email: "ada@demo.test", password: "p" });
    emulator.apiKeys.create({ organizationId: "org_demo_free", name: "new", scopes: ["*"] });
    emulator.users.delete("user_demo_mfa");
    emulator.apiKeys.delete("key_demo_all");
    const { credentials, counts } = emulator.state();
    expect(counts).toMatchObject({ users: 7, apiKeys: 7 });
    expect(credentials.users.map(({ email }) => email)).not.toContain("mfa@demo.test");
    expect(credentials.users).toHaveLength(6);
    expect(credentials.apiKeys).toHaveLength(6);
  });
});

describe("the clock", () => {
  it("ticks a millisecond for any request to the service, not for calls of the control plane", async () => {
    for (const path of ["/_emulator", "/_emulator/clock", "/_emulator/profile", "/_emulator/nothing"])
      await control.get(path);
    await control.post("/_emulator/api-keys", {});
    await control.get("/_emulator/%FF");
    expect(await now()).toBe("2030-01-01T00:00:00.000Z");
    const { client } = running;
    await client.get("/health");
    await client.get("/nowhere");
    await client.get("/auth/password");
    await client.post("/auth/password", {});
    await client.get("/%FF");
    expect(await now()).toBe("2030-01-01T00:00:00.005Z");
  });

  it.each([
    [{ advance: "PT10M" }, "2030-01-01T00:10:00.000Z"],
    [{ advance: "P1M" }, "2030-02-01T00:00:00.000Z"],
    [{ now: "2031-05-06T07:08:09+01:00" }, "2031-05-06T06:08:09.000Z"],
    [{ now: "2020-01-01T00:00:00Z", advance: "PT1S" }, "2020-01-01T00:00:01.000Z"],
    [{ mode: "manual" }, "2030-01-01T00:00:00.000Z"],
  ])("takes the change %j", async (change, expected) => {
    const { status, body } = await look(control.patch("/_emulator/clock", change));
    expect([status, body]).toEqual([200, { mode: "manual", now: expected }]);
    expect(await now()).toBe(expected);
  });

  it("changes the mode and the time in one call", async () => {
    const set = await control.patch("/_emulator/clock", { mode: "system", now: "2500-01-01T00:00:00Z" });
    expect(set.body).toMatchObject({ mode: "system" });
    expect((await now()).slice(0, 10)).toBe("2500-01-01");
    const manual = (await control.patch("/_emulator/clock", { mode: "manual" })).body as { now: string };
    expect(await now()).toBe(manual.now);
    expect(manual.now.slice(0, 10)).toBe("2500-01-01");
  });

  it("works in-process too", () => {
    const { clock } = running.emulator;
    expect(clock.advance("PT1S")).toEqual({ mode: "manual", now: "2030-01-01T00:00:01.000Z" });
    expect(clock.set("2031-01-01T00:00:00Z")).toEqual({ mode: "manual", now: "2031-01-01T00:00:00.000Z" });
    expect(clock.get()).toEqual({ mode: "manual", now: "2031-01-01T00:00:00.000Z" });
    expect(clock.mode("system").mode).toBe("system");
    expect(catchProblem(() => clock.advance("soon")).kind).toBe("validation-failed");
    expect(catchProblem(() => clock.set("soon")).kind).toBe("validation-failed");
  });
});

describe("reset", () => {
  /** Sends requests of many kinds; returns the responses. */
  async function transcript({ client, control: plane, tokens }: TestEmulator): Promise<unknown[]> {
    const { accessToken } = await tokens("owner@demo.test", "org_demo_pro");
    const owner = client.as(accessToken);
    const answers = [
      await plane.post("/_emulator/users", { email: "ada@demo.test", password: "p" }),
      await plane.post("/_emulator/api-keys", { organizationId: "org_demo_pro", name: "k", scopes: ["*"] }),
      await owner.post(databases, { name: "orders", region: "x" }),
      await owner.put("/api/v1/databases/db_demo/items", { pk: "new", data: { a: 1 } }),
      await owner.delete("/api/v1/databases/db_demo/items/settings/currency"),
      await owner.post("/api/v1/databases/db_demo/items/scan", { limit: 3 }),
      await owner.get(databases),
      await plane.put("/_emulator/health", { health: "Unhealthy", details: "x" }),
      await client.get("/health"),
      await plane.patch("/_emulator/organizations/org_demo_pro", { status: "suspended" }),
      await plane.patch("/_emulator/databases/db_demo", { status: "Error" }),
      await owner.get(databases),
      await plane.delete("/_emulator/users/user_demo_outsider"),
      await plane.patch("/_emulator/clock", { advance: "P3D" }),
      await plane.get("/_emulator"),
    ];
    return answers.map(({ status, text, headers }) => [status, text, [...headers]]);
  }

  it("starts afresh: the same requests get the same responses to the byte", async () => {
    const fresh = await transcript(running);
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await control.post("/_emulator/reset", {})).status).toBe(204);
      expect(await transcript(running)).toEqual(fresh);
    }
    running.emulator.reset();
    expect(await transcript(running)).toEqual(fresh);
    await start();
    expect(await transcript(running)).toEqual(fresh);
  });

  it("accepts no body, keeps the profile, and returns to the clock's first mode", async () => {
    running.emulator.profile.set({ "validation-status": 422 });
    running.emulator.clock.mode("system");
    expect((await control.post("/_emulator/reset")).status).toBe(204);
    expect(running.emulator.profile.get()["validation-status"]).toBe(422);
    expect(running.emulator.clock.get()).toEqual({ mode: "manual", now: "2030-01-01T00:00:00.000Z" });
  });

  it("is to a fixture or to seed data, and not to a path", () => {
    const reset = (fixture: string) => catchProblem(() => running.emulator.reset(fixture)).message;
    expect(reset("./seed.yaml")).toMatch(/seed data or the name of a fixture \(demo, empty\), not a path/);
    expect(reset("dmeo")).toContain('there is no fixture "dmeo"; did you mean demo?');
  });

  it("is refused for a fixture in the request with too many entries", async () => {
    const names = (count: number) => Array.from({ length: count }, (_, at) => `d${at}xx`);
    const rows = (count: number) => Array.from({ length: count }, (_, a) => ({ a }));
    const table = (indexes: readonly string[]) => ({ create: "CREATE TABLE t (a INT PRIMARY KEY)", indexes });
    for (const [large, isRefused] of [
      [{ users: Array.from({ length: 2001 }, () => "not an address") }, true],
      [
        {
          organizations: [
            { name: "Org", plan: "enterprise", members: Array.from({ length: 2000 }, () => ({ user: "a" })) },
          ],
        },
        true,
      ],
      [{ users: ["a@x.test"], databases: names(3) }, false],
      [{ databases: [{ name: "abc", tables: [{ ...table(["", ""]), rows: rows(6666) }] }] }, true],
      [{ databases: [{ name: "abc", repositories: [{ name: "r", entities: rows(20_000) }] }] }, true],
      [{ databases: [{ name: "abc", items: rows(20_000) }] }, true],
    ] as const) {
      const response = await control.post("/_emulator/reset", { fixture: large });
      expect(response.status).toBe(isRefused ? 413 : 204);
      if (isRefused) expect(response.text).toContain("at most 20000");
    }
  });

  it("can choose another fixture, which the next reset keeps", async () => {
    await control.post("/_emulator/reset", { fixture: "empty" });
    expect(running.emulator.state()).toMatchObject({ fixture: "empty", counts: { users: 0, databases: 0 } });
    expect(await login("owner@demo.test")).toBe("InvalidCredentials");
    running.emulator.reset();
    expect(running.emulator.state().fixture).toBe("empty");
    running.emulator.reset("demo");
    expect(await login("owner@demo.test")).toBe("Success");
  });
});

describe("the profile", () => {
  it("is the default one until another is put, which replaces it whole", async () => {
    expect((await control.get("/_emulator/profile")).body).toEqual(defaultProfile);
    const put = await control.put("/_emulator/profile", { "validation-status": 422, "page-limit-max": 50 });
    const expected = { ...defaultProfile, "validation-status": 422, "page-limit-max": 50 };
    expect([put.status, put.body]).toEqual([200, expected]);
    expect((await control.get("/_emulator/profile")).body).toEqual(expected);
    expect((await running.client.post("/auth/password", {})).status).toBe(422);
    await control.put("/_emulator/profile", {});
    expect((await control.get("/_emulator/profile")).body).toEqual(defaultProfile);
    expect((await running.client.post("/auth/password", {})).status).toBe(400);
  });

  it("is set and refused in the same way in-process, and at the start", async () => {
    const { profile } = running.emulator;
    expect(profile.set({ "validation-status": 422 })["validation-status"]).toBe(422);
    const mistakes = catchProblem(() => profile.set({ "validation-status": 500, nonsense: 1 } as object));
    expect(mistakes.violations.map(({ pointer }) => pointer)).toEqual(["/validation-status", "/nonsense"]);
    expect(profile.get()["validation-status"]).toBe(422);
    await expect(
      createEmulator({ profile: { "validation-status": 500, nonsense: 1 } as object }),
    ).rejects.toThrow(/validation-status.*\n.*nonsense/);
  });

  it("is refused briefly for countless mistakes, each of which may mean any gap", async () => {
    const names = Array.from({ length: 50_000 }, (_, index) => `e-${index}`);
    const answer = await control.put(
      "/_emulator/profile",
      Object.fromEntries(names.map((name) => [name, 1])),
    );
    const { errors } = answer.body as { errors: { pointer: string; detail: string }[] };
    expect([answer.status, errors[0]?.pointer]).toEqual([400, "/e-0"]);
    expect(errors.at(-1)).toEqual({
      in: "body",
      pointer: "",
      detail: "more mistakes were found, but are not shown",
    });
    expect(answer.text.length).toBeLessThan(names.join().length);
  });

  it("may have the $schema that editors use", () => {
    const profile = { $schema: "./profile.schema.json", "validation-status": 422 } as object;
    expect(running.emulator.profile.set(profile)).not.toHaveProperty("$schema");
  });
});

describe("users", () => {
  it("[AUTH-27] are created with a personal organization", async () => {
    const { status, body } = await look(
      control.post("/_emulator/users", {
        email: " Ada@Demo.test ",
        password: "p",
        name: "Ada",
      }),
    );
    expect(status).toBe(201);
    const { userId, personalOrganizationId } = body as { userId: string; personalOrganizationId: string };
    const answer = await running.client.post("/auth/password", { email: "ada@demo.test", password: "p" });
    const { authResponse } = answer.body as { authResponse: Session };
    expect(authResponse).toMatchObject({
      userId,
      personalOrgId: personalOrganizationId,
      name: "Ada",
      roles: ["owner"],
    });
  });

  it("[AUTH-03] [AUTH-04] can have an unverified address or MFA", async () => {
    await control.post("/_emulator/users", {
      email: "a@demo.test",
      password: "demo-password",
      emailVerified: false,
    });
    await control.post("/_emulator/users", {
      email: "b@demo.test",
      password: "demo-password",
      mfaRequired: true,
    });
    expect(await login("a@demo.test")).toBe("EmailVerificationRequired");
    expect(await login("b@demo.test")).toBe("MfaRequired");
  });

  it("have unique addresses", async () => {
    const taken = await control.post("/_emulator/users", { email: "OWNER@demo.test", password: "p" });
    expect(getRefusal(taken)).toEqual([409, "conflict"]);
    expect(
      catchProblem(() => running.emulator.users.create({ email: "owner@demo.test", password: "p" })).kind,
    ).toBe("conflict");
    expect(running.emulator.state().counts).toMatchObject({ users: 7, organizations: 10 });
  });

  it("are deleted with all they own; other users keep theirs", async () => {
    const { client, tokens, emulator } = running;
    const admin = client.as((await tokens("admin@demo.test")).accessToken);
    await admin.post(databases, { name: "mine", region: "x" });
    expect((await control.delete("/_emulator/users/user_demo_owner")).status).toBe(204);
    expect(await login("owner@demo.test")).toBe("InvalidCredentials");
    expect(emulator.state().counts).toEqual({
      users: 6,
      organizations: 7,
      apiKeys: 0,
      databases: 1,
      items: 0,
      repositories: 0,
      entities: 0,
      sqlTables: 0,
      sqlRows: 0,
    });
    expect((await client.as("dsk_demo_all").post("/api/v1/databases/db_demo/items/scan", {})).status).toBe(
      401,
    );
    expect((await admin.get(databases)).body).toMatchObject({ databases: [{ name: "mine" }] });
    // the email address and other unique values can be used again
    expect((await control.post("/_emulator/users", { email: "owner@demo.test", password: "p" })).status).toBe(
      201,
    );
  });

  it("leave an organization that is no longer personal if it has another owner", async () => {
    const { emulator, client } = running;
    const [a, b] = ["a@x.test", "b@x.test"].map((email) => emulator.users.create({ email, password: "p" }));
    const { personalOrganizationId: organizationId = "" } = a ?? {};
    emulator.organizations.change(organizationId, { plan: "pro" });
    const path = `/api/v1/organizations/${organizationId}`;
    const invitation = { email: "b@x.test", role: "owner" };
    const ofA = client.as(emulator.token({ email: "a@x.test" }));
    expect((await ofA.post(`${path}/members`, invitation)).status).toBe(201);
    emulator.invitations.accept({ organizationId, email: "b@x.test" });
    emulator.users.delete(a?.userId ?? "");
    const personal = emulator.organizations.list().filter(({ isPersonal }) => isPersonal);
    expect(personal.map((one) => one.organizationId)).not.toContain(organizationId);
    expect(personal.map((one) => one.organizationId)).toContain(b?.personalOrganizationId);
    const ofB = client.as(emulator.token({ email: "b@x.test", organizationId }));
    expect((await ofB.delete(path)).status).toBeLessThan(300);
  });

  it("can be deleted once", async () => {
    await control.delete("/_emulator/users/user_demo_mfa");
    expect(getRefusal(await control.delete("/_emulator/users/user_demo_mfa"))).toEqual([
      404,
      "user-not-found",
    ]);
    expect(catchProblem(() => running.emulator.users.delete("nobody")).kind).toBe("user-not-found");
  });
});

describe("API keys", () => {
  const body = { organizationId: "org_demo_pro", name: "reader", scopes: ["database:read"] };
  const scan = (key: string) => running.client.as(key).post("/api/v1/databases/db_demo/items/scan", {});

  it("[AUTH-24] are created, listed, used and deleted", async () => {
    const answer = await control.post("/_emulator/api-keys", {
      ...body,
      expiresAt: "2030-01-02T01:00:00+01:00",
    });
    const { apiKeyId, key } = answer.body as { apiKeyId: string; key: string };
    expect(answer.status).toBe(201);
    expect((await scan(key)).status).toBe(200);
    const { apiKeys } = (await control.get("/_emulator/api-keys")).body as { apiKeys: unknown[] };
    expect(apiKeys).toHaveLength(8);
    expect(apiKeys.at(-1)).toEqual({
      ...body,
      apiKeyId,
      key,
      expiresAt: "2030-01-02T00:00:00.000Z",
      createdAt: "2030-01-01T00:00:00.000Z",
    });
    expect(running.emulator.apiKeys.list()).toEqual(apiKeys);
    expect((await control.delete(`/_emulator/api-keys/${apiKeyId}`)).status).toBe(204);
    expect((await scan(key)).status).toBe(401);
    expect(getRefusal(await control.delete(`/_emulator/api-keys/${apiKeyId}`))).toEqual([
      404,
      "api-key-not-found",
    ]);
  });

  it("do not expire without a date", async () => {
    const { key } = running.emulator.apiKeys.create({ ...body, scopes: ["*"], expiresAt: null });
    running.emulator.clock.advance("P900Y");
    expect((await scan(key)).status).toBe(200);
  });

  it("belong to an existing organization, and have no more rights than allowed", async () => {
    const nowhere = await control.post("/_emulator/api-keys", { ...body, organizationId: "org_nowhere" });
    expect(getRefusal(nowhere)).toEqual([404, "organization-not-found"]);
    running.emulator.organizations.change("org_demo_pro", { settings: { maxApiKeys: 8 } });
    expect((await control.post("/_emulator/api-keys", body)).status).toBe(201);
    expect(getRefusal(await control.post("/_emulator/api-keys", body))).toEqual([403, "ceiling-reached"]);
  });
});

describe("organizations and databases", () => {
  it("takes every maximum that a state can hold, and no other", async () => {
    const path = "/_emulator/organizations/org_demo_pro";
    const settings = (max: number) => ({
      settings: { maxDatabases: max, maxApiKeys: max, maxMembers: max },
    });
    for (const max of [unlimitedCount + 1, 2 ** 53 - 1, 1e300])
      expect((await running.control.patch(path, settings(max))).status).toBe(400);
    expect((await running.control.patch(path, settings(unlimitedCount))).status).toBe(200);
    const requestsThisPeriod = 2 ** 51;
    expect((await running.control.patch(path, { requestsThisPeriod })).status).toBe(200);
    await running.client
      .as((await running.tokens("owner@demo.test", "org_demo_pro")).accessToken)
      .post("/api/v1/organizations", { name: "Odd", slug: "a-b" });
    const other = await createEmulator({ data: running.emulator.export() });
    expect(other.state().counts).toEqual(running.emulator.state().counts);
    await other.close();
  });

  it("no longer counts requests of an organization that it deletes", () => {
    const { organizations } = running.emulator;
    const change = { requestsThisPeriod: 5, status: "deleted" } as const;
    expect(organizations.change("org_demo_enterprise", change)).toMatchObject({ status: "deleted" });
  });

  it("are changed in the given fields, and keep the others", async () => {
    const path = "/_emulator/organizations/org_demo_free";
    const suspended = await control.patch(path, { status: "suspended" });
    expect(suspended.body).toMatchObject({
      organizationId: "org_demo_free",
      plan: "free",
      status: "suspended",
    });
    expect((await control.patch(path, { plan: "pro" })).body).toMatchObject({
      plan: "pro",
      status: "suspended",
    });
    const { organizations } = running.emulator;
    const changed = organizations.change("org_demo_free", { status: "active" });
    expect(changed).toMatchObject({ organizationId: "org_demo_free", plan: "pro", status: "active" });
    expect(organizations.list()).toContainEqual(changed);
  });

  it("return 404 for unknown ids", async () => {
    const { emulator } = running;
    expect(getRefusal(await control.patch("/_emulator/organizations/x", { plan: "pro" }))).toEqual([
      404,
      "organization-not-found",
    ]);
    expect(getRefusal(await control.patch("/_emulator/databases/x", { status: "Active" }))).toEqual([
      404,
      "database-not-found",
    ]);
    expect(catchProblem(() => emulator.organizations.change("x", { plan: "pro" })).kind).toBe(
      "organization-not-found",
    );
    expect(catchProblem(() => emulator.databases.change("x", { status: "Active" })).kind).toBe(
      "database-not-found",
    );
  });

  it("are quoted if they are unknown", () => {
    const { organizations, databases, users, apiKeys, checkouts, subscriptions, faults } = running.emulator;
    const refusals: Readonly<Record<string, () => unknown>> = {
      organization: () => organizations.change("x-1", { plan: "pro" }),
      database: () => databases.change("x-1", { status: "Active" }),
      user: () => users.delete("x-1"),
      "API key": () => apiKeys.delete("x-1"),
      checkout: () => checkouts.get("x-1"),
      "fault rule": () => faults.get("x-1"),
    };
    for (const [what, refused] of Object.entries(refusals))
      expect(catchProblem(refused).message).toContain(`There is no ${what} with the id x-1.`);
    expect(catchProblem(() => subscriptions.get("x-1")).message).toContain("x-1");
    expect(catchProblem(() => faults.delete("x-1")).message).toContain("x-1");
  });

  it("[DB-13] move a database to a status", async () => {
    const { body } = await look(
      control.patch("/_emulator/databases/db_demo", {
        status: "Maintenance",
      }),
    );
    const { databases } = running.emulator;
    expect(body).toMatchObject({ databaseId: "db_demo", status: "Maintenance" });
    expect(databases.list()).toEqual([body]);
    expect(databases.change("db_demo", { status: "Active" })).toEqual({
      ...(body as object),
      status: "Active",
    });
  });
});

describe("health", () => {
  it("changes the given fields and keeps the rest, in-process too", async () => {
    expect((await control.put("/_emulator/health", { ready: "NotReady" })).body).toEqual({
      health: "Healthy",
      ready: "NotReady",
      live: "Alive",
      details: "",
    });
    expect(running.emulator.health.set({ details: "x" })).toMatchObject({ ready: "NotReady", details: "x" });
  });
});

describe("requests to the control plane", () => {
  const from = (headers: Record<string, string>) => control.request("GET", "/_emulator/clock", { headers });

  it.each([
    "localhost",
    "localhost:4100",
    "LOCALHOST",
    "a.localhost:1",
    "127.0.0.1:4100",
    "192.168.1.5",
    "[::1]:4100",
    "[::1]",
  ])("are answered on the host %s", async (host) => {
    expect((await from({ Host: host })).status).toBe(200);
    expect((await from({ Host: host, Origin: `http://${host}` })).status).toBe(200);
  });

  it.each([
    "evil.example",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "evil-localhost",
    "localhost@evil.example",
    "",
    "[evil]",
    "999.0.0.1",
    "127.0.0.1:99999",
    "evil.example@127.0.0.1",
  ])("are refused on the host %j, as after DNS rebinding", async (host) => {
    expect(getRefusal(await from({ Host: host }))).toEqual([403, "not-local"]);
  });

  it.each([
    "https://evil.example",
    "http://localhost:9999",
    "https://localhost:4100",
    "null",
    "http://127.0.0.1:4100",
  ])("are refused from the page %s", async (origin) => {
    expect(getRefusal(await from({ Host: "localhost:4100", Origin: origin }))).toEqual([403, "not-local"]);
  });

  it("are refused as an image or a frame of another site", async () => {
    const load = { Host: "localhost", "Sec-Fetch-Site": "cross-site" };
    expect(getRefusal(await from({ ...load, "Sec-Fetch-Mode": "no-cors" }))).toEqual([403, "not-local"]);
    expect((await from({ ...load, "Sec-Fetch-Mode": "navigate" })).status).toBe(200);
  });

  it("change nothing if refused, and never allow another origin", async () => {
    const headers = { Host: "localhost", Origin: "https://evil.example" };
    const refused = await control.request("POST", "/_emulator/reset", {
      body: { fixture: "empty" },
      headers,
    });
    expect(getRefusal(refused)).toEqual([403, "not-local"]);
    expect(refused.headers.get("access-control-allow-origin")).toBeNull();
    expect(running.emulator.state().fixture).toBe("demo");
    const preflight = await control.request("OPTIONS", "/_emulator/reset", {
      headers: { ...headers, "Access-Control-Request-Method": "POST" },
    });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([405, null]);
  });

  it("are refused before the body arrives, which may be a large file", async () => {
    const url = await running.emulator.listen();
    for (const foreign of ["Host: localhost\r\nOrigin: https://evil.example", "Host: evil.example"])
      for (const length of [`Content-Length: ${400 * 1024 * 1024}`, "Transfer-Encoding: chunked"]) {
        const head = `PUT /_emulator/snapshots/large HTTP/1.1\r\n${foreign}\r\n${length}\r\n`;
        const type = "Content-Type: application/vnd.sqlite3\r\nConnection: close";
        // the request is rejected before its body is sent
        expect(await sendRawBytes(url, [`${head}${type}\r\n\r\n`])).toMatch(/^HTTP\/1\.1 403 /);
      }
    expect(running.emulator.snapshots.list()).toEqual([]);
  });

  it("are refused and change nothing", async () => {
    const { emulator } = running;
    emulator.snapshots.save("kept");
    emulator.faults.create({ effect: { kind: "status" }, match: { path: "/nowhere" } });
    const before = [emulator.state(), emulator.snapshots.list(), emulator.faults.list()];
    const document = buildControlPlaneDocument();
    const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
      Object.keys(methods as object)
        .filter((key) => ["get", "put", "post", "patch", "delete"].includes(key))
        .map((method) => ({ method: method.toUpperCase(), path: path.replace(/\{\w+\}/g, "kept") })),
    );
    expect(operations).toHaveLength(Object.keys(controlPlaneOperations).length);
    for (const { method, path } of operations)
      for (const headers of [
        { Host: "localhost", Origin: "https://evil.example" },
        { Host: "evil.example", Origin: "http://evil.example" },
        { Host: "evil.example" },
      ]) {
        const answer = await control.request(method, path, {
          headers,
          ...(method === "GET" || method === "DELETE" ? {} : { body: {} }),
        });
        expect(getRefusal(answer), `${method} ${path}`).toEqual([403, "not-local"]);
        expect(answer.headers.get("access-control-allow-origin")).toBeNull();
      }
    expect([emulator.state(), emulator.snapshots.list(), emulator.faults.list()]).toEqual(before);
  });

  it("return 404, 405, 413 and 415 like the service", async () => {
    expect(getRefusal(await control.get("/_emulator/nothing"))).toEqual([404, "unknown-path"]);
    const method = await control.delete("/_emulator/clock");
    expect([...getRefusal(method), method.headers.get("allow")]).toEqual([
      405,
      "method-not-allowed",
      "GET, HEAD, PATCH",
    ]);
    const large = await control.request("PATCH", "/_emulator/clock", {
      rawBody: " ".repeat(1024 * 1024 + 1),
    });
    expect(getRefusal(large)).toEqual([413, "request-too-large"]);
    const text = await control.request("PATCH", "/_emulator/clock", {
      rawBody: "{}",
      headers: { "Content-Type": "text/plain" },
    });
    expect(getRefusal(text)).toEqual([415, "unsupported-media-type"]);
    expect(getRefusal(await control.request("PATCH", "/_emulator/clock", { rawBody: "{" }))).toEqual([
      400,
      "malformed-body",
    ]);
  });

  it("keep their own form under every profile", async () => {
    running.emulator.profile.set({
      "error-body": "error-message",
      "validation-status": 422,
      "unknown-request-fields": "ignore",
    });
    expect(getRefusal(await control.patch("/_emulator/clock", { x: 1 }))).toEqual([400, "validation-failed"]);
    expect(getRefusal(await control.get("/_emulator/%FF"))).toEqual([400, "malformed-request"]);
    for (const name of ["no+name", "", "%FF", "a%20b"])
      expect(getRefusal(await control.get(`/ns/${name}/_emulator/users`))).toEqual([400, expect.any(String)]);
  });

  it("apply to the namespace they are created in", async () => {
    await control.patch("/ns/other/_emulator/clock", { advance: "P1D" });
    await control.post("/ns/other/_emulator/reset", { fixture: "empty" });
    expect(running.emulator.state()).toMatchObject({
      fixture: "demo",
      clock: { now: "2030-01-01T00:00:00.000Z" },
    });
    expect((await control.get("/ns/other/_emulator")).body).toMatchObject({
      namespace: "other",
      fixture: "empty",
    });
  });
});

describe("createEmulator", () => {
  it("refuses invalid options, naming the valid ones", async () => {
    await expect(createEmulator({ fixture: "big" as "demo" })).rejects.toThrow(
      /no fixture named big.*demo or empty/,
    );
    for (const seed of [-1, 1.5, NaN, 2 ** 53])
      await expect(createEmulator({ seed })).rejects.toThrow(/seed/);
    for (const port of [-1, 65_536, "4100" as unknown as number])
      await expect(running.emulator.listen({ port })).rejects.toThrow(/port/);
    await expect(running.emulator.listen({ address: "::1" } as object)).rejects.toThrow("no option address");
  });

  it("refuses unknown fields and values of another type, all at once", async () => {
    const wrong = { fixtures: "demo", seed: "1", journal: "all", data: 7, clock: 1, profile: [], fixture: 1 };
    const lines = await createEmulator(wrong as object).catch((error: unknown) =>
      (error as Error).message.split("\n"),
    );
    expect(lines).toEqual([
      expect.stringMatching(
        /^createEmulator has no option fixtures; the options are fixture, profile, .*journal/,
      ),
      'the seed must be a whole number of at least 0, not "1"',
      'journal must be true, false or a whole number of requests from 0 to 100000, not "all"',
      "data must be a file name, a file: URL or the bytes of a file, not 7",
      "the clock must be manual or system, not 1",
      "profile: a profile must be a JSON object that maps gap ids to answers",
      expect.stringMatching(
        /^there is no fixture named 1; choose demo or empty, or give the path to a seed file/,
      ),
    ]);
    await expect(createEmulator(null as unknown as object)).rejects.toThrow("must be an object, not null");
  });

  it("can start with the machine's time", async () => {
    await start({ clock: "system" });
    const time = Date.parse(await now());
    expect(Math.abs(Date.now() - time)).toBeLessThan(60_000);
    running.emulator.clock.advance("P1D");
    running.emulator.reset();
    expect(running.emulator.clock.get().mode).toBe("system");
    expect(Date.parse(await now()) - time).toBeLessThan(60_000);
  });
});
