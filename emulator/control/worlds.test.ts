import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createEmulator, type EmulatorOptions } from "../api/emulator.js";
import { emulatorLimits } from "../memory/limits.js";
import { getRefusal } from "../testing/read-problem.js";
import {
  type TestResponse,
  type TestClient,
  type TestEmulator,
  createTestEmulator,
} from "../testing/test-client.js";
import { catchProblem } from "../testing/catch-problem.js";

const sqliteType = "application/vnd.sqlite3";
const items = "/api/v1/databases/db_demo/items";

let running: TestEmulator;
let control: TestClient;

async function start(options: EmulatorOptions = {}): Promise<void> {
  await (running as TestEmulator | undefined)?.emulator.close();
  running = await createTestEmulator(options);
  ({ control } = running);
}
beforeEach(() => start());
afterEach(() => running.emulator.close());

const look = (answer: Promise<TestResponse>): Promise<{ status: number; body: unknown }> => answer;
const put = (pk: string, ns = "") =>
  running.client.as("dsk_demo_all").put(`${ns}${items}`, { pk, data: { pk } });
const has = async (pk: string, ns = "") =>
  (await running.client.as("dsk_demo_all").get(`${ns}${items}/${pk}`)).status === 200;
const getThrownKind = (work: () => unknown) => catchProblem(work).kind;
const names = () => running.emulator.namespaces.list().map(({ name }) => name);

