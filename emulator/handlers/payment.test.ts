import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { roles } from "../../openapi/schemas/roles.js";
import { subscriptionStatuses } from "../../openapi/schemas/billing.js";
import type { EmulatorOptions } from "../api/emulator.js";
import { eachAnswer } from "../testing/each-answer.js";
import { getRefusal } from "../testing/read-problem.js";
import {
  type TestResponse,
  type TestClient,
  type TestEmulator,
  createTestEmulator,
} from "../testing/test-client.js";

const payment = "/api/v1/payment";
const databases = "/api/v1/management/databases";

let running: TestEmulator;
/** The owner of the pro organization. */
let owner: TestClient;
/** The owner of the free organization. */
let outsider: TestClient;

async function start(options: EmulatorOptions = {}): Promise<void> {
  await (running as TestEmulator | undefined)?.emulator.close();
  running = await createTestEmulator(options);
  owner = await running.login("owner@demo.test", "org_demo_pro");
  outsider = await running.login("outsider@demo.test", "org_demo_free");
}

beforeAll(() => start());
beforeEach(() => running.emulator.reset());
afterAll(() => running.emulator.close());

/** Advances the clock and logs in again, because access tokens expire after an hour. */
const advanceAndLogIn = async (
  duration: string,
  email = "outsider@demo.test",
  organizationId = "org_demo_free",
) => {
  running.emulator.clock.advance(duration);
  return running.login(email, organizationId);
};
const buy = async (planType: string, client = outsider) => {
  const { checkoutId } = (await client.post(`${payment}/checkout`, { planType })).body as {
    checkoutId: string;
  };
  return running.emulator.checkouts.complete(checkoutId);
};

describe("payment info", () => {
  it("[BILL-01] [BILL-02] [BILL-03] [BILL-05] shows subscription, product and latest order", async () => {
    const answer = await owner.get(payment);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        organizationId: "org_demo_pro",
        subscriptionId: "sub_demo_pro",
        status: "active",
        planName: "Pro",
        amount: 2900,
        currency: "USD",
        currentPeriodStart: "2030-01-01T00:00:00.000Z",
        currentPeriodEnd: "2030-02-01T00:00:00.000Z",
        trialStart: null,
        trialEnd: null,
        cancelAtPeriodEnd: false,
        product: {
          id: "prod_pro",
          name: "Pro",
          description: "For teams in production.",
          recurringInterval: "month",
          prices: [
            {
              id: "price_pro_month",
              amount: 2900,
              currency: "USD",
              type: "recurring",
              recurringInterval: "month",
            },
            {
              id: "price_pro_year",
              amount: 29_000,
              currency: "USD",
              type: "recurring",
              recurringInterval: "year",
            },
          ],
          benefits: [
            { id: "benefit_databases", type: "limit", description: "10 databases" },
            { id: "benefit_storage", type: "limit", description: "10 GB of storage" },
            { id: "benefit_requests", type: "limit", description: "1000000 requests a month" },
            { id: "benefit_members", type: "limit", description: "10 team members" },
          ],
        },
        latestOrder: {
          id: "order_demo_pro_1",
          status: "paid",
          paid: true,
          amount: 2900,
          currency: "USD",
          invoiceNumber: "INV-000001",
          invoicePdfUrl: "http://localhost/_emulator/console/invoices/order_demo_pro_1.pdf",
          createdAt: "2030-01-01T00:00:00.000Z",
        },
      },
    ]);
  });

  it("[BILL-06] is that of the organization the token is for", async () => {
    const enterprise = await running.login("owner@demo.test", "org_demo_enterprise");
    expect((await enterprise.get(payment)).body).toMatchObject({
      organizationId: "org_demo_enterprise",
      planName: "Enterprise",
      amount: 0,
      product: { benefits: [{ description: "No limits" }] },
    });
    expect((await outsider.get(payment)).body).toMatchObject({
      organizationId: "org_demo_free",
      planName: "Free",
    });
  });

  it("[BILL-07] requires a JWT, not an API key", async () => {
    expect(getRefusal(await running.client.as("dsk_demo_all").get(payment))).toEqual([
      403,
      "wrong-credential-kind",
    ]);
  });

  eachAnswer("free-subscription", "is what the free plan shows", async (answer, profile) => {
    await start({ profile });
    const shown = await outsider.get(payment);
    if (answer === 404) expect(getRefusal(shown)).toEqual([404, "subscription-not-found"]);
    else
      expect([shown.status, shown.body]).toMatchObject([
        200,
        { status: "active", amount: 0, latestOrder: { amount: 0, paid: true } },
      ]);
    expect((await owner.get(payment)).status).toBe(200);
    await start();
  });
});

