/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-member-access -- looks into answers of every shape, which the contract's validator holds elsewhere */
import type { EmulatorNamespace } from "../api/emulator-namespace.js";

/** Adds data to the demo data so that every table has rows of every kind. */
export async function fillWorld(world: EmulatorNamespace): Promise<void> {
  const ask = async (
    method: string,
    path: string,
    body: unknown,
    credential = "dsk_demo_all",
  ): Promise<any> => {
    const response = await world.fetch(path, {
      method,
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${credential}` },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };
  const owner = (await ask("POST", "/auth/password", { email: "owner@demo.test", password: "demo-password" }))
    .authResponse.accessToken as string;
  const pro = (await ask("POST", "/auth/switch-organization", { organizationId: "org_demo_pro" }, owner))
    .accessToken as string;
  // with a rate limit, the emulator stores how many requests were made in the current second
  world.profile.set({ "rate-limit": 500 });
  await ask("POST", "/api/v1/payment/checkout", { planType: "enterprise" }, pro);
  await ask("POST", "/api/v1/organizations/org_demo_pro/members", { email: "guest@x.test" }, pro);
  await ask("POST", "/api/v1/organizations", { name: "Élan" }, owner);
  world.organizations.change("org_demo_free", {
    settings: { allowedRegions: ["eu-west-1"], maxDatabases: 7 },
  });
  world.subscriptions.change("org_demo_enterprise", { status: "trialing" });
  world.health.set({ ready: "NotReady", details: "on purpose" });
  await ask(
    "POST",
    "/api/v1/management/databases",
    {
      name: "second",
      region: "eu-west-1",
      settings: { note: "ä" },
    },
    pro,
  );
  const items = "/api/v1/databases/db_demo/items";
  await ask("PUT", items, { pk: "ключ", sk: "a\u0000b", data: { deep: [{ a: 1.5e10, ü: null }] } });
  await ask("POST", `${items}/transact/get`, {
    items: [{ pk: "customer#ada" }],
    clientRequestToken: "known",
  });
  const sql = "/databases/db_demo/sql";
  await ask("POST", `${sql}/execute`, {
    sql:
      'CREATE TABLE "all types" (a VARCHAR, b INT, c BIGINT, d SMALLINT, e TINYINT, f FLOAT, g DOUBLE, h DECIMAL DEFAULT 1.5, ' +
      "i BOOLEAN, j DATE, k TIME, l TIMESTAMP, m BLOB, n UUID, o TIMEUUID, p LIST<INT>, q SET<TEXT>, r MAP<TEXT, LIST<INT>>, " +
      "PRIMARY KEY ((a, b), c))",
  });
  await ask("POST", `${sql}/execute`, { sql: 'ALTER TABLE "all types" ADD s TEXT' });
  await ask("POST", `${sql}/execute`, { sql: 'ALTER TABLE "all types" DROP q' });
  await ask("POST", `${sql}/execute`, { sql: 'CREATE UNIQUE INDEX "by h" ON "all types" (h, j)' });
  for (const row of [
    "'ä', 1, 9223372036854775807, 1, 1, 1.5, -2.25, 123456789012345678.25, TRUE, '2030-01-31', '12:00:00.5', " +
      "'2030-01-31T12:00:00Z', X'00ff', '123e4567-e89b-42d3-a456-426614174000', '123e4567-e89b-12d3-a456-426614174000', [1, 2], {'x': [1]}",
    "'b', -1, -5, -1, -1, 0, 1e300, -0.05, FALSE, NULL, NULL, NULL, NULL, NULL, NULL, [], NULL",
  ])
    await ask("POST", `${sql}/query`, {
      sql: `INSERT INTO "all types" (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, r) VALUES (${row})`,
    });
  world.profile.set({});
}
