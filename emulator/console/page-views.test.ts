import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { createEmulator } from "../api/emulator.js";
import { getPropertyRuns } from "../testing/property-runs.js";

const database = "/data/org_demo_pro/db_demo";
const pages = [
  "",
  "/data",
  database,
  `${database}/item?pk=customer%23ada`,
  `${database}/repositories`,
  `${database}/repositories/repo_demo_products`,
  `${database}/sql?sql=SELECT+*+FROM+products`,
  "/people",
  "/billing",
  "/traffic",
  "/traffic/1",
  "/time",
  "/faults",
  "/snapshots",
  "/portal/org_demo_pro",
];

it("pages change no state, and ignore fault rules and middleware", async () => {
  let calls = 0;
  const emulator = await createEmulator({
    middleware: [
      (_c, next) => {
        calls += 1;
        return next();
      },
    ],
  });
  const { fetch, faults, journal, snapshots } = emulator;
  const usage = "/api/v1/payment/usage";
  await fetch(usage, { headers: { Authorization: "Bearer dsk_demo_all" } });
  snapshots.save("one");
  snapshots.save("two");
  const { accessToken } = emulator.sessions.create({
    userId: "user_demo_outsider",
    organizationId: "org_demo_free",
  });
  const opened = await fetch("/api/v1/payment/checkout", {
    method: "POST",
    headers: { Authorization: `Bearer ${accessToken}`, "Content-Type": "application/json" },
    body: '{"planType":"pro"}',
  });
  const { checkoutId } = (await opened.json()) as { checkoutId: string };
  faults.create({ effect: { kind: "status" } });
  const stateNow = () => ({
    state: createHash("sha256").update(emulator.export()).digest("hex"),
    clock: emulator.clock.get(),
    faults: faults.list(),
    entries: journal.entries(),
    calls,
  });
  const before = stateNow();
  for (const path of [...pages, `/checkout/${checkoutId}?card=accepted&after=`]) {
    const response = await fetch(`/_emulator/console${path}`);
    expect([path, response.status]).toEqual([path, 200]);
  }
  expect(stateNow()).toEqual(before);
  await emulator.close();
});

it("the first page view of a billing period keeps the request count of the previous period", async () => {
  const emulator = await createEmulator();
  const organizationId = "org_demo_pro";
  const { accessToken } = emulator.sessions.create({ userId: "user_demo_owner", organizationId });
  const headers = { Authorization: `Bearer ${accessToken}` };
  const readUsage = async () => (await emulator.fetch("/api/v1/payment/usage", { headers })).json();
  await readUsage();
  const { totalRequests } = (await readUsage()) as { totalRequests: number };
  const { now } = emulator.clock.get();
  emulator.clock.advance("P40D");
  await emulator.fetch(`/_emulator/console/billing?organization=${organizationId}`);
  emulator.clock.set(now);
  expect(await readUsage()).toMatchObject({ totalRequests: totalRequests + 1 });
  await emulator.close();
});

it("a form is recorded as one request, and the reads of its page are not recorded", async () => {
  const emulator = await createEmulator();
  const page = `/_emulator/console${database}/item`;
  const form = await (await emulator.fetch(page)).text();
  const fields = Object.fromEntries(
    [...form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
      ([, name = "", value = ""]) => [name, value.replaceAll("&quot;", '"')],
    ),
  );
  const send = (data: string) =>
    emulator.fetch(page, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin" },
      body: new URLSearchParams({ ...fields, pk: "p", sk: "s", data }),
    });
  const state = () => ({ clock: emulator.clock.get(), entries: emulator.journal.entries() });
  const before = state();
  expect(await (await send('{"seats": }')).text()).toContain("Data");
  expect(state()).toEqual(before);
  expect((await send('{"seats": 4}')).status).toBe(303);
  expect(state().entries.map(({ operationId }) => operationId)).toEqual(["putItem"]);
  await emulator.close();
});

it.each(["", "nothing", "constructor", "__proto__"])(
  "the effect %j of a fault rule is refused",
  async (kind) => {
    const emulator = await createEmulator();
    const page = "/_emulator/console/faults";
    const _call = JSON.stringify({ operation: "createFault", done: "created" });
    const form = new URLSearchParams({ _call, "effect/kind": kind, "effect/status": "500" });
    const headers = {
      "Content-Type": "application/x-www-form-urlencoded",
      "Sec-Fetch-Site": "same-origin",
    };
    const response = await emulator.fetch(page, { method: "POST", headers, body: form.toString() });
    expect(response.status).toBeLessThan(500);
    expect(await response.text()).toContain("effect");
    expect(emulator.faults.list()).toEqual([]);
    await emulator.close();
  },
);

it.each(["drop", "truncate"] as const)(
  "a page says that a fault rule broke its request: %s",
  async (kind) => {
    const emulator = await createEmulator();
    emulator.faults.create({ effect: { kind } });
    const call = { operation: "deleteItem", params: { databaseId: "db_demo", pk: "a" }, as: "org_demo_pro" };
    const response = await emulator.fetch("/_emulator/console/data/org_demo_pro/db_demo/item?pk=a", {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin" },
      body: new URLSearchParams({ _call: JSON.stringify({ ...call, done: "deleted" }) }).toString(),
    });
    expect(response.status).toBeLessThan(500);
    expect(await response.text()).toContain("There was no whole response");
    await emulator.close();
  },
);