describe("namespaces", () => {
  it("are created on first use, listed with their sizes, and deleted", async () => {
    await put("x", "/ns/one");
    await control.get("/ns/two/_emulator/namespaces");
    const { status, body } = await look(control.get("/_emulator/namespaces"));
    expect(status).toBe(200);
    expect(body).toEqual({ namespaces: running.emulator.namespaces.list() });
    const size = expect.any(Number) as number;
    const none = { count: 0, bytes: 0 };
    expect(running.emulator.namespaces.list()).toEqual([
      { name: "default", path: "", bytes: size, isOpen: true, snapshots: none },
      { name: "one", path: "/ns/one", bytes: size, isOpen: true, snapshots: none },
      { name: "two", path: "/ns/two", bytes: size, isOpen: false, snapshots: none },
    ]);
    expect((await control.delete("/_emulator/namespaces/one")).status).toBe(204);
    expect(names()).toEqual(["default", "two"]);
    expect(await has("x", "/ns/one")).toBe(false);
  });

  it("stay deleted when their own console deletes them", async () => {
    await put("x", "/ns/one");
    const page = "/ns/one/_emulator/console/snapshots";
    const _call = JSON.stringify({ operation: "deleteNamespace", params: { name: "one" }, done: "deleted" });
    const { status } = await running.emulator.fetch(page, {
      method: "POST",
      headers: { "Sec-Fetch-Site": "same-origin" },
      body: new URLSearchParams({ _call }),
    });
    expect([status, names()]).toEqual([303, ["default"]]);
  });

  it("can be deleted from anywhere, except the default one, and only once", async () => {
    await put("x", "/ns/one");
    expect((await control.delete("/ns/one/_emulator/namespaces/one")).status).toBe(204);
    expect(getRefusal(await control.delete("/_emulator/namespaces/one"))).toEqual([
      404,
      "namespace-not-found",
    ]);
    expect(getRefusal(await control.delete("/_emulator/namespaces/default"))).toEqual([
      409,
      "default-namespace",
    ]);
    expect(getThrownKind(() => running.emulator.namespaces.delete("default"))).toBe("default-namespace");
  });

  describe("with an expiry", () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
    afterEach(() => void vi.useRealTimers());
    const set = (name: string, idleSeconds: unknown) =>
      control.put(`/_emulator/namespaces/${name}`, { idleSeconds });

    it("live for a fixed time after their last request, by no other clock", async () => {
      const made = await set("brief", 60);
      expect([made.status, made.body as unknown]).toMatchObject([200, { name: "brief", path: "/ns/brief" }]);
      await put("x", "/ns/brief");
      vi.advanceTimersByTime(59_999);
      expect(await has("x", "/ns/brief")).toBe(true);
      vi.advanceTimersByTime(59_999);
      await control.patch("/ns/brief/_emulator/clock", { advance: "P1Y" });
      // a request that lists namespaces does not extend their lifetimes
      vi.advanceTimersByTime(59_999);
      await control.get("/_emulator/namespaces");
      expect(names()).toContain("brief");
      vi.advanceTimersByTime(1);
      expect(names()).toEqual(["default"]);
      expect(await has("x", "/ns/brief")).toBe(false);
      // the namespace that was created by its first request does not expire
      vi.advanceTimersByTime(3_600_000);
      expect(names()).toEqual(["default", "brief"]);
    });

    it("stay when asked to, and leave no timer when deleted", async () => {
      await put("x", "/ns/kept");
      await set("kept", 1);
      await set("kept", null);
      vi.advanceTimersByTime(3_600_000);
      expect(await has("x", "/ns/kept")).toBe(true);
      const before = vi.getTimerCount();
      running.emulator.namespaces.set("other", { idleSeconds: 5 });
      running.emulator.namespaces.set("other", { idleSeconds: 5 });
      expect(vi.getTimerCount()).toBe(before + 1);
      running.emulator.namespaces.delete("other");
      expect(vi.getTimerCount()).toBe(before);
    });

    it("stay while a request waits", async () => {
      await set("brief", 1);
      running.emulator.namespace("brief").faults.create({ effect: { kind: "latency", delayMs: 2500 } });
      const response = running.emulator.fetch("/ns/brief/health");
      await vi.advanceTimersByTimeAsync(2500);
      expect((await response).status).toBe(200);
      await vi.advanceTimersByTimeAsync(1000);
      expect(names()).toEqual(["default"]);
    });

    it("differ from the default", async () => {
      expect(getRefusal(await set("default", 60))).toEqual([409, "default-namespace"]);
      expect(getThrownKind(() => running.emulator.namespaces.set("a/b", { idleSeconds: 1 }))).toBe(
        "malformed-request",
      );
      expect(names()).toEqual(["default"]);
    });
  });

  it("have names that fit into a path; `default` is the one at the base URL", async () => {
    await put("x");
    expect(await has("x", "/ns/default")).toBe(true);
    expect((await control.get("/ns/default/_emulator")).body).toMatchObject({ namespace: "default" });
    for (const name of ["-a", "a b", "a%20b", "", "x".repeat(65)])
      expect((await running.client.get(`/ns/${name}/health`)).status, name).toBe(400);
    expect(getThrownKind(() => running.emulator.namespace("a/b"))).toBe("malformed-request");
    const answer = await control.post("/_emulator/namespaces/default/fork", { to: "a/b" });
    expect([...getRefusal(answer), answer.text.includes('"pointer":"/to"')]).toEqual([
      400,
      "validation-failed",
      true,
    ]);
    expect(getThrownKind(() => running.emulator.fork("a/b"))).toBe("validation-failed");
    expect(names()).toEqual(["default"]);
  });

  it("are copied under a new name, profile and clock included", async () => {
    await put("x");
    running.emulator.profile.set({ "validation-status": 422 });
    running.emulator.clock.advance("P1D");
    const { status, body } = await look(control.post("/_emulator/namespaces/default/fork", { to: "copy" }));
    expect([status, body]).toEqual([201, running.emulator.namespaces.list()[1]]);
    expect(await has("x", "/ns/copy")).toBe(true);
    const copy = running.emulator.namespace("copy");
    expect(copy.profile.get()["validation-status"]).toBe(422);
    expect(copy.clock.get().now.slice(0, 10)).toBe("2030-01-02");
    await put("y", "/ns/copy");
    expect(await has("y")).toBe(false);
    const again = await control.post("/_emulator/namespaces/copy/fork", { to: "default" });
    expect(getRefusal(again)).toEqual([409, "conflict"]);
    const nowhere = await control.post("/_emulator/namespaces/nowhere/fork", { to: "z" });
    expect(getRefusal(nowhere)).toEqual([404, "namespace-not-found"]);
  });

  it("are limited by the options, and a refusal says what to do", async () => {
    await start({ maxNamespaces: 2 });
    const { emulator } = running;
    expect((await emulator.fetch("/ns/one/health")).status).toBe(200);
    for (const path of ["/ns/two/health", "/ns/two/_emulator"]) {
      const response = await emulator.fetch(path);
      expect([path, response.status]).toEqual([path, 507]);
      expect(await response.text()).toContain("DELETE /_emulator/namespaces/{name}");
    }
    expect(getThrownKind(() => emulator.fork("two"))).toBe("limit-reached");
    emulator.namespaces.delete("one");
    expect((await emulator.fetch("/ns/two/health")).status).toBe(200);
    await expect(createEmulator({ maxNamespaces: 0 })).rejects.toThrow("maxNamespaces");
  });

  it("have the same API in-process as the emulator", async () => {
    const { emulator } = running;
    const one = emulator.namespace("one");
    expect([one.name, one.url]).toEqual(["one", undefined]);
    const url = await emulator.listen();
    expect(one.url).toBe(`${url}/ns/one`);
    const { userId } = one.users.create({ email: "a@b.test", password: "p" });
    expect(getThrownKind(() => emulator.users.delete(userId))).toBe("user-not-found");
    const headers = { Authorization: "Bearer dsk_demo_all", "Content-Type": "application/json" };
    const init = { method: "PUT", headers, body: '{"pk":"x","data":{}}' };
    // a path, an absolute URL, the namespace's own URL, and a Request with a body
    for (const input of [items, `http://localhost${items}`, `${one.url}${items}`, new URL(`${url}${items}`)])
      expect((await one.fetch(input, init)).status).toBe(200);
    expect((await one.fetch(new Request(`http://any.test${items}`, init))).status).toBe(200);
    expect((await fetch(`${one.url}${items}/x`, { headers })).status).toBe(200);
    expect(await has("x")).toBe(false);
    one.reset();
    expect(await has("x", "/ns/one")).toBe(false);
  });

  it("end with the emulator", async () => {
    const { emulator } = running;
    const one = emulator.namespace("one");
    await emulator.close();
    await expect(one.fetch("/health")).rejects.toThrow("the emulator is closed");
    expect(() => emulator.reset()).toThrow("the emulator is closed");
  });
});

