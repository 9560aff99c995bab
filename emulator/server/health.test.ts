import { afterEach, describe, expect, it } from "vitest";
import { type TestEmulator, createTestEmulator } from "../testing/test-client.js";

describe("health", () => {
  let running: TestEmulator;
  afterEach(() => running.emulator.close());

  it("[HEALTH-01] [HEALTH-03] [HEALTH-05] [HEALTH-06] reports a healthy service without a credential", async () => {
    running = await createTestEmulator();
    const { client } = running;
    expect((await client.get("/health")).body).toEqual({ status: "Healthy" });
    expect((await client.get("/health/ready")).body).toEqual({ status: "Ready" });
    expect((await client.get("/health/live")).body).toEqual({ status: "Alive" });
  });

  it("[HEALTH-02] [HEALTH-04] returns 503 with details when the control plane sets it to unhealthy", async () => {
    running = await createTestEmulator();
    const { client, control } = running;
    await control.put("/_emulator/health", { health: "Unhealthy", ready: "NotReady", details: "disk full" });
    const health = await client.get("/health");
    expect([health.status, health.body]).toEqual([503, { status: "Unhealthy", details: "disk full" }]);
    const ready = await client.get("/health/ready");
    expect([ready.status, ready.body]).toEqual([503, { status: "NotReady", details: "disk full" }]);
    expect((await client.get("/health/live")).status).toBe(200);
  });
});
