import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { planTerms } from "../../openapi/clauses/limits.js";
import type { EmulatorOptions } from "../api/emulator.js";
import { eachAnswer } from "../testing/each-answer.js";
import { getRefusal } from "../testing/read-problem.js";
import { type TestClient, type TestEmulator, createTestEmulator } from "../testing/test-client.js";

const organizations = "/api/v1/organizations";
const pro = `${organizations}/org_demo_pro`;
const databases = "/api/v1/management/databases";

interface Organization {
  readonly organizationId: string;
  readonly name: string;
  readonly slug: string;
  readonly billingEmail: string;
  readonly ownerUserId: string;
}

let running: TestEmulator;
let owner: TestClient;

async function start(options: EmulatorOptions = {}): Promise<void> {
  await (running as TestEmulator | undefined)?.emulator.close();
  running = await createTestEmulator(options);
  owner = await running.login("owner@demo.test");
}

beforeAll(() => start());
beforeEach(() => running.emulator.reset());
afterAll(() => running.emulator.close());

const create = async (body: object, client = owner) =>
  (await client.post(organizations, body)).body as Organization;
const idsOf = async (client: TestClient) =>
  (
    (await client.get(organizations)).body as { organizations: { organizationId: string }[] }
  ).organizations.map(({ organizationId }) => organizationId);

it("knows no organization by an id with a space", async () => {
  for (const path of ["", "/members"])
    expect(getRefusal(await owner.get(`${organizations}/org_demo_pro%20x${path}`))).toEqual([
      404,
      "organization-not-found",
    ]);
});

describe("creating an organization", () => {
  it("[ORG-01] [ORG-02] [ORG-03] [ORG-04] [ORG-05] [ORG-12] returns all fields, active and on the free plan", async () => {
    const answer = await owner.post(organizations, { name: "Acme Tea" });
    const { organizationId, ...rest } = answer.body as Organization;
    expect(answer.status).toBe(201);
    expect(rest).toEqual({
      name: "Acme Tea",
      slug: "acme-tea",
      ownerUserId: "user_demo_owner",
      plan: "free",
      status: "active",
      billingEmail: "owner@demo.test",
      createdAt: "2030-01-01T00:00:00.001Z",
      settings: {
        maxDatabases: planTerms.free.limits?.maxDatabases,
        maxApiKeys: 5,
        maxMembers: planTerms.free.limits?.maxTeamMembers,
        allowedRegions: null,
        requireMfa: false,
        ssoEnabled: false,
      },
    });
    const { members } = (await owner.get(`${organizations}/${organizationId}/members`)).body as {
      members: object[];
    };
    expect(members).toMatchObject([{ userId: "user_demo_owner", role: "owner", status: "active" }]);
  });

  it("[ORG-05] makes its creator an owner who can switch to it and work there", async () => {
    const { organizationId } = await create({ name: "Acme" });
    const there = await running.login("owner@demo.test", organizationId);
    expect((await there.post(databases, { name: "first", region: "eu" })).status).toBe(201);
  });

  it.each([
    [1, 400],
    [2, 201],
    [100, 201],
    [101, 400],
  ])("[ORG-06] answers a name of %i characters with %i", async (length, status) => {
    expect((await owner.post(organizations, { name: "é".repeat(length) })).status).toBe(status);
    const renamed = await owner.put(pro, { name: "😀".repeat(length) });
    expect(renamed.status).toBe(status === 201 ? 200 : 400);
  });

  it.each([
    {},
    { slug: "acme" },
    { name: null },
    { name: 7 },
    { name: "Acme", slug: "Not A Slug" },
    { name: "Acme", billingEmail: "nobody" },
  ])("[ORG-07] refuses %j", async (body) => {
    expect(getRefusal(await owner.post(organizations, body))).toEqual([400, "validation-failed"]);
    expect(await idsOf(owner)).toHaveLength(3);
  });

  it("[ORG-08] keeps a given slug and otherwise creates one, each unique", async () => {
    expect(await create({ name: "Acme", slug: "tea-4-two", billingEmail: "bills@acme.test" })).toMatchObject({
      slug: "tea-4-two",
      billingEmail: "bills@acme.test",
    });
    const slugs = [];
    for (const name of ["Acme Tea", "Acme  tea!", "Crème Brûlée & Söhne", "日本語", "日本", "..", "--"])
      slugs.push((await create({ name })).slug);
    expect(slugs.slice(0, 4)).toEqual([
      "acme-tea",
      expect.stringMatching(/^acme-tea-[a-z0-9]{6}$/),
      "creme-brulee-sohne",
      "organization",
    ]);
    expect(new Set(slugs).size).toBe(slugs.length);
    for (const slug of slugs) expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  });

  eachAnswer("duplicate-slug", "is what happens to a slug that is taken", async (answer, profile) => {
    await start({ profile });
    await create({ name: "First", slug: "acme" });
    const second = await owner.post(organizations, { name: "Second", slug: "acme" });
    if (answer === "reject") expect(getRefusal(second)).toEqual([409, "conflict"]);
    else expect(second.body).toMatchObject({ slug: expect.stringMatching(/^acme-[a-z0-9]+$/) as string });
    // with either answer, a generated slug gets a suffix; the slug of a deleted organization can be used again
    expect((await create({ name: "Acme" })).slug).toMatch(/^acme-/);
    const { organizationId } = await create({ name: "Gone", slug: "gone" });
    await owner.delete(`${organizations}/${organizationId}`);
    expect((await create({ name: "Back", slug: "gone" })).slug).toBe("gone");
    await start();
  });
});