describe("buying a plan", () => {
  it.each(["pro", "enterprise"])(
    "[BILL-08] [BILL-10] begins with a checkout for %s that changes nothing",
    async (planType) => {
      const answer = await outsider.post(`${payment}/checkout`, { planType });
      expect(answer.status).toBe(200);
      const { checkoutId, checkoutUrl, productId } = answer.body as Record<string, string>;
      expect(checkoutUrl).toBe(`http://localhost/_emulator/console/checkout/${checkoutId ?? ""}`);
      expect(productId).toBe(`prod_${planType}`);
      expect((await outsider.get(`${payment}/status`)).body).toMatchObject({ planType: "free" });
    },
  );

  it.each([{}, { planType: "free" }, { planType: "PRO" }, { planType: null }, { planType: ["pro"] }])(
    "[BILL-09] is refused as %j",
    async (body) => {
      expect(getRefusal(await outsider.post(`${payment}/checkout`, body))).toEqual([
        400,
        "validation-failed",
      ]);
    },
  );

  it("[BILL-25] [BILL-13] [BILL-14] starts with a trial of 14 days on pro, followed by a paid month", async () => {
    await buy("pro");
    const trial = (await outsider.get(payment)).body as Record<string, string>;
    expect(Date.parse(trial.trialEnd ?? "") - Date.parse(trial.trialStart ?? "")).toBe(14 * 24 * 3600 * 1000);
    expect(trial).toMatchObject({
      status: "trialing",
      currentPeriodStart: trial.trialStart,
      currentPeriodEnd: trial.trialEnd,
      latestOrder: { amount: 0, invoiceNumber: "INV-000002" },
    });
    expect((await outsider.get(`${payment}/status`)).body).toEqual({
      status: "trialing",
      isActive: true,
      isTrial: true,
      planType: "pro",
      expiresAt: trial.trialEnd,
    });
    const shortBefore = await advanceAndLogIn("P13DT23H");
    expect((await shortBefore.get(payment)).body).toMatchObject({ status: "trialing" });
    const after = await advanceAndLogIn("PT2H");
    expect((await after.get(payment)).body).toMatchObject({
      status: "active",
      trialEnd: trial.trialEnd,
      currentPeriodStart: trial.trialEnd,
      currentPeriodEnd: trial.trialEnd?.replace("01-15", "02-15"),
      latestOrder: { amount: 2900, paid: true, invoiceNumber: "INV-000003", createdAt: trial.trialEnd },
    });
    const inSpring = await advanceAndLogIn("P2M");
    expect((await inSpring.get(payment)).body).toMatchObject({
      currentPeriodStart: trial.trialEnd?.replace("01-15", "03-15"),
      latestOrder: { invoiceNumber: "INV-000005" },
    });
  });

  it("gives an organization one trial, and enterprise none", async () => {
    await buy("pro");
    await buy("enterprise");
    expect((await outsider.get(payment)).body).toMatchObject({
      status: "active",
      trialStart: null,
      planName: "Enterprise",
    });
    running.emulator.subscriptions.change("org_demo_free", { plan: "free" });
    expect((await buy("pro")).status).toBe("active");
  });

  it("[BILL-14] applies the limits of the plan, higher or lower, and deletes nothing", async () => {
    const create = (name: string) => outsider.post(databases, { name, region: "eu" });
    for (const name of ["one", "two", "three"]) expect((await create(name)).status).toBe(201);
    expect(getRefusal(await create("four"))).toEqual([403, "ceiling-reached"]);
    await buy("pro");
    expect((await outsider.get("/api/v1/organizations/org_demo_free")).body).toMatchObject({
      plan: "pro",
      settings: { maxDatabases: 10, maxMembers: 10, maxApiKeys: 50 },
    });
    expect((await create("four")).status).toBe(201);
    running.emulator.subscriptions.change("org_demo_free", { status: "canceled" });
    expect((await outsider.get(`${payment}/status`)).body).toMatchObject({
      status: "canceled",
      planType: "free",
    });
    expect(getRefusal(await create("five"))).toEqual([403, "ceiling-reached"]);
    expect((await outsider.get(databases)).body).toMatchObject({ databases: { length: 4 } });
    running.emulator.subscriptions.change("org_demo_free", { status: "active" });
    expect((await create("five")).status).toBe(201);
  });

  it("is completed once for each checkout", async () => {
    const { checkoutId } = (await outsider.post(`${payment}/checkout`, { planType: "pro" })).body as {
      checkoutId: string;
    };
    const path = `/_emulator/checkouts/${checkoutId}/complete`;
    const { control } = running;
    expect(await control.post(path)).toMatchObject({
      status: 200,
      body: { plan: "pro", status: "trialing" },
    });
    expect(getRefusal(await control.post(path))).toEqual([409, "checkout-completed"]);
    expect(getRefusal(await control.post("/_emulator/checkouts/none/complete"))).toEqual([
      404,
      "checkout-not-found",
    ]);
  });

  it("has the address that the client called", async () => {
    const emulator = await createTestEmulator({ over: "socket" });
    try {
      const client = await emulator.login("outsider@demo.test", "org_demo_free");
      const { checkoutUrl } = (await client.post(`${payment}/checkout`, { planType: "pro" })).body as {
        checkoutUrl: string;
      };
      expect(checkoutUrl.startsWith(`${emulator.emulator.url ?? ""}/_emulator/console/checkout/`)).toBe(true);
      const { accessToken } = await emulator.tokens("outsider@demo.test", "org_demo_free");
      // a token is valid in every namespace with the same seed
      const elsewhere = await client.as(accessToken).request("GET", "/ns/other/api/v1/payment/portal");
      expect(elsewhere.status).toBe(200);
      expect((elsewhere.body as { portalUrl: string }).portalUrl).toBe(
        `${emulator.emulator.url ?? ""}/ns/other/_emulator/console/portal/org_demo_free`,
      );
    } finally {
      await emulator.emulator.close();
    }
  });

  it("[BILL-27] is refused for a lower plan, which is left to the portal", async () => {
    const owner = await running.login("owner@demo.test", "org_demo_enterprise");
    expect(getRefusal(await owner.post(`${payment}/checkout`, { planType: "pro" }))).toEqual([
      409,
      "lower-plan",
    ]);
    expect((await owner.get(payment)).body).toMatchObject({ planName: "Enterprise" });
    expect((await owner.post(`${payment}/checkout`, { planType: "enterprise" })).status).toBe(200);
  });
});

