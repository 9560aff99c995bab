import { Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { HTTPException } from "hono/http-exception";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { EmulatorEnv } from "../request/emulator-env.js";
import { createEmulator, type Emulator } from "./emulator.js";

const items = "/api/v1/databases/db_demo/items";
const sql = "/databases/db_demo/sql/query";
const headers = { Authorization: "Bearer dsk_demo_all", "Content-Type": "application/json" };
const currency = `${items}/settings/currency`;

let emulator: Emulator;
afterEach(() => emulator.close());

/** Starts an emulator with middleware, to be called in-process or over a socket. */
async function start(over: string, ...middleware: MiddlewareHandler<EmulatorEnv>[]) {
  emulator = await createEmulator({ middleware });
  const base = over === "in-process" ? "" : await emulator.listen();
  return (path: string, init: RequestInit = {}) =>
    over === "in-process"
      ? emulator.fetch(path, { headers, ...init })
      : fetch(base + path, { headers, ...init });
}

function createFailingStream() {
  return new ReadableStream({ start: (body) => body.error(new Error("boom")) });
}

describe.each(["in-process", "over a socket"])("middleware of a user, %s", (over) => {
  it.each(["reset", "restore", "delete"])("may wait while its namespace is changed by %s", async (change) => {
    let arrive: () => void = () => undefined;
    let goOn: () => void = () => undefined;
    const arrival = new Promise<void>((resolve) => (arrive = resolve));
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    const ask = await start(over, async (_c, next) => {
      arrive();
      await gate;
      await next();
    });
    const waiting = emulator.namespace("waiting");
    waiting.snapshots.save("s");
    const response = ask(`/ns/waiting${currency}`);
    await arrival;
    if (change === "reset") waiting.reset();
    else if (change === "restore") waiting.snapshots.restore("s");
    else emulator.namespaces.delete("waiting");
    goOn();
    expect((await response).status).toBe(200);
  });

  it("stamps the answers of some operations, in every namespace and under every profile", async () => {
    const ask = await start(over, async (c, next) => {
      await next();
      if (c.get("operationId") === "runSqlQuery") c.header("X-Namespace", c.get("namespaceName"));
    });
    const query = { method: "POST", body: JSON.stringify({ sql: "SELECT * FROM orders" }) };
    emulator.namespace("strict").profile.set({ "unknown-request-fields": "reject" });
    for (const [prefix, name] of [
      ["", "default"],
      ["/ns/other", "other"],
      ["/ns/strict", "strict"],
    ]) {
      expect((await ask(`${prefix}${sql}`, query)).headers.get("x-namespace")).toBe(name);
      expect((await ask(`${prefix}${currency}`)).headers.get("x-namespace")).toBe(null);
    }
  });

  it("sets headers before and after the service, as the journal shows", async () => {
    const ask = await start(
      over,
      async (c, next) => {
        c.header("X-Before", "1");
        await next();
      },
      async (c, next) => {
        await next();
        c.res.headers.set("X-After", "2");
      },
    );
    for (const path of [currency, `${items}/none`]) {
      const { headers: sent } = await ask(path);
      expect([sent.get("x-before"), sent.get("x-after")]).toEqual(["1", "2"]);
      const recorded = emulator.journal.entries().at(-1)?.response.headers;
      expect(recorded).toMatchObject({ "x-before": "1", "x-after": "2" });
    }
  });

  it("changes the body of a response, as the journal shows", async () => {
    const ask = await start(over, async (c, next) => {
      await next();
      if (c.res.ok) c.res = Response.json({ ...((await c.res.json()) as object), requestId: "r1" });
    });
    const changed = await ask(currency);
    expect(await changed.json()).toMatchObject({ data: { code: "EUR" }, requestId: "r1" });
    expect(emulator.journal.entries().at(-1)?.response.body).toContain('"requestId":"r1"');
    expect((await ask(`${items}/none`)).status).toBe(404);
  });

  it("changes a request, including its body", async () => {
    const ask = await start(over, async (c, next) => {
      const body = await c.req.json<object>();
      c.req.raw = new Request(c.req.raw.url, {
        method: c.req.method,
        headers,
        body: JSON.stringify({ ...body, pk: "changed" }),
      });
      await next();
    });
    const put = await ask(items, { method: "PUT", headers: {}, body: JSON.stringify({ pk: "a", data: {} }) });
    expect(await put.json()).toMatchObject({ pk: "changed" });
  });

  it.each<[string, MiddlewareHandler<EmulatorEnv>]>([
    ["Hono's bodyLimit", bodyLimit({ maxSize: 1000 })],
    [
      "one that replaces the request",
      async (c, next) => {
        c.req.raw = new Request(c.req.raw, { headers: { ...headers, "X-Seen": "yes" } });
        await next();
      },
    ],
    [
      "one that sends the request on",
      async (c, next) => {
        const copy = new Request(c.req.raw.clone(), { signal: c.req.raw.signal });
        expect(await copy.text()).toBe(await c.req.text());
        await next();
      },
    ],
  ])("may wrap the request: %s", async (_name, middleware) => {
    const ask = await start(over, middleware);
    const chunks = () => new Blob([JSON.stringify({ pk: "a", data: { n: 1 } })]).stream();
    const chunked = { method: "PUT", body: chunks(), duplex: "half" } as RequestInit;
    expect((await ask(items, chunked)).status).toBe(200);
    expect(await (await ask(`${items}/a`)).json()).toMatchObject({ data: { n: 1 } });
    expect((await ask(`${items}/a`, { method: "HEAD" })).status).toBe(200);
    expect((await ask(`${items}/a`, { method: "DELETE" })).status).toBe(204);
  });

  it("reads the body that the service reads too", async () => {
    const seen: unknown[] = [];
    const ask = await start(over, async (c, next) => {
      seen.push(await c.req.json());
      await next();
    });
    const body = { pk: "a", data: { n: 1 } };
    expect((await ask(items, { method: "PUT", body: JSON.stringify(body) })).status).toBe(200);
    expect(seen).toEqual([body]);
  });

  it.each(["json", "text", "arrayBuffer"] as const)("keeps the limit of a body read as %s", async (as) => {
    const ask = await start(over, async (c, next) => {
      await c.req[as]();
      await next();
    });
    const body = JSON.stringify({ pk: "a", data: { long: "x".repeat(2 ** 24) } });
    expect(await (await ask(items, { method: "PUT", body })).text()).toContain("A request body can have");
  });

  it("responds in place of the service, and the journal shows it", async () => {
    const ask = await start(over, (c, next) =>
      c.req.path === "/teapot" ? Promise.resolve(c.text("short and stout", 418)) : next(),
    );
    const answer = await ask("/teapot");
    expect([answer.status, await answer.text()]).toEqual([418, "short and stout"]);
    expect(emulator.journal.entries().at(-1)).toMatchObject({
      request: { path: "/teapot" },
      response: { status: 418, body: "short and stout" },
    });
  });

  it.each<[string, MiddlewareHandler<EmulatorEnv>]>([
    ["responds", (c) => Promise.resolve(c.json({ pk: "b" }))],
    ["reads the body and responds", async (c) => c.json(await c.req.json())],
    ["throws", () => Promise.reject(new HTTPException(503))],
  ])("has the body in the journal if it %s in place of the service", async (_does, middleware) => {
    const ask = await start(over, middleware);
    const body = { pk: "a", data: { n: 1 } };
    await ask(items, { method: "PUT", body: JSON.stringify(body) });
    expect(emulator.journal.requests()).toMatchObject([{ operationId: "putItem", body }]);
  });

  it("may throw: an HTTPException is its own response, another error is shown as the middleware's", async () => {
    const printed = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const ask = await start(over, (c) => {
      if (c.req.path === "/health") throw new HTTPException(451, { message: "not here" });
      throw new Error("a slip");
    });
    const known = await ask("/health");
    expect([known.status, await known.text()]).toEqual([451, "not here"]);
    const slip = await ask(currency);
    printed.mockRestore();
    expect([slip.status, await slip.text()]).toEqual([500, expect.stringContaining("middleware")]);
  });

  it.each<[string, MiddlewareHandler<EmulatorEnv>]>([
    ["too late", (_c, next) => next().then(() => Promise.reject(new Error("too late")))],
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- anything can be thrown
    ["a text", () => Promise.reject("a text")],
    ["await next()", () => Promise.resolve()],
    ["must return a Response", () => Promise.resolve(5 as unknown as Response)],
    [
      "already been",
      (c, next) =>
        next()
          .then(() => c.res.text())
          .then(() => undefined),
    ],
    ["boom", () => Promise.resolve(new Response(createFailingStream()))],
    ["next() called multiple times", (_c, next) => next().then(next)],
  ])("is reported as failed: %s", async (reason, failing) => {
    const printed = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const ask = await start(over, failing);
    const slip = await ask("/health");
    const log = printed.mock.calls.join("");
    printed.mockRestore();
    expect([slip.status, await slip.text()]).toEqual([500, expect.stringContaining("middleware")]);
    expect(log).toContain(reason);
    expect(emulator.journal.entries()).toMatchObject([{ response: { status: 500 } }]);
  });

  it("runs around failures by fault rules, and inside delays and connections that end early", async () => {
    const ask = await start(over, async (c, next) => {
      await next();
      c.header("X-Seen", String(c.res.status));
    });
    for (const applied of [false, true]) {
      const rule = emulator.faults.create({ effect: { kind: "status", status: 503, applied } });
      const failed = await ask(currency);
      expect([failed.status, failed.headers.get("x-seen")]).toEqual([503, "503"]);
      expect(emulator.faults.get(rule.faultId).fired).toBe(1);
      emulator.faults.delete(rule.faultId);
    }
    emulator.faults.create({ effect: { kind: "truncate", count: 5 } });
    const cut = await ask(currency);
    expect([cut.status, cut.headers.get("x-seen")]).toEqual([200, "200"]);
    await expect(cut.text()).rejects.toThrow("terminated");
    emulator.faults.clear();
    emulator.faults.create({ effect: { kind: "drop" } });
    await expect(ask(currency)).rejects.toThrow("fetch failed");
    expect(emulator.journal.entries().map(({ response }) => response.status)).toEqual([503, 503, 200, 0]);
  });

  it("responds itself, but not in place of a fault rule", async () => {
    const ask = await start(over, (c) => Promise.resolve(c.text("x".repeat(1000))));
    for (const applied of [false, true]) {
      emulator.faults.create({ effect: { kind: "status", applied }, when: { count: 1 } });
      expect((await ask(currency)).status).toBe(503);
      expect(await (await ask(currency)).text()).toHaveLength(1000);
    }
    // the fault rule sends half of the body that the middleware returned
    emulator.faults.create({ effect: { kind: "truncate" }, when: { count: 1 } });
    await expect(ask(currency).then((cut) => cut.text())).rejects.toThrow("terminated");
    expect(emulator.journal.entries().at(-1)?.response.body).toHaveLength(500);
    expect(emulator.faults.list().map(({ fired }) => fired)).toEqual([1, 1, 1]);
  });
});

it("shows no control characters of a request if it throws", async () => {
  const print = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const ask = await start("in-process", () => Promise.reject(new Error("\u001b[2Junknown tenant")));
  expect((await ask("/health")).status).toBe(500);
  expect(print).toHaveBeenCalledWith(expect.stringContaining("\\u001b[2Junknown tenant"));
  print.mockClear();
  await emulator.close();
  const other = await start("in-process", () => Promise.reject(Object.create(null) as Error));
  expect(await (await other("/health")).text()).toContain("Your middleware failed");
  print.mockRestore();
});

it("has a response read once for the journal, and not at all if nothing is recorded", async () => {
  const clone = vi.fn();
  const ask = await start("in-process", async (c, next) => {
    await next();
    const { res } = c;
    const copy = res.clone.bind(res);
    Object.defineProperty(res, "clone", { value: clone.mockImplementation(copy) });
  });
  expect((await ask("/health")).status).toBe(200);
  expect(clone).toHaveBeenCalledTimes(1);
  await emulator.close();
  const endless = () => new ReadableStream({ start: (body) => body.enqueue(new Uint8Array([1, 2])) });
  emulator = await createEmulator({
    journal: 0,
    coverage: false,
    middleware: [() => Promise.resolve(new Response(endless()))],
  });
  const reader = (await emulator.fetch("/health")).body?.getReader();
  expect(await reader?.read()).toEqual({ done: false, value: new Uint8Array([1, 2]) });
  await reader?.cancel();
});

it("is named as the cause if it returns a response that was already read, even if nothing is recorded", async () => {
  const printed = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const read: MiddlewareHandler<EmulatorEnv> = async (c, next) => {
    await next();
    await c.res.text();
  };
  const fail = () => Promise.resolve(new Response(createFailingStream()));
  for (const middleware of [read, fail]) {
    emulator = await createEmulator({ journal: 0, coverage: false, middleware: [middleware] });
    emulator.faults.create({ effect: { kind: "truncate", count: 1000 } });
    const { status, headers } = await emulator.fetch("/health");
    expect([status, headers.get("content-type")]).toEqual([500, "application/problem+json"]);
    await emulator.close();
  }
  const log = printed.mock.calls.join("");
  printed.mockRestore();
  expect(log.match(/a middleware function failed/g)).toHaveLength(2);
  expect(log).not.toContain("bug in the emulator");
});

it("gets Node's messages if there is a socket", async () => {
  const seen: string[] = [];
  const note: MiddlewareHandler<EmulatorEnv> = async (c, next) => {
    seen.push(typeof c.env.incoming);
    await next();
  };
  await (
    await start("in-process", note)
  )("/health");
  await emulator.app.request("/health");
  await fetch(`${await emulator.listen()}/health`);
  expect(seen).toEqual(["undefined", "undefined", "object"]);
});

it("does not affect the control plane and the pages", async () => {
  const ask = await start("in-process", (c) => Promise.resolve(c.text("no", 418)));
  for (const path of ["/_emulator", "/_emulator/console", "/openapi.json"])
    expect((await ask(path)).status).toBe(200);
  expect((await ask("/health")).status).toBe(418);
});

it("is refused if it is not a list of functions", async () => {
  emulator = await createEmulator();
  for (const [middleware, fault] of [
    ["cors", 'not "cors"'],
    [[() => undefined, "cors"], 'entry 1 is "cors"'],
    [new Hono(), "not an object"],
  ] as const)
    await expect(createEmulator({ middleware: middleware as never })).rejects.toThrow(
      new RegExp(`list of Hono middleware functions[,;] ${fault}`),
    );
});
