import { describe, expect, it } from "vitest";
import { planTerms } from "../../openapi/clauses/limits.js";
import { Store } from "../store/store.js";
import { loadSqlite } from "../sqlite/sqlite.js";
import { eachAnswer } from "../testing/each-answer.js";
import { getProblemKind } from "../testing/read-problem.js";
import { createTestEmulator } from "../testing/test-client.js";

const databases = "/api/v1/management/databases";

describe("the rate of requests", () => {
  eachAnswer(
    "rate-limit",
    "is how many requests an organization may make in a second",
    async (answer, profile) => {
      const { emulator, client, login } = await createTestEmulator({ profile });
      try {
        const owner = await login("owner@demo.test", "org_demo_pro");
        const key = client.as("dsk_demo_all");
        const item = "/api/v1/databases/db_demo/items/settings/currency";
        const limit = answer === "none" ? 20 : answer;
        for (let count = 0; count < limit; count += 1)
          expect((await (count % 2 === 0 ? owner.get(databases) : key.get(item))).status).toBe(200);
        const refused = [await owner.get(databases), await key.get(item)];
        if (answer === "none") expect(refused.map(({ status }) => status)).toEqual([200, 200]);
        else
          for (const one of refused) {
            expect([one.status, getProblemKind(one), one.headers.get("retry-after")]).toEqual([
              429,
              "rate-limited",
              "1",
            ]);
          }
        // other organizations are not limited, and neither are requests without a credential
        const outsider = await login("outsider@demo.test", "org_demo_free");
        expect((await outsider.get(databases)).status).toBe(200);
        expect((await client.get("/health")).status).toBe(200);
        // rejected requests do not count, and requests are accepted again a second later
        emulator.clock.advance("PT1S");
        for (let count = 0; count < limit; count += 1) expect((await owner.get(databases)).status).toBe(200);
        expect((await owner.get(databases)).status).toBe(answer === "none" ? 200 : 429);
      } finally {
        await emulator.close();
      }
    },
  );

  it("continues if the clock is set back", async () => {
    const { emulator, login } = await createTestEmulator({ profile: { "rate-limit": 1 } });
    try {
      const owner = await login("owner@demo.test", "org_demo_pro");
      expect((await owner.get(databases)).status).toBe(200);
      expect((await owner.get(databases)).status).toBe(429);
      emulator.clock.set("2030-01-01T00:00:00.000Z");
      expect((await owner.get(databases)).status).toBe(200);
    } finally {
      await emulator.close();
    }
  });
});

describe("the requests of a month", () => {
  it("[BILL-26] are counted beyond the limit of the plan", async () => {
    const { emulator, login } = await createTestEmulator();
    try {
      const most = planTerms.free.limits?.maxRequestsPerMonth ?? 0;
      const owner = await login("outsider@demo.test", "org_demo_free");
      emulator.organizations.change("org_demo_free", { requestsThisPeriod: most });
      expect((await owner.get(databases)).status).toBe(200);
      expect((await owner.get("/api/v1/payment/usage")).body).toMatchObject({ totalRequests: most + 2 });
    } finally {
      await emulator.close();
    }
  });

  it("are counted across an export", async () => {
    const sqlite = await loadSqlite();
    const store = Store.create(sqlite);
    store.requestCounts.startPeriod("org", 0, 10).requests += 5;
    store.requestCounts.startPeriod("org", 10, 20).requests += 2;
    const copy = Store.open(sqlite, store.export());
    expect(copy.requestCounts.startPeriod("org", 10, 20).requests).toBe(2);
    expect(copy.requestCounts.startPeriod("org", 0, 10).requests).toBe(5);
    store.close();
    copy.close();
  });
});
