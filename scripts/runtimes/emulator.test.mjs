/**
 * Tests the built package on Bun and Deno, with the server of each runtime. `npm run runtimes` installs both and runs
 * this file on each.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createEmulator } from "../../dist/index.js";

const headers = { Authorization: "Bearer dsk_demo_all", "Content-Type": "application/json" };
const items = "/api/v1/databases/db_demo/items";
const emulator = await createEmulator();
emulator.namespace("other").reset();

/** Serves the emulator with the server of the runtime. */
async function serve() {
  const { Bun, Deno } = globalThis;
  const { fetch } = emulator.app;
  if (Bun !== undefined) {
    const server = Bun.serve({ fetch, port: 0, hostname: "127.0.0.1" });
    return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
  }
  if (Deno === undefined) throw new Error("this is neither Bun nor Deno");
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => undefined }, fetch);
  return { url: `http://127.0.0.1:${server.addr.port}`, stop: () => server.shutdown() };
}

/** Sends the same requests with any function like `fetch`. */
async function tryAll(ask) {
  emulator.reset();
  emulator.namespaces.delete("other");
  assert.deepEqual(await (await ask("/health")).json(), { status: "Healthy" });

  for (const pk of ["plain", "a/b", "%2F", "ä ö"]) {
    const body = JSON.stringify({ pk, sk: "1", data: { of: pk } });
    assert.equal((await ask(items, { method: "PUT", headers, body })).status, 200);
    const got = await ask(`${items}/${encodeURIComponent(pk)}/1`, { headers });
    assert.deepEqual((await got.json()).data, { of: pk });
    assert.equal(got.headers.get("date"), "Tue, 01 Jan 2030 00:00:00 GMT");
  }
  assert.equal((await ask(`${items}/plain/1`, { method: "DELETE", headers })).status, 204);
  assert.equal((await ask(`${items}/plain/1`, { headers })).status, 404);
  assert.equal((await ask(items, { method: "PUT", headers, body: "{" })).status, 400);
  assert.equal((await ask("/health", { method: "POST" })).status, 405);

  const patch = { method: "PATCH", headers, body: JSON.stringify({ advance: "P1D" }) };
  assert.match((await (await ask("/ns/other/_emulator/clock", patch)).json()).now, /^2030-01-02/);
  assert.match((await (await ask("/_emulator/clock")).json()).now, /^2030-01-01/);
  const { entries } = await (await ask("/_emulator/journal?operationId=putItem")).json();
  assert.deepEqual(
    entries.map(({ response }) => response.status),
    [200, 200, 200, 200, 400],
  );
  const rule = { method: "POST", headers, body: JSON.stringify({ effect: { kind: "status" } }) };
  assert.equal((await ask("/_emulator/faults", rule)).status, 201);
  assert.equal((await ask("/health")).status, 503);
  emulator.faults.clear();
  const page = await ask("/_emulator/console/data", { headers: { Accept: "text/html" } });
  assert.match(await page.text(), /db_demo/);
  const type = { "Content-Type": "application/vnd.sqlite3" };
  const file = { method: "PUT", headers: type, body: emulator.export() };
  assert.equal((await ask("/_emulator/snapshots/uploaded", file)).status, 201);
}

test("answers in the process", () => tryAll((path, init) => emulator.app.request(path, init)));

test("answers behind the server of the runtime", async () => {
  const { url, stop } = await serve();
  await tryAll((path, init) => fetch(url + path, init));
  await stop();
});

test("listens by itself", async () => {
  const url = await emulator.listen();
  await tryAll((path, init) => fetch(url + path, init));
  emulator.faults.create({ effect: { kind: "drop" } });
  await assert.rejects(fetch(`${url}/health`));
  await emulator.close();
});