describe("the portal", () => {
  it("[BILL-11] is a link that works for an hour", async () => {
    expect(await owner.get(`${payment}/portal`)).toMatchObject({
      status: 200,
      body: {
        portalUrl: "http://localhost/_emulator/console/portal/org_demo_pro",
        expiresAt: "2030-01-01T01:00:00.001Z",
      },
    });
  });
});

describe("who may do what", () => {
  it.each(roles)("[BILL-17] lets the role %s read, and change only as owner", async (role) => {
    const client = await running.login(`${role}@demo.test`, "org_demo_pro");
    for (const path of ["", "/status", "/usage"]) expect((await client.get(payment + path)).status).toBe(200);
    const allowed = role === "owner" ? 200 : 403;
    expect((await client.get(`${payment}/portal`)).status).toBe(allowed);
    expect((await client.post(`${payment}/checkout`, { planType: "enterprise" })).status).toBe(allowed);
  });

  eachAnswer(
    "payment-credential",
    "is what checkout, portal, status and usage take",
    async (answer, profile) => {
      await start({ profile });
      const all = running.client.as("dsk_demo_all");
      const calls = (client: TestClient) => [
        client.post(`${payment}/checkout`, { planType: "pro" }),
        ...["/portal", "/status", "/usage"].map((path) => client.get(payment + path)),
      ];
      for (const call of await Promise.all(calls(all)))
        if (answer === "jwt") expect(getRefusal(call)).toEqual([403, "wrong-credential-kind"]);
        else expect(call.status).toBe(200);
      for (const call of await Promise.all(calls(running.client.as("dsk_demo_database_all"))))
        expect(call.status).toBe(403);
      expect(getRefusal(await all.get(payment))).toEqual([403, "wrong-credential-kind"]);
      await start();
    },
  );
});