describe("one's own organizations", () => {
  it("[ORG-09] [ORG-10] are listed in the order of joining, with the role", async () => {
    const readonly = await running.login("readonly@demo.test");
    expect((await readonly.get(organizations)).body).toEqual({
      organizations: [
        {
          organizationId: "org_personal_readonly",
          organizationName: "Personal organization of Rey Readonly",
          role: "owner",
          joinedAt: "2030-01-01T00:00:00.000Z",
        },
        {
          organizationId: "org_demo_pro",
          organizationName: "Demo Pro",
          role: "readonly",
          joinedAt: "2030-01-01T00:00:00.000Z",
        },
      ],
    });
  });

  it("[ORG-09] omit pending invitations, and include the organization once accepted", async () => {
    const outsider = await running.login("outsider@demo.test");
    await owner.post(`${pro}/members`, { email: "outsider@demo.test" });
    expect(await idsOf(outsider)).toEqual(["org_personal_outsider", "org_demo_free"]);
    running.emulator.invitations.accept({ organizationId: "org_demo_pro", email: "Outsider@demo.test" });
    expect(await idsOf(outsider)).toEqual(["org_personal_outsider", "org_demo_free", "org_demo_pro"]);
  });

  it("[ORG-09] are the same with a token for any organization", async () => {
    const there = await running.login("owner@demo.test", "org_demo_enterprise");
    expect(await idsOf(there)).toEqual(await idsOf(owner));
  });
});

