import { afterEach, describe, expect, it, vi } from "vitest";
import type { CompletedRequest } from "../request/completed-request.js";
import { type TestEmulator, createTestEmulator } from "../testing/test-client.js";
import { createEmulator, type EmulatorOptions } from "./emulator.js";

let running: TestEmulator;
const start = async (options: EmulatorOptions) => (running = await createTestEmulator(options));
afterEach(async () => {
  vi.useRealTimers();
  await running.emulator.close();
});
const item = (more: object) => ({ pk: "a", data: { any: "thing" }, ...more });
const put = (more: object, query = "") =>
  running.client.as("dsk_demo_all").put(`/api/v1/databases/db_demo/items${query}`, item(more));

describe("allowHosts", () => {
  const from = (headers: Record<string, string>) =>
    running.control.request("GET", "/_emulator/clock", { headers });

  it("allows the names for the control plane and its pages, in any case and with any port", async () => {
    await start({ allowHosts: ["emulator", "ci.example.test"] });
    for (const host of ["emulator:4100", "EMULATOR", "ci.example.test:443"]) {
      expect((await from({ Host: host })).status).toBe(200);
      for (const scheme of ["http", "https"])
        expect((await from({ Host: host, Origin: `${scheme}://${host}` })).status).toBe(200);
    }
    for (const host of ["emulator.evil.example", "example.test", "xemulator"]) {
      const refused = await from({ Host: host });
      expect([refused.status, (refused.body as { detail: string }).detail]).toEqual([
        403,
        expect.stringContaining("--allow-host"),
      ]);
    }
    expect((await from({ Host: "emulator", Origin: "http://ci.example.test" })).status).toBe(403);
  });

  it("rejects everything except lists of host names", async () => {
    await start({});
    for (const allowHosts of [["http://emulator"], ["a/b"], [""], ["a:80"], "emulator", [1]])
      await expect(createEmulator({ allowHosts: allowHosts as string[] })).rejects.toThrow("allowHosts");
  });
});

describe("namespaceIdleSeconds", () => {
  it("is the lifetime of an unused namespace, including forks, except the default one", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { emulator, client } = await start({ namespaceIdleSeconds: 60 });
    const names = () => emulator.namespaces.list().map(({ name }) => name);
    await client.get("/ns/used/health");
    emulator.fork("copy");
    emulator.namespaces.set("kept", { idleSeconds: null });
    vi.advanceTimersByTime(40_000);
    await client.get("/ns/used/health");
    vi.advanceTimersByTime(40_000);
    expect(names()).toEqual(["default", "used", "kept"]);
    vi.advanceTimersByTime(600_000);
    expect(names()).toEqual(["default", "kept"]);
  });

  it("is not prolonged by a live page, which ends with the namespace", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { emulator, client } = await start({ namespaceIdleSeconds: 60 });
    await client.get("/ns/used/health");
    const live = `${await emulator.listen()}/ns/used/_emulator/console/traffic/live`;
    const page = await fetch(live, { headers: { Accept: "text/event-stream" } });
    await vi.advanceTimersByTimeAsync(70_000);
    await page.text();
    expect(emulator.namespaces.list().map(({ name }) => name)).toEqual(["default"]);
    // a second request, as browsers send it, does not create the namespace again
    expect((await fetch(live)).status).toBe(404);
    expect(emulator.namespaces.list()).toHaveLength(1);
  });
});

describe("strict", () => {
  it("rejects fields that the contract does not define, unless the profile allows them", async () => {
    await start({ strict: true });
    const refused = await put({ conditionExpresion: "attribute_not_exists(pk)" });
    expect([refused.status, refused.text.includes("/conditionExpresion")]).toEqual([400, true]);
    await running.emulator.close();
    await start({ strict: true, profile: { "unknown-request-fields": "ignore" } });
    expect((await put({ extra: 1 })).status).toBe(200);
  });
});

describe("onRequest", () => {
  const reported: CompletedRequest[] = [];
  const listen = (options: EmulatorOptions = {}) => {
    reported.length = 0;
    return start({ ...options, onRequest: (request) => void reported.push(request) });
  };

  it("is called for every request, with caller and refusal, without secrets", async () => {
    const { client, control } = await listen({ journal: false });
    await put({});
    await client.get("/ns/other/nowhere?token=hidden-away");
    await client.get("/ns/other/health");
    await client.get("/ns/other/nowhere?token=hidden-away");
    await control.get("/_emulator/clock");
    await control.patch("/_emulator/clock", {});
    expect(reported.map(({ method, path, status, caller }) => [method, path, status, caller])).toEqual([
      ["PUT", "/api/v1/databases/db_demo/items", 200, "key_demo_all"],
      // an unknown path creates no namespace, and has no operation
      ["GET", "/ns/other/health", 200, undefined],
      ["GET", "/ns/other/nowhere?token=[redacted]", 404, undefined],
      ["GET", "/_emulator/clock", 200, "control plane"],
      ["PATCH", "/_emulator/clock", 400, "control plane"],
    ]);
    expect(reported[2]?.detail).toContain("There is no operation at /nowhere");
    expect(reported[4]?.detail).toContain("must have at least 1 field");
    expect(reported.every(({ durationMs }) => durationMs >= 0)).toBe(true);
    // this test has turned off the journal
    expect(running.emulator.journal.entries()).toEqual([]);
    expect((await control.get("/_emulator/journal")).body).toMatchObject({ recording: false });
  });

  it("names fields that were ignored because the contract does not define them", async () => {
    await listen();
    await put({ ttl: 5, "a/b": 1 }, "?dry=run");
    await put({ conditionExpression: "attribute_not_exists(nothing)", condition: null });
    await put({});
    // `pk`, `data`, its field and 997 more
    const many = Object.fromEntries(Array.from({ length: 997 }, (_, index) => [`f${index}`, index]));
    await put(many, "?dry=run");
    const expected = [["?dry", "/ttl", "/a~1b"], ["/condition"], [], ["?dry"]];
    expect(reported.map(({ unknownFields }) => unknownFields)).toEqual(expected);
    expect(running.emulator.journal.entries().map(({ unknownFields }) => unknownFields)).toEqual(expected);
  });

  it("names no unknown fields that a strict emulator rejects", async () => {
    const { client } = await listen({ strict: true });
    await client.get("/health?cors=1");
    expect(reported.map(({ status, unknownFields }) => [status, unknownFields])).toEqual([[400, []]]);
  });
});