describe("the status", () => {
  it("[BILL-12] [BILL-14] returns the plan and its end", async () => {
    expect((await owner.get(`${payment}/status`)).body).toEqual({
      status: "active",
      isActive: true,
      isTrial: false,
      planType: "pro",
      expiresAt: "2030-02-01T00:00:00.000Z",
    });
  });

  it.each(subscriptionStatuses)("[BILL-04] [BILL-13] can be %s", async (status) => {
    const { control } = running;
    const changed = await control.patch("/_emulator/subscriptions/org_demo_pro", { status });
    expect(changed).toMatchObject({ status: 200, body: { status, plan: "pro" } });
    expect((await owner.get(`${payment}/status`)).body).toMatchObject({
      status,
      isTrial: status === "trialing",
      isActive: ["active", "trialing", "past_due"].includes(status),
      planType: status === "canceled" ? "free" : "pro",
    });
    expect((await owner.get(payment)).body).toMatchObject({
      status,
      latestOrder: { paid: !["past_due", "incomplete"].includes(status) },
    });
    // change the status back
    await control.patch("/_emulator/subscriptions/org_demo_pro", { status: "active" });
    expect((await owner.get(payment)).body).toMatchObject({ status: "active", latestOrder: { paid: true } });
    expect((await owner.get(`${payment}/status`)).body).toMatchObject({ planType: "pro" });
  });

  it("[BILL-13] is canceled at the end of the period, and not before", async () => {
    running.emulator.subscriptions.change("org_demo_pro", { cancelAtPeriodEnd: true });
    const before = await advanceAndLogIn("P30D", "owner@demo.test", "org_demo_pro");
    expect((await before.get(payment)).body).toMatchObject({ status: "active", cancelAtPeriodEnd: true });
    const after = await advanceAndLogIn("P1D", "owner@demo.test", "org_demo_pro");
    expect((await after.get(`${payment}/status`)).body).toMatchObject({
      status: "canceled",
      planType: "free",
    });
    expect((await after.get("/api/v1/organizations/org_demo_pro")).body).toMatchObject({
      plan: "free",
      settings: { maxDatabases: 3 },
    });
  });

  it("stays past_due over months until it is paid", async () => {
    running.emulator.subscriptions.change("org_demo_pro", { status: "past_due" });
    const after = await advanceAndLogIn("P3M", "owner@demo.test", "org_demo_pro");
    expect((await after.get(payment)).body).toMatchObject({
      status: "past_due",
      currentPeriodStart: "2030-04-01T00:00:00.000Z",
      latestOrder: { paid: false, invoiceNumber: "INV-000004" },
    });
  });

  it("follows a plan set by the control plane", async () => {
    running.emulator.organizations.change("org_demo_free", { plan: "enterprise" });
    expect((await outsider.get(`${payment}/status`)).body).toMatchObject({
      planType: "enterprise",
      status: "active",
    });
    expect((await outsider.get(payment)).body).toMatchObject({ planName: "Enterprise" });
    expect(
      getRefusal(await running.control.patch("/_emulator/subscriptions/nowhere", { plan: "pro" })),
    ).toEqual([404, "organization-not-found"]);
  });

  it("can be shown at the end of time", async () => {
    running.emulator.clock.set("9998-12-31T23:59:59.000Z");
    const client = await running.login("owner@demo.test", "org_demo_pro");
    expect((await client.get(`${payment}/status`)).status).toBe(200);
  });

  it("is active in the grace period", async () => {
    running.emulator.subscriptions.change("org_demo_pro", { status: "past_due" });
    expect((await owner.get(`${payment}/status`)).body).toMatchObject({ isActive: true });
    await start();
  });

  it("has no expiresAt under the free plan", async () => {
    expect((await outsider.get(`${payment}/status`)).body).toMatchObject({ expiresAt: null });
  });
});