describe("an organization", () => {
  it.each(["owner", "admin", "member", "readonly"])(
    "[ORG-11] [ORG-12] [ORG-13] is returned with all fields to a member with role %s",
    async (role) => {
      const client = await running.login(`${role}@demo.test`);
      const answer = await client.get(pro);
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          organizationId: "org_demo_pro",
          name: "Demo Pro",
          slug: "demo-pro",
          ownerUserId: "user_demo_owner",
          plan: "pro",
          status: "active",
          billingEmail: "owner@demo.test",
          createdAt: "2030-01-01T00:00:00.000Z",
          settings: {
            maxDatabases: 10,
            maxApiKeys: 50,
            maxMembers: 10,
            allowedRegions: null,
            requireMfa: false,
            ssoEnabled: false,
          },
          updatedAt: "2030-01-01T00:00:00.000Z",
        },
      ]);
    },
  );

  it("[ORG-13] shows the status that the control plane gave it", async () => {
    running.emulator.organizations.change("org_demo_pro", { status: "suspended" });
    expect((await owner.get(pro)).body).toMatchObject({ status: "suspended" });
    expect(getRefusal(await owner.put(pro, { name: "Other" }))).toEqual([403, "forbidden"]);
  });

  it("[ORG-14] [ORG-15] changes the given fields, as owner or admin", async () => {
    const before = (await owner.get(pro)).body as { settings: object };
    const renamed = await owner.put(pro, { name: "Renamed" });
    expect(renamed.body).toEqual({ ...before, name: "Renamed", updatedAt: "2030-01-01T00:00:00.002Z" });
    const admin = await running.login("admin@demo.test");
    const changed = await admin.put(pro, { billingEmail: "Bills@demo.test", settings: { requireMfa: true } });
    expect(changed.body).toMatchObject({
      name: "Renamed",
      billingEmail: "Bills@demo.test",
      settings: { ...before.settings, requireMfa: true },
    });
    expect((await owner.get(pro)).body).toEqual(changed.body);
  });

  it("[ORG-14] ignores all other fields of a request", async () => {
    const before = (await owner.get(pro)).body as Record<string, unknown>;
    await owner.put(pro, {
      slug: "other",
      plan: "enterprise",
      status: "deleted",
      ownerUserId: "user_demo_admin",
      settings: { maxDatabases: 99, maxMembers: 99, allowedRegions: [], ssoEnabled: true },
    });
    expect((await owner.get(pro)).body).toEqual({ ...before, updatedAt: "2030-01-01T00:00:00.002Z" });
  });

  it.each(["member", "readonly"])(
    "[ORG-15] [ORG-17] is neither updated nor deleted by role %s",
    async (role) => {
      const client = await running.login(`${role}@demo.test`);
      expect(getRefusal(await client.put(pro, { name: "Other" }))).toEqual([403, "forbidden"]);
      expect(getRefusal(await client.delete(pro))).toEqual([403, "forbidden"]);
      expect((await owner.get(pro)).body).toMatchObject({ name: "Demo Pro" });
    },
  );

  it("[ORG-17] cannot be deleted by an admin", async () => {
    const admin = await running.login("admin@demo.test");
    expect(getRefusal(await admin.delete(pro))).toEqual([403, "forbidden"]);
  });

  it("[ORG-16] is removed with all its content when its owner deletes it", async () => {
    const { client, tokens } = running;
    const there = await tokens("admin@demo.test", "org_demo_pro");
    const admin = await running.login("admin@demo.test");
    const deleted = await owner.delete(pro);
    expect([deleted.status, deleted.text]).toEqual([204, ""]);
    for (const member of [owner, admin]) {
      for (const path of [pro, `${pro}/members`])
        expect(getRefusal(await member.get(path))).toEqual([404, "organization-not-found"]);
      expect(getRefusal(await member.delete(pro))).toEqual([404, "organization-not-found"]);
      expect(await idsOf(member)).not.toContain("org_demo_pro");
    }
    // credentials for the deleted organization are rejected, but the members' other tokens still work
    const refused = [
      await client.as(there.accessToken).get(databases),
      await client.as(there.accessToken).get(organizations),
      await client.post("/auth/refresh", { refreshToken: there.refreshToken }),
      await client.as("dsk_demo_all").get("/api/v1/databases/db_demo/items/settings/currency"),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    expect((await admin.get(databases)).status).toBe(200);
    expect(running.emulator.state().counts).toMatchObject({
      organizations: 9,
      databases: 0,
      apiKeys: 0,
      items: 0,
    });
  });

  it("[ORG-16] is not found by the control plane once deleted", async () => {
    await owner.delete(pro);
    const { control } = running;
    for (const [method, path, body] of [
      ["PATCH", "/_emulator/organizations/org_demo_pro", { status: "active" }],
      ["PATCH", "/_emulator/subscriptions/org_demo_pro", { status: "active" }],
      ["POST", "/_emulator/api-keys", { organizationId: "org_demo_pro", name: "x", scopes: ["*"] }],
    ] as const)
      expect(getRefusal(await control.request(method, path, { body }))).toEqual([
        404,
        "organization-not-found",
      ]);
  });

  it("cannot be deleted if it is a personal organization", async () => {
    const personal = "org_personal_owner";
    expect(getRefusal(await owner.delete(`${organizations}/${personal}`))).toEqual([
      409,
      "personal-organization",
    ]);
    expect((await owner.get(`${organizations}/${personal}`)).status).toBe(200);
    const byControl = await running.control.patch(`/_emulator/organizations/${personal}`, {
      status: "deleted",
    });
    expect(getRefusal(byControl)).toEqual([409, "personal-organization"]);
  });

  it("[ORG-18] is not accessible to a non-member, even an owner of another organization", async () => {
    const outsider = await running.login("outsider@demo.test", "org_demo_free");
    for (const [method, path, body] of [
      ["GET", "", undefined],
      ["PUT", "", { name: "Mine" }],
      ["DELETE", "", undefined],
      ["GET", "/members", undefined],
      ["POST", "/members", { email: "x@y.z" }],
      ["PUT", "/members/user_demo_admin", { role: "readonly" }],
      ["DELETE", "/members/user_demo_admin", undefined],
    ] as const) {
      const call = (organizationId: string) =>
        outsider.request(
          method,
          `${organizations}/${organizationId}${path}`,
          body === undefined ? {} : { body },
        );
      const foreign = await call("org_demo_pro");
      const missing = await call("org_nowhere");
      expect(getRefusal(foreign)).toEqual([404, "organization-not-found"]);
      expect(foreign.text).toBe(missing.text);
    }
    expect((await owner.get(pro)).body).toMatchObject({ name: "Demo Pro" });
    expect(((await owner.get(`${pro}/members`)).body as { members: object[] }).members).toHaveLength(4);
  });
});

