import { afterEach, describe, expect, it } from "vitest";
import { createEmulator, type Emulator } from "../api/emulator.js";
import type { EmulatorNamespace } from "../api/emulator-namespace.js";
import { Journal } from "../journal/journal.js";
import { createExchange } from "../testing/create-exchange.js";
import { emulatorLimits } from "../memory/limits.js";
import { setLimits } from "../testing/set-limits.js";

const megabyte = 1024 * 1024;
const items = "/api/v1/databases/db_demo/items";
const text = "x".repeat(350_000);
let emulator: Emulator;
afterEach(() => emulator.close());

/** Sends a request without validating the response, because the contract does not define the emulator's own limits. */
type Send = (method: string, path: string, body?: unknown) => Promise<Answer>;
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly type?: string;
    readonly detail?: string;
    readonly data?: { readonly text: string };
  };
}

async function start(maxMemoryBytes: number, over: "process" | "socket" = "process"): Promise<Send> {
  emulator = await createEmulator({ maxMemoryBytes });
  const base = over === "socket" ? await emulator.listen() : "";
  return async (method, path, body) => {
    const headers = { Authorization: "Bearer dsk_demo_all", "Content-Type": "application/json" };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await (over === "socket" ? fetch(base + path, init) : emulator.fetch(path, init));
    const content = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: content === "" ? {} : (JSON.parse(content) as Answer["body"]),
    };
  };
}

/** Puts items into the namespaces in turn until one is rejected. */
async function fill(send: Send, prefixes: readonly string[]) {
  for (let count = 0; count < 1000; count += 1) {
    const prefix = prefixes[count % prefixes.length] ?? "";
    const answer = await send("PUT", prefix + items, { pk: "filled", sk: String(count), data: { text } });
    if (answer.status >= 300) return { count, answer };
  }
  throw new Error("nothing was refused");
}

describe.each(["process", "socket"] as const)("the memory of all namespaces, in the %s", (over) => {
  it("is bounded: requests that need more are refused, nothing is lost, and a reset or deletion frees memory", async () => {
    const send = await start(32 * megabyte, over);
    const { count, answer } = await fill(send, ["", "/ns/a", "/ns/b"]);
    expect(count).toBeGreaterThan(20);
    expect(count * text.length).toBeLessThan(32 * megabyte);
    expect([answer.status, answer.body.type]).toEqual([507, expect.stringContaining("limit-reached")]);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(answer.body.detail).toMatch(/32 MB.*delete namespaces.*--max-memory/);
    // reads, health checks and deletions still work
    for (const [at, prefix] of ["", "/ns/a", "/ns/b"].entries()) {
      const { body } = await send("GET", `${prefix}${items}/filled/${at}`);
      expect(body.data?.text).toBe(text);
    }
    expect((await send("GET", "/health/live")).status).toBe(200);
    expect((await send("DELETE", `/ns/a${items}/filled/1`)).status).toBeLessThan(300);
    // the limit also applies to other operations, new namespaces, forks and snapshots
    const put = { operation: "Put", pk: "more", data: { text } };
    expect((await send("POST", `${items}/batch/write`, { items: [put] })).status).toBe(507);
    expect(
      (
        await send("POST", "/databases/db_demo/sql/query", {
          sql: "UPDATE products SET stock = 1 WHERE sku = 'sku-03'",
        })
      ).status,
    ).toBe(507);
    expect(() => emulator.snapshots.save()).toThrow("of memory");
    expect(() => emulator.fork("copy")).toThrow("of memory");
    expect(emulator.namespaces.list().map(({ name }) => name)).toEqual(["default", "a", "b"]);

    emulator.namespaces.delete("a");
    expect((await send("PUT", items, { pk: "again", data: { text } })).status).toBeLessThan(300);
    expect((await fill(send, [""])).answer.status).toBe(507);
    emulator.reset();
    expect((await send("PUT", items, { pk: "again", data: { text } })).status).toBeLessThan(300);
  });
});

it("counts every world, copy and snapshot, and frees all of them", async () => {
  const send = await start(24 * megabyte);
  const room = async () => {
    const { count } = await fill(send, ["/ns/filled"]);
    emulator.namespaces.delete("filled");
    return count;
  };
  const before = await room();
  for (let round = 0; round < 5; round += 1) {
    for (let count = 0; count < 10; count += 1)
      await send("PUT", `/ns/base${items}`, { pk: "p", sk: String(count), data: { text } });
    const base = emulator.namespace("base");
    base.snapshots.save("s");
    base.fork("copy");
    await send("PUT", `/ns/copy${items}`, { pk: "p", data: { text } });
    base.snapshots.restore("s");
    base.snapshots.delete("s");
    base.reset();
    emulator.reset();
    for (const name of ["copy", "base"]) emulator.namespaces.delete(name);
  }
  expect(await room()).toBe(before);
});

