import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { EmulatorOptions } from "../api/emulator.js";
import { eachAnswer } from "../testing/each-answer.js";
import { type TestResponse, type TestEmulator, createTestEmulator } from "../testing/test-client.js";

let running: TestEmulator;
async function start(options: EmulatorOptions = {}): Promise<void> {
  await (running as TestEmulator | undefined)?.emulator.close();
  running = await createTestEmulator(options);
}
beforeEach(() => start());
afterAll(() => running.emulator.close());

const detail = ({ body }: TestResponse) => (body as { detail: string }).detail;
const all = () => running.client.as("dsk_demo_all");
const items = "/api/v1/databases/db_demo/items";

describe("the problem for a mistake in a first request", () => {
  it("says the same for a missing database and one of another organization", async () => {
    const outsider = await running.login("outsider@demo.test");
    const { personalOrganizationId } = running.emulator.users.create({
      email: "a@demo.test",
      password: "demo-password",
    });
    const user = await running.login("a@demo.test");
    for (const id of ["db_demo", "db_nowhere"]) {
      const answer = await user.get(`/api/v1/management/databases/${id}`);
      expect([answer.status, detail(answer)]).toEqual([
        404,
        `There is no database with this id in the organization. Your access token is for ${personalOrganizationId}; ` +
          "POST /auth/switch-organization returns a token for another organization.",
      ]);
    }
    const owner = await running.login("owner@demo.test", "org_demo_pro");
    const mistyped = await owner.get("/api/v1/management/databases/demo");
    expect(detail(mistyped)).toContain("in the organization, which has db_demo. Your access token is for");
    const sql = await owner.post("/databases/demo/sql/query", { sql: "SELECT * FROM products" });
    expect(JSON.stringify(sql.body)).toContain("in the organization, which has db_demo");
    expect(detail(await outsider.get("/api/v1/management/databases/db_demo"))).toContain(
      "switch-organization",
    );
    const { key } = running.emulator.apiKeys.create({
      organizationId: "org_demo_free",
      name: "k",
      scopes: ["*"],
    });
    for (const path of [`${items}/settings`, "/api/v1/repositories/repo_demo_events/x"])
      expect(detail(await running.client.as(key).get(path))).toContain(
        "Your API key is for org_demo_free; each",
      );
  });

  it("names the other organization if the profile reveals it", async () => {
    await start({ profile: { "foreign-resource-status": 403 } });
    const { key } = running.emulator.apiKeys.create({
      organizationId: "org_demo_free",
      name: "k",
      scopes: ["*"],
    });
    const answer = await running.client.as(key).get(`${items}/settings`);
    expect([answer.status, detail(answer)]).toEqual([
      403,
      "The database belongs to another organization. Your API key is for org_demo_free; each organization has its own keys.",
    ]);
  });

  it("says how to name a value that lacks its colon", async () => {
    const owner = await running.login("owner@demo.test", "org_demo_pro");
    const condition = { conditionExpression: "total > :t", filterValues: { t: 1 } };
    const answer = await owner.put(items, { pk: "a", data: {}, ...condition });
    expect(JSON.stringify(answer.body)).toContain(
      "must have a value for :t, which the condition uses; name the value :t, not t",
    );
  });

  it("distinguishes expired tokens from unknown ones", async () => {
    const user = await running.login("owner@demo.test");
    running.emulator.clock.advance("PT2H");
    expect(detail(await user.get("/api/v1/organizations"))).toMatch(
      /^The access token expired at 2030-01-01T01:00:00\.000Z; the current time is 2030-01-01T02:00:00\.\d+Z\. Refresh/,
    );
    expect(detail(await running.client.as("a.b.c").get("/api/v1/organizations"))).toMatch(
      /^The access token is unknown: another emulator or service issued it/,
    );
    const { key } = running.emulator.apiKeys.create({
      organizationId: "org_demo_pro",
      name: "k",
      scopes: ["*"],
      expiresAt: "2030-01-01T03:00:00Z",
    });
    running.emulator.clock.advance("PT2H");
    expect(detail(await running.client.as(key).get(`${items}/settings`))).toContain(
      "expired at 2030-01-01T03:00",
    );
  });

  it.each([
    ["/databases/db_demo/items/settings/currency", "/api/v1/databases/{databaseId}/items/{pk}/{sk}"],
    ["/api/v1/database/db_demo/items/query", "/api/v1/databases/{databaseId}/items/query"],
    ["/api/v1/databases/db_demo/item/query", "/api/v1/databases/{databaseId}/items/query"],
    ["/v1/organizations", "/api/v1/organizations"],
    ["/auth/pasword", "/auth/password"],
    ["/api/v1/Plans", "/api/v1/plans"],
    ["/helth", "/health"],
    ["/api/v1/databases/db_demo/sql/query", "/databases/{databaseId}/sql/query"],
    ["/databases/db_demo/sql/querry", "/databases/{databaseId}/sql/query"],
    ["/organizations/org_demo_pro", "/api/v1/organizations/{organizationId}"],
  ])("suggests a path for %s", async (path, meant) => {
    const answer = await all().post(path, {});
    expect([answer.status, detail(answer)]).toEqual([
      404,
      `There is no operation at ${path}. Did you mean ${meant}?`,
    ]);
  });

  it("suggests nothing for a long path without a match", async () => {
    for (const path of ["/completely/other", "/", `/${"a/".repeat(2000)}`, `/${"health".repeat(300)}`])
      expect(detail(await all().get(path))).toBe(
        `There is no operation at ${path}. GET /openapi.json lists the operations.`,
      );
  });

  it("is readable by a page, because its preflight succeeds", async () => {
    const headers = { Origin: "http://app.test", "Access-Control-Request-Method": "PUT" };
    const preflight = await running.client.request("OPTIONS", "/nowhere", { headers });
    expect([preflight.status, preflight.headers.get("access-control-allow-methods")]).toEqual([204, "PUT"]);
    const answer = await running.client.request("PUT", "/nowhere", {
      headers: { Origin: "http://app.test" },
    });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([404, "*"]);
  });

  it("suggests the name of a misspelled SQL table", async () => {
    const query = (sql: string) => all().post("/databases/db_demo/sql/query", { sql });
    const tables = (await all().get("/databases/db_demo/sql/tables")).body as { tables: { name: string }[] };
    const [name = ""] = tables.tables.map((table) => table.name);
    const refused = await query(`SELECT * FROM ${name}s`);
    expect([refused.status, refused.body as unknown]).toMatchObject([
      400,
      {
        code: "TABLE_NOT_FOUND",
        message: `there is no table "${name}s"`,
        details: expect.stringContaining(`Did you mean "${name}"?`) as string,
      },
    ]);
    expect(JSON.stringify((await query("SELECT * FROM entirely_else")).body)).not.toContain("Did you mean");
  });

  it.each([
    ["n = 3", 3],
    ["n <> -1.5", -1.5],
    ["n = 'x'", "x"],
  ])("says how to pass a value that is written in a condition: %s", async (conditionExpression, value) => {
    const answer = await all().put(items, { pk: "a", data: {}, conditionExpression });
    expect([answer.status, detail(answer)]).toEqual([
      400,
      expect.stringContaining(
        `Put the value into filterValues, as in {":value": ${JSON.stringify(value)}}, and write :value here`,
      ),
    ]);
  });

  eachAnswer("condition-values", "names the field for the values of a condition", async (answer, profile) => {
    await start({ profile });
    const refused = await all().put(items, { pk: "a", data: {}, conditionExpression: "n = 3" });
    expect(detail(refused)).toContain(`Put the value into ${answer}, as in {":value": 3}`);
  });
});