describe("open requests", () => {
  /** Starts a put whose body is sent when `send` is called. */
  function slowPut(pk: string, ns = "") {
    let send = (): void => undefined;
    const body = new ReadableStream({
      start: (controller) => {
        send = () => {
          controller.enqueue(Buffer.from(JSON.stringify({ pk, data: {} })));
          controller.close();
        };
      },
    });
    const headers = { Authorization: "Bearer dsk_demo_all", "Content-Type": "application/json" };
    const init: RequestInit = { method: "PUT", headers, body, duplex: "half" };
    return { answer: running.emulator.fetch(ns + items, init), send: () => send() };
  }

  it.each([
    ["a reset", () => running.emulator.namespace("n").reset()],
    ["a restore", () => running.emulator.namespace("n").snapshots.restore("s")],
    ["a deletion", () => running.emulator.namespaces.delete("n")],
  ])("finish in the world they began in, whatever comes between: %s", async (_title, replace) => {
    running.emulator.namespace("n").snapshots.save("s");
    const first = slowPut("first", "/ns/n");
    const second = slowPut("second", "/ns/n");
    await new Promise(setImmediate);
    replace();
    first.send();
    expect((await first.answer).status).toBe(200);
    // the other request still uses the old state
    await put("x", "/ns/n");
    replace();
    second.send();
    expect((await second.answer).status).toBe(200);
    for (const pk of ["first", "second", "x"]) expect(await has(pk, "/ns/n")).toBe(false);
  });

  it("are answered when the emulator closes before their body arrives", async () => {
    const slow = slowPut("x");
    await new Promise(setImmediate);
    await running.emulator.close();
    slow.send();
    expect((await slow.answer).status).toBe(200);
  });
});