it.each([
  ["restore", (from: EmulatorNamespace) => from.snapshots.restore("large")],
  ["fork", (from: EmulatorNamespace) => from.fork("copy")],
  ["fork of a snapshot", (from: EmulatorNamespace) => from.snapshots.fork("large", "copy")],
])("refuses a %s that leaves no memory for the requests after it", async (operation, copy) => {
  const send = await start(40 * megabyte);
  const put = (prefix: string, count: number) =>
    send("PUT", prefix + items, { pk: String(count), data: { text } });
  const from = emulator.namespace("a");
  for (let count = 0; count < 20; count += 1) await put("/ns/a", count);
  from.snapshots.save("large");
  if (operation === "restore") {
    from.reset();
    await put("/ns/a", 100);
    await fill(send, ["/ns/b"]);
  }
  expect(() => copy(from)).toThrow("of memory");
  const kept = operation === "restore" ? 100 : 0;
  expect((await send("GET", `/ns/a${items}/${kept}`)).status).toBe(200);
  expect(emulator.namespaces.list().map(({ name }) => name)).not.toContain("copy");
  emulator.namespace("b").reset();
  from.reset();
  from.snapshots.restore("large");
  expect((await send("GET", `/ns/a${items}/0`)).status).toBe(200);
  // the restored world replaces an equal one
  from.snapshots.restore("large");
  from.snapshots.restore("large");
  expect((await send("GET", `/ns/a${items}/0`)).status).toBe(200);
});

it("restores a persisted state for which there is memory only without its snapshot", async () => {
  const large = await start(64 * megabyte);
  for (let count = 0; count < 40; count += 1)
    await large("PUT", items, { pk: String(count), data: { text } });
  const file = emulator.export();
  await emulator.close();
  const send = await start(40 * megabyte);
  emulator.snapshots.upload("persisted", file);
  emulator.snapshots.restore("persisted");
  emulator.snapshots.delete("persisted");
  expect((await send("GET", `${items}/39`)).status).toBe(200);
});

it("refuses statements that write too much into many rows, and undoes them", async () => {
  const send = await start(64 * megabyte);
  const sql = (of: "query" | "execute", text: string, parameters = {}) =>
    send("POST", `/databases/db_demo/sql/${of}`, { sql: text, ...(of === "query" ? { parameters } : {}) });
  const columns = Array.from({ length: 8 }, (_, at) => `c${at}`);
  await sql(
    "execute",
    `CREATE TABLE t (a INT PRIMARY KEY, ${columns.map((name) => `${name} TEXT`).join(",")})`,
  );
  await sql(
    "query",
    `INSERT INTO t (a) VALUES ${Array.from({ length: 100 }, (_, at) => `(${at})`).join(",")}`,
  );
  const statuses = [];
  for (const name of columns)
    statuses.push((await sql("query", `UPDATE t SET ${name} = ?`, { x: "x".repeat(120_000) })).status);
  expect(new Set(statuses)).toEqual(new Set([200, 507]));
  expect(emulator.namespaces.list()[0]?.bytes).toBeLessThan(64 * megabyte);
});

it("keeps a namespace small enough to be read from a file", async () => {
  setLimits({ stateBytes: 24 * megabyte, spareStateBytes: 8 * megabyte });
  const send = await start(256 * megabyte);
  await send("POST", "/databases/db_demo/sql/execute", {
    sql: "CREATE TABLE t (a INT PRIMARY KEY, b TEXT)",
  });
  // SQLite stores the end of each of these texts in its own page of 2,048 bytes
  const insert = (from: number, count: number) => {
    const rows = Array.from({ length: count }, (_, at) => [from + at, "x".repeat(500)]);
    return send("POST", "/databases/db_demo/sql/query", {
      sql: `INSERT INTO t VALUES ${rows.map(() => "(?, ?)").join(",")}`,
      parameters: Object.fromEntries(rows.flat().map((value, at) => [`p${at}`, value])),
    });
  };
  expect((await insert(0, 4000)).status).toBe(200);
  const { bytes = 0 } = emulator.namespaces.list()[0] ?? {};
  expect(bytes).toBeGreaterThan(8 * megabyte);
  const answer = await insert(4000, 4000);
  expect([answer.status, answer.body.detail]).toEqual([
    507,
    expect.stringContaining("namespace's data can take up at most"),
  ]);
  expect(emulator.namespaces.list()[0]?.bytes).toBe(bytes);
  expect((await insert(4000, 10)).status).toBe(200);
});

it("must be a whole number of bytes", async () => {
  emulator = await createEmulator();
  await expect(createEmulator({ maxMemoryBytes: 0 })).rejects.toThrow("maxMemoryBytes");
});

it("bounds the journals of all namespaces together, headers included", () => {
  const budget = { bytes: emulatorLimits.journalBytes - 100_000 };
  const journal = new Journal({ budget });
  const record = () =>
    journal.record(createExchange({ path: "/health", requestHeaders: ["X", "x".repeat(10_000)] }));
  for (let count = 0; count < 50; count += 1) record();
  expect(journal.entries().length).toBeGreaterThan(2);
  expect(journal.entries().length).toBeLessThan(10);
  expect(budget.bytes).toBeLessThanOrEqual(emulatorLimits.journalBytes);
  journal.close();
  record();
  expect(budget.bytes).toBe(emulatorLimits.journalBytes - 100_000);
});
