import { describe, expect, it } from "vitest";
import { eachAnswer } from "../testing/each-answer.js";
import { createTestEmulator } from "../testing/test-client.js";
import { useTestEmulator } from "../testing/use-test-emulator.js";

const running = useTestEmulator();

const plans = async () => (await running.client.get("/api/v1/plans")).body as Record<string, unknown>[];

describe("the plan catalog", () => {
  it("[BILL-18] [BILL-20] [BILL-24] lists all plans without a credential, cheapest first", async () => {
    expect((await plans()).map(({ planType, sortOrder }) => [planType, sortOrder])).toEqual([
      ["free", 1],
      ["pro", 2],
      ["enterprise", 3],
    ]);
    for (const plan of await plans())
      expect(plan).toMatchObject({ currency: "USD", isActive: true, features: expect.any(Array) as unknown });
    expect((await running.client.as("nonsense").get("/api/v1/plans")).status).toBe(200);
  });

  it("[BILL-19] shows each plan by its id, exactly as in the list", async () => {
    for (const plan of await plans())
      expect((await running.client.get(`/api/v1/plans/${String(plan.planId)}`)).body).toEqual(plan);
    expect(await running.client.get("/api/v1/plans/plan_none")).toMatchObject({ status: 404 });
  });

  // literal numbers from part 8
  it("[BILL-21] has the free plan of part 8", async () => {
    expect((await plans())[0]).toMatchObject({
      limits: { maxDatabases: 3, maxStorageGb: 0.1, maxRequestsPerMonth: 10000, maxTeamMembers: 1 },
      trialDays: 0,
      monthlyPriceCents: 0,
      yearlyPriceCents: 0,
    });
  });

  it("[BILL-22] has the pro plan of part 8", async () => {
    expect((await plans())[1]).toMatchObject({
      limits: { maxDatabases: 10, maxStorageGb: 10, maxRequestsPerMonth: 1000000, maxTeamMembers: 10 },
      trialDays: 14,
      monthlyPriceCents: 2900,
      yearlyPriceCents: 29000,
    });
  });

  it("[BILL-23] has the enterprise plan of part 8", async () => {
    expect((await plans())[2]).toMatchObject({
      limits: null,
      trialDays: 0,
      monthlyPriceCents: 0,
      yearlyPriceCents: 0,
    });
  });

  eachAnswer("plan-route", "is where a single plan is", async (answer, profile) => {
    const { emulator, client } = await createTestEmulator({ profile });
    try {
      const below = answer === "under-plans-route";
      expect((await client.get("/api/v1/plans")).status).toBe(200);
      expect((await client.get("/api/v1/plans/plan_pro")).status).toBe(below ? 200 : 404);
      expect((await client.get("/catalog/plan/plan_pro")).status).toBe(below ? 404 : 200);
    } finally {
      await emulator.close();
    }
  });

  eachAnswer("plans-route", "is where the catalog is", async (answer, profile) => {
    const { emulator, client } = await createTestEmulator({ profile });
    try {
      for (const path of ["/api/v1/plans", "/api/v1/payment/plans", "/plans", "/catalog/all-plans"]) {
        const status = path === answer.replace("GET ", "") ? 200 : 404;
        expect((await client.get(path)).status).toBe(status);
        expect((await client.get(`${path}/plan_pro`)).status).toBe(status);
      }
    } finally {
      await emulator.close();
    }
  });
});