it("a form whose call was changed is refused", async () => {
  const emulator = await createEmulator();
  const page = "/_emulator/console/faults";
  const headers = { "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin" };
  const call = {
    operation: "deleteFault",
    params: { faultId: "a" },
    as: "b",
    body: {},
    done: "c",
    next: "d",
  };
  const changed = fc
    .tuple(
      fc.constantFrom("", ...Object.keys(call)),
      fc.oneof(fc.jsonValue(), fc.constantFrom("\ud800", "http://[", "constructor", { faultId: 1 })),
    )
    .map(([name, value]) => JSON.stringify(name === "" ? value : { ...call, [name]: value }));
  await fc.assert(
    fc.asyncProperty(fc.oneof(changed, fc.string()), async (_call) => {
      const form = new URLSearchParams({ _call, data: "{}" }).toString();
      const { status } = await emulator.fetch(page, { method: "POST", headers, body: form });
      expect(status).toBeLessThan(500);
    }),
    { numRuns: getPropertyRuns(100) },
  );
  await emulator.close();
});

it("a form is refused if it has another origin, another type, or too many bytes", async () => {
  const emulator = await createEmulator();
  const urlEncoded = "application/x-www-form-urlencoded";
  const send = async (type: string, body: string, site = "same-origin") => {
    const headers = { "Content-Type": type, "Sec-Fetch-Site": site };
    const response = await emulator.fetch("/_emulator/console/time", { method: "POST", headers, body });
    return [response.status, await response.text()];
  };
  expect(await send(urlEncoded, "a=1", "none")).toEqual([403, expect.stringContaining("own pages")]);
  for (const type of ["text/plain", "multipart/form-data; boundary=a"])
    expect(await send(type, "x")).toEqual([400, expect.stringContaining("only requests from URL-encoded")]);
  expect(await send(urlEncoded, `a=${"x".repeat(2 * 1024 * 1024)}`)).toEqual([
    413,
    expect.stringContaining("at most 2097152 bytes"),
  ]);
  expect(await send(urlEncoded, "&a".repeat(998))).toEqual([200, expect.any(String)]);
  await emulator.close();
});

it("the overview does not say where data is stored", async () => {
  const emulator = await createEmulator();
  const page = await (await emulator.fetch("/_emulator/console")).text();
  expect(page).toContain("started with the fixture demo");
  // with --persist, the data is also on disk
  expect(page).not.toContain("in memory");
  await emulator.close();
});

it("a missing namespace has one text, which names the list of namespaces, and is not created", async () => {
  const emulator = await createEmulator();
  emulator.namespace("worker-1").clock.get();
  for (const path of ["", "/data", "/time", "/traffic/live", "/errors", "/nowhere"]) {
    const response = await emulator.fetch(`/ns/worker-11/_emulator/console${path}`);
    expect([path, response.status]).toEqual([path, 404]);
    const page = await response.text();
    expect(page).toContain("The namespace worker-11 does not exist yet.");
    expect(page).toContain("/_emulator/namespaces/worker-11");
    expect(page).toContain("/_emulator/console/snapshots");
  }
  expect((await emulator.fetch("/ns/worker-11/_emulator/console/assets/console.css")).status).toBe(200);
  expect(emulator.namespaces.list().map(({ name }) => name)).toEqual(["default", "worker-1"]);
  await emulator.close();
});

it("billing shows storage in KB, MB and GB", async () => {
  const emulator = await createEmulator();
  const page = await (await emulator.fetch("/_emulator/console/billing?organization=org_demo_pro")).text();
  expect(page).toMatch(/>2\.\d\d KB of 10 GB</);
  await emulator.close();
});

it("a live page whose reader has left ends without an error", async () => {
  const emulator = await createEmulator();
  const address = `${await emulator.listen()}/_emulator/console/traffic/live`;
  const log = vi.spyOn(console, "error");
  expect((await fetch(address, { method: "HEAD" })).status).toBe(200);
  const abort = new AbortController();
  const headers = { accept: "text/event-stream" };
  const { status } = await fetch(`${address}?since=abc`, { headers, signal: abort.signal });
  expect(status).toBe(200);
  abort.abort();
  await emulator.close();
  expect(log).not.toHaveBeenCalled();
});

it("the result of a statement is not shown if it is very long", async () => {
  const emulator = await createEmulator();
  const headers = { Authorization: "Bearer dsk_demo_all", "Content-Type": "application/json" };
  const written = await emulator.fetch("/databases/db_demo/sql/query", {
    method: "POST",
    headers,
    body: JSON.stringify({
      sql: "INSERT INTO products (sku, name, price) VALUES ('long', ?, 1)",
      parameters: { p1: "x".repeat(1_100_000) },
    }),
  });
  expect(written.status).toBe(200);
  const page = (sql: string) =>
    emulator.fetch(`/_emulator/console${database}/sql?sql=${encodeURIComponent(sql)}`);
  expect(await (await page("SELECT * FROM products")).text()).toContain(
    "The console can show results of at most 262144",
  );
  expect(await (await page("SELECT sku FROM products")).text()).toContain("long");
  await emulator.close();
});

it("a form is refused if the URL of its call would be that of another operation", async () => {
  const emulator = await createEmulator();
  const page = "/_emulator/console/snapshots";
  for (const name of [".", ".."]) {
    const _call = JSON.stringify({ operation: "restoreSnapshot", params: { name }, done: "restored" });
    const headers = {
      "Content-Type": "application/x-www-form-urlencoded",
      "Sec-Fetch-Site": "same-origin",
    };
    const body = new URLSearchParams({ _call }).toString();
    const response = await emulator.fetch(page, { method: "POST", headers, body });
    expect(await response.text()).toContain("URLs cannot contain the path segments . and ..");
  }
  expect(emulator.snapshots.list()).toEqual([]);
  await emulator.close();
});