it("stores requireMfa, which does not keep members from switching to the organization", async () => {
  await owner.put(pro, { settings: { requireMfa: true } });
  const switched = await owner.post("/auth/switch-organization", { organizationId: "org_demo_pro" });
  expect(switched.status).toBe(200);
  await start();
});

it("takes slugs in kebab case", async () => {
  const slugOf = async (slug: string) => {
    const made = await owner.post(organizations, { name: "Acme", slug });
    return made.status === 201 ? (made.body as Organization).slug : made.status;
  };
  expect(await slugOf("acme-2")).toBe("acme-2");
  expect([await slugOf("Acme.~_3"), await slugOf("Crème Brûlée")]).toEqual([400, 400]);
  await start();
});

eachAnswer("new-organization-plan", "is the plan that one begins on", async (answer, profile) => {
  await start({ profile });
  const answered = await owner.post(organizations, { name: "Acme Tea" });
  const made = answered.body as Organization & { plan: string; settings: { maxDatabases: number } };
  const ceilings = { free: 3, pro: 10, enterprise: 2_147_483_647 };
  expect([answered.status, made.plan, made.settings.maxDatabases]).toEqual([201, answer, ceilings[answer]]);
  const there = await running.login("owner@demo.test", made.organizationId);
  expect((await there.get("/api/v1/payment/status")).body).toMatchObject({
    status: "active",
    isTrial: false,
    planType: answer,
  });
  await start();
});

eachAnswer("deleted-organization", "is what its members see of it", async (answer, profile) => {
  await start({ profile });
  const admin = await running.login("admin@demo.test");
  const { accessToken } = await running.tokens("owner@demo.test", "org_demo_pro");
  expect((await owner.delete(pro)).status).toBe(204);
  const isShown = answer === "shown";
  for (const client of [owner, admin]) {
    const seen = await client.get(pro);
    if (isShown) expect(seen).toMatchObject({ status: 200, body: { status: "deleted" } });
    else expect(getRefusal(seen)).toEqual([404, "organization-not-found"]);
    expect((await client.get(`${pro}/members`)).status).toBe(isShown ? 200 : 404);
    expect((await idsOf(client)).includes("org_demo_pro")).toBe(isShown);
  }
  const change = isShown ? [409, "deleted-organization"] : [404, "organization-not-found"];
  expect(getRefusal(await owner.put(pro, { name: "Back again" }))).toEqual(change);
  expect(getRefusal(await owner.post(`${pro}/members`, { email: "late@demo.test" }))).toEqual(change);
  expect(getRefusal(await owner.delete(`${pro}/members/user_demo_admin`))).toEqual(change);
  expect(getRefusal(await owner.delete(pro))).toEqual(change);
  // non-members cannot see the organization, nobody can get a token for it, and its contents are deleted
  const outsider = await running.login("outsider@demo.test");
  expect((await outsider.get(pro)).status).toBe(404);
  expect((await owner.post("/auth/switch-organization", { organizationId: "org_demo_pro" })).status).toBe(
    404,
  );
  expect((await running.client.as(accessToken).get(databases)).status).toBe(401);
  await start();
});

it("a deleted organization that its members could see is hidden once the profile hides it", async () => {
  await start({ profile: { "deleted-organization": "shown" } });
  expect((await owner.delete(pro)).status).toBe(204);
  expect((await owner.get(pro)).status).toBe(200);
  running.emulator.profile.set({});
  const gone = [404, "organization-not-found"];
  expect(getRefusal(await owner.get(pro))).toEqual(gone);
  expect(getRefusal(await owner.put(pro, { name: "Back again" }))).toEqual(gone);
  await start();
});