describe("snapshots", () => {
  it("are saved, listed, described, restored and deleted", async () => {
    await put("before");
    running.emulator.clock.set("2031-01-01T00:00:00Z");
    const saved = await control.post("/_emulator/snapshots/s");
    const clock = { mode: "manual", now: "2031-01-01T00:00:00.000Z" };
    expect([saved.status, saved.body]).toEqual([
      201,
      { name: "s", bytes: expect.any(Number) as number, fixture: "demo", clock },
    ]);
    expect((await control.get("/_emulator/snapshots")).body).toEqual({ snapshots: [saved.body] });
    expect((await control.get("/_emulator/snapshots/s")).body).toEqual(saved.body);
    await put("after");
    running.emulator.profile.set({ "validation-status": 422 });
    running.emulator.reset("empty");
    expect((await control.post("/_emulator/snapshots/s/restore")).status).toBe(204);
    expect([await has("before"), await has("after")]).toEqual([true, false]);
    const { fixture, profile } = running.emulator.state();
    expect([fixture, profile["validation-status"]]).toEqual(["demo", 422]);
    expect((await control.delete("/_emulator/snapshots/s")).status).toBe(204);
    expect(running.emulator.snapshots.list()).toEqual([]);
  });

  it("return 404 if missing, in-process too", async () => {
    for (const answer of [
      await control.get("/_emulator/snapshots/s"),
      await control.delete("/_emulator/snapshots/s"),
      await control.post("/_emulator/snapshots/s/restore"),
      await control.post("/_emulator/snapshots/s/fork", { to: "x" }),
    ])
      expect(getRefusal(answer)).toEqual([404, "snapshot-not-found"]);
    expect(getThrownKind(() => running.emulator.snapshots.restore("s"))).toBe("snapshot-not-found");
    for (let count = 0; count < 12; count += 1) running.emulator.snapshots.save();
    expect(() => running.emulator.snapshots.restore("s")).toThrow(/"snapshot-1", .*"snapshot-10" and 2 more/);
    expect(getRefusal(await control.post("/_emulator/snapshots/.s"))).toEqual([400, "malformed-request"]);
  });

  it("belong to their namespace, may be unnamed, and replace those of the same name", async () => {
    const { emulator } = running;
    emulator.namespace("one").snapshots.save("s");
    expect((await control.get("/_emulator/snapshots")).body).toEqual({ snapshots: [] });
    expect(emulator.snapshots.save().name).toBe("snapshot-1");
    expect((await control.post("/_emulator/snapshots")).body).toMatchObject({ name: "snapshot-2" });
    await put("x");
    emulator.snapshots.save("snapshot-1");
    emulator.reset();
    emulator.snapshots.restore("snapshot-1");
    expect(await has("x")).toBe(true);
    expect(emulator.namespaces.list().map(({ snapshots }) => snapshots.count)).toEqual([2, 1]);
  });

  it("of a system clock continue with the machine's time, with the same offset", () => {
    const { emulator } = running;
    emulator.clock.mode("system");
    emulator.clock.set("2500-01-01T00:00:00Z");
    expect(emulator.snapshots.save("s").clock).toMatchObject({ mode: "system" });
    emulator.reset();
    expect(emulator.clock.get().mode).toBe("manual");
    emulator.snapshots.restore("s");
    const { mode, now } = emulator.clock.get();
    expect([mode, now.slice(0, 10)]).toEqual(["system", "2500-01-01"]);
  });

  it("become namespaces, which reset to them", async () => {
    await put("x");
    running.emulator.snapshots.save("s");
    const { status, body } = await look(control.post("/_emulator/snapshots/s/fork", { to: "one" }));
    expect([status, body]).toEqual([201, running.emulator.namespaces.list()[1]]);
    await put("y", "/ns/one");
    expect((await control.post("/ns/one/_emulator/reset")).status).toBe(204);
    expect([await has("x", "/ns/one"), await has("y", "/ns/one")]).toEqual([true, false]);
    await control.post("/ns/one/_emulator/reset", { fixture: "demo" });
    expect(await has("x", "/ns/one")).toBe(false);
  });

  it("are downloaded and uploaded as SQLite files, over a socket too", async () => {
    await start();
    const url = await running.emulator.listen();
    await put("x");
    running.emulator.snapshots.save("s");
    const download = await fetch(`${url}/_emulator/snapshots/s`, { headers: { Accept: sqliteType } });
    expect(download.headers.get("content-type")).toBe(sqliteType);
    expect(download.headers.get("content-disposition")).toBe('attachment; filename="s.sqlite"');
    const file = new Uint8Array(await download.arrayBuffer());
    expect(file).toEqual(running.emulator.snapshots.download("s"));
    expect(Buffer.from(file.subarray(0, 15)).toString()).toBe("SQLite format 3");
    const upload = (body: Uint8Array<ArrayBuffer>, type = sqliteType) =>
      control.request("PUT", "/_emulator/snapshots/t", { rawBody: body, headers: { "Content-Type": type } });
    const uploaded = await upload(file);
    expect([uploaded.status, uploaded.body]).toEqual([
      201,
      { ...(running.emulator.snapshots.get("s") as object), name: "t" },
    ]);
    running.emulator.reset();
    running.emulator.snapshots.restore("t");
    expect(await has("x")).toBe(true);

    expect(getRefusal(await upload(file, "application/json"))).toEqual([415, "unsupported-media-type"]);
    const damaged = file.slice();
    damaged[50_000] = (damaged[50_000] ?? 0) ^ 1;
    for (const bad of [new Uint8Array(), Buffer.from("text") as Uint8Array<ArrayBuffer>, damaged])
      expect(getRefusal(await upload(bad))).toEqual([400, "malformed-request"]);
    expect(running.emulator.snapshots.list()).toHaveLength(2);
  });

  it("are bounded in number", () => {
    const { emulator } = running;
    const one = emulator.namespace("one");
    const file = emulator.export();
    emulator.reset("empty");
    for (let count = 0; count < emulatorLimits.snapshotsPerNamespace; count += 1) one.snapshots.save();
    expect(getThrownKind(() => one.snapshots.save())).toBe("limit-reached");
    expect(getThrownKind(() => one.snapshots.upload("one-more", file))).toBe("limit-reached");
    one.snapshots.save("snapshot-1");
    one.snapshots.delete("snapshot-2");
    one.snapshots.save();
  });
});

