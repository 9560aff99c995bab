import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createEmulator, type Emulator } from "../api/emulator.js";

const organizationId = "org_demo_free";
let emulator: Emulator;
beforeEach(async () => {
  emulator = await createEmulator();
});
afterEach(() => emulator.close());

async function checkout(planType = "pro"): Promise<string> {
  const { accessToken } = emulator.sessions.create({ userId: "user_demo_outsider", organizationId });
  const response = await emulator.fetch("/api/v1/payment/checkout", {
    method: "POST",
    headers: { Authorization: `Bearer ${accessToken}`, "Content-Type": "application/json" },
    body: JSON.stringify({ planType }),
  });
  return ((await response.json()) as { checkoutId: string }).checkoutId;
}

describe("a checkout completed later", () => {
  it("activates the plan when the clock gets there, at that time", async () => {
    const checkoutId = await checkout();
    const before = emulator.checkouts.complete(checkoutId, { after: "PT10M" });
    expect(before).toMatchObject({ plan: "free", status: "active" });
    const { completesAt, completedAt } = emulator.checkouts.get(checkoutId);
    expect([completesAt, completedAt]).toEqual(["2030-01-01T00:10:00.001Z", null]);
    emulator.clock.set("2030-01-01T00:10:00.000Z");
    expect(emulator.subscriptions.get(organizationId).plan).toBe("free");
    // even much later, the start of the plan depends on the time of the payment
    emulator.clock.set("2030-01-02T00:00:00.000Z");
    expect(emulator.subscriptions.get(organizationId)).toMatchObject({
      plan: "pro",
      status: "trialing",
      trialStart: "2030-01-01T00:10:00.001Z",
    });
    expect(emulator.checkouts.get(checkoutId)).toMatchObject({ completesAt: null, completedAt: completesAt });
  });

  it("is kept by snapshots and files", async () => {
    const checkoutId = await checkout();
    emulator.checkouts.complete(checkoutId, { after: "P1D" });
    const copy = await createEmulator({ data: emulator.export() });
    copy.clock.advance("P1D");
    expect(copy.subscriptions.get(organizationId).plan).toBe("pro");
    await copy.close();
    emulator.snapshots.save("paid");
    emulator.reset();
    emulator.snapshots.restore("paid");
    emulator.clock.advance("P1D");
    expect(emulator.subscriptions.get(organizationId).plan).toBe("pro");
  });

  it("is paid once, and creates one order", async () => {
    const checkoutId = await checkout();
    emulator.checkouts.complete(checkoutId, { after: "PT1H" });
    expect(() => emulator.checkouts.complete(checkoutId)).toThrow("has already been paid");
    const orders = emulator.subscriptions.orders(organizationId).length;
    emulator.clock.advance("PT2H");
    emulator.clock.advance("PT2H");
    expect(emulator.subscriptions.orders(organizationId)).toHaveLength(orders + 1);
    expect(() => emulator.checkouts.complete(checkoutId)).toThrow("was completed at");
  });

  it("accepts only a duration, and nothing beyond the end of time", async () => {
    const checkoutId = await checkout();
    for (const after of ["soon", "P9000Y"])
      expect(() => emulator.checkouts.complete(checkoutId, { after })).toThrow("/after");
    expect(emulator.checkouts.get(checkoutId).completesAt).toBeNull();
    emulator.checkouts.complete(checkoutId, { after: "PT0S" });
    expect(emulator.subscriptions.get(organizationId).plan).toBe("pro");
  });
});

it("[BILL-27] a checkout that was started earlier does not lower the plan", async () => {
  const [first, second, third] = [await checkout(), await checkout(), await checkout("enterprise")];
  emulator.checkouts.complete(second, { after: "PT10M" });
  expect(emulator.checkouts.complete(third).plan).toBe("enterprise");
  expect(() => emulator.checkouts.complete(first)).toThrow("The organization is on the enterprise plan");
  const orders = emulator.subscriptions.orders(organizationId);
  emulator.clock.advance("PT20M");
  expect(emulator.subscriptions.get(organizationId)).toMatchObject({ plan: "enterprise", status: "active" });
  expect(emulator.subscriptions.orders(organizationId)).toEqual(orders);
  expect(emulator.checkouts.get(second).completedAt).toMatch(/^2030-01-01T00:10/);
});

describe("a session without a password", () => {
  it("is for members of the organization, lives an hour, and uses no id of the namespace", async () => {
    const { accessToken, expiresAt } = emulator.sessions.create({ userId: "user_demo_mfa" });
    expect(expiresAt).toBe("2030-01-01T01:00:00.000Z");
    const headers = { Authorization: `Bearer ${accessToken}` };
    expect((await emulator.fetch("/api/v1/organizations", { headers })).status).toBe(200);
    expect(() => emulator.sessions.create({ userId: "user_demo_mfa", organizationId })).toThrow(
      "not an active member",
    );
    expect(() => emulator.sessions.create({ userId: "nobody" })).toThrow("no user");
    const other = await createEmulator();
    const made = [emulator, other].map(
      ({ users }) => users.create({ email: "a@b.test", password: "p" }).userId,
    );
    expect(made[0]).toBe(made[1]);
    await other.close();
    emulator.clock.advance("PT1H");
    expect((await emulator.fetch("/api/v1/organizations", { headers })).status).toBe(401);
  });
});

describe("a canceled subscription", () => {
  const change = (body: Parameters<Emulator["subscriptions"]["change"]>[1]) =>
    emulator.subscriptions.change(organizationId, body);
  const planNow = () =>
    emulator.organizations.list().find((one) => one.organizationId === organizationId)?.plan;
  beforeEach(() => {
    change({ plan: "pro" });
    change({ status: "canceled" });
    expect(planNow()).toBe("free");
  });

  it("is replaced by a new one with the same plan", () => {
    const { subscriptionId } = emulator.subscriptions.get(organizationId);
    const orders = emulator.subscriptions.orders(organizationId).length;
    const started = change({ plan: "pro" });
    expect(started).toMatchObject({ plan: "pro", status: "active", cancelAtPeriodEnd: false });
    expect(started.subscriptionId).not.toBe(subscriptionId);
    expect(planNow()).toBe("pro");
    expect(emulator.subscriptions.orders(organizationId)).toHaveLength(orders + 1);
    expect(change({ plan: "pro" })).toEqual(started);
  });

  it("is kept by a change that also sets a status", () => {
    const before = emulator.subscriptions.get(organizationId);
    expect(change({ plan: "pro", status: "canceled" })).toEqual(before);
    const { subscriptionId } = before;
    expect(change({ plan: "pro", status: "active" })).toMatchObject({ subscriptionId, status: "active" });
    expect(planNow()).toBe("pro");
  });
});

describe("return addresses", () => {
  it("belong to pages, survive a reset and are copied by a fork", () => {
    const addresses = { successUrl: "http://localhost:3000/done?id={checkoutId}", cancelUrl: null };
    emulator.returnAddresses.set(addresses);
    emulator.reset();
    const expected = { ...addresses, portalReturnUrl: null };
    expect(emulator.returnAddresses.get()).toEqual(expected);
    expect(emulator.fork("copy").returnAddresses.get()).toEqual(expected);
    for (const successUrl of ["javascript:alert(1)", "/done", "http://"])
      expect(() => emulator.returnAddresses.set({ successUrl })).toThrow("/successUrl");
    expect(emulator.returnAddresses.get()).toEqual(expected);
  });
});