describe("usage", () => {
  it("[BILL-15] [BILL-16] counts databases, bytes and requests of the organization", async () => {
    const first = (await owner.get(`${payment}/usage`)).body as Record<string, number>;
    expect(first).toEqual({
      databaseCount: 1,
      totalStorageGb: first.totalStorageGb,
      totalRequests: 1,
      totalCost: 29,
      billingPeriodStart: "2030-01-01T00:00:00.000Z",
      billingPeriodEnd: "2030-02-01T00:00:00.000Z",
      periodStart: "2030-01-01T00:00:00.000Z",
      periodEnd: "2030-02-01T00:00:00.000Z",
      generatedAt: "2030-01-01T00:00:00.001Z",
    });
    const { usage } = (await owner.get(`${databases}/db_demo`)).body as { usage: { storageBytes: number } };
    expect(first.totalStorageGb).toBe(usage.storageBytes / 1024 ** 3);
    await owner.post(databases, { name: "second", region: "eu" });
    await running.client.as("dsk_demo_all").get("/api/v1/databases/db_demo/items/settings/currency");
    // a request that is rejected as invalid counts, but a request without a valid credential does not
    await owner.post(databases, {});
    await running.client.get(`${payment}/usage`);
    await outsider.get(`${payment}/usage`);
    expect((await owner.get(`${payment}/usage`)).body).toMatchObject({ databaseCount: 2, totalRequests: 6 });
  });

  it("[BILL-15] counts requests anew in every billing period; looking costs nothing during a trial", async () => {
    for (let count = 0; count < 3; count += 1) await owner.get(databases);
    const after = await advanceAndLogIn("P1M", "owner@demo.test", "org_demo_pro");
    expect((await after.get(`${payment}/usage`)).body).toMatchObject({
      totalRequests: 1,
      billingPeriodStart: "2030-02-01T00:00:00.000Z",
    });
    await buy("pro", await running.login("outsider@demo.test", "org_demo_free"));
    const trial = await running.login("outsider@demo.test", "org_demo_free");
    expect((await trial.get(`${payment}/usage`)).body).toMatchObject({ totalCost: 0, totalRequests: 1 });
  });
});

describe("who may do what about billing", () => {
  const statusesOf = async (call: (client: TestClient) => Promise<TestResponse>) => {
    const statuses = [];
    for (const role of roles)
      statuses.push((await call(await running.login(`${role}@demo.test`, "org_demo_pro"))).status);
    return statuses;
  };

  eachAnswer("billing-readers", "names those who see it", async (answer, profile) => {
    await start({ profile });
    const seen = {
      members: [200, 200, 200, 200],
      "owner-and-admin": [200, 200, 403, 403],
      owner: [200, 403, 403, 403],
    };
    for (const path of ["", "/status", "/usage"])
      expect(await statusesOf((client) => client.get(payment + path))).toEqual(seen[answer]);
    await start();
  });

  eachAnswer("billing-managers", "names those who change it", async (answer, profile) => {
    await start({ profile });
    const done = answer === "owner" ? [200, 403, 403, 403] : [200, 403, 200, 403];
    expect(await statusesOf((client) => client.get(`${payment}/portal`))).toEqual(done);
    const checkout = { planType: "enterprise" };
    expect(await statusesOf((client) => client.post(`${payment}/checkout`, checkout))).toEqual(done);
    await start();
  });
});

eachAnswer(
  "checkout-effect",
  "a checkout changes the plan by itself, or does not",
  async (answer, profile) => {
    await start({ profile });
    const { checkoutId } = (await outsider.post(`${payment}/checkout`, { planType: "pro" })).body as {
      checkoutId: string;
    };
    const { status, planType } = (await outsider.get(`${payment}/status`)).body as Record<string, unknown>;
    expect([status, planType]).toEqual(answer === "plan" ? ["trialing", "pro"] : ["active", "free"]);
    const complete = () => running.emulator.checkouts.complete(checkoutId);
    if (answer === "plan") expect(complete).toThrow(/completed/);
    else expect(complete().plan).toBe("pro");
    await start();
  },
);

it("a trial is active", async () => {
  await buy("pro");
  const seen = await outsider.get(`${payment}/status`);
  expect(seen.body).toMatchObject({ status: "trialing", isTrial: true, isActive: true });
  await start();
});