describe("the option data", () => {
  it("is what the default namespace starts with and is reset to", async () => {
    await put("x");
    running.emulator.clock.set("2031-01-01T00:00:00Z");
    const data = running.emulator.export();
    await start({ data, fixture: "empty" });
    expect(await has("x")).toBe(true);
    expect(running.emulator.state()).toMatchObject({ fixture: "demo", seed: 1 });
    expect(running.emulator.clock.get().now).toBe("2031-01-01T00:00:00.001Z");
    await put("y");
    running.emulator.reset();
    expect([await has("x"), await has("y")]).toEqual([true, false]);
    expect(running.emulator.namespace("one").state().fixture).toBe("empty");
    running.emulator.reset("empty");
    expect(running.emulator.state()).toMatchObject({ fixture: "empty", clock: { mode: "manual" } });
    await start({ data, seed: 7, clock: "system" });
    expect(running.emulator.state()).toMatchObject({ seed: 7, clock: { mode: "system" } });
  });

  it("is refused if it cannot be read, with the name of the file", async () => {
    await expect(createEmulator({ data: "/no/such.sqlite" })).rejects.toThrow(
      "the data file /no/such.sqlite does not exist",
    );
    await expect(createEmulator({ data: "." })).rejects.toThrow(
      `the data file ${process.cwd()} cannot be used: it is a folder`,
    );
    await expect(createEmulator({ data: Buffer.from("x") })).rejects.toThrow(
      "the given data cannot be used: it is not a SQLite file",
    );
  });
});

it("a snapshot does not change the usage, even if the clock is set back", async () => {
  const readUsage = async (withSnapshot: boolean) => {
    await start();
    const { emulator } = running;
    emulator.clock.advance("P1D");
    await has("x");
    if (withSnapshot) emulator.snapshots.save();
    emulator.clock.set("2030-01-01T00:00:00Z");
    await put("x");
    const owner = await running.login("owner@demo.test", "org_demo_pro");
    const database = await owner.get("/api/v1/management/databases/db_demo");
    return (database.body as { usage: unknown }).usage;
  };
  expect(await readUsage(true)).toEqual(await readUsage(false));
});
