import { serve } from "@hono/node-server";
import fc from "fast-check";
import { Hono } from "hono";
import createClient from "openapi-fetch";
import { runInNewContext } from "node:vm";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { paths } from "../../openapi/generated/service-types.js";
import { sendRawBytes } from "../testing/raw-socket.js";
import { createEmulator, type Emulator } from "./emulator.js";

/** A request that is not an instance of Node's `Request`, as in jsdom. */
class ForeignRequest {
  readonly #own: Request;
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;

  constructor(url: string, init: RequestInit) {
    this.#own = new Request(url, init);
    ({ url: this.url, method: this.method, headers: this.headers } = this.#own);
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#own.arrayBuffer();
  }
}

const items = "/api/v1/databases/db_demo/items";
const authorized = { Authorization: "Bearer dsk_demo_all" };
const json = { ...authorized, "Content-Type": "application/json" };
const put = (body: object) => ({ method: "PUT", headers: json, body: JSON.stringify(body) });

describe("emulator.app", () => {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await createEmulator();
    return () => emulator.close();
  });

  /** Serves an application on a free port until the end of the test. */
  async function serveApp(
    fetch: (request: Request, env?: object) => Response | Promise<Response>,
  ): Promise<string> {
    return new Promise((resolve) => {
      const server = serve(
        { fetch, port: 0, hostname: "127.0.0.1", overrideGlobalObjects: false },
        ({ port }) => resolve(`http://127.0.0.1:${port}`),
      );
      onTestFinished(() => void server.close());
    });
  }

  it("is called like any Hono application", async () => {
    expect(await (await emulator.app.request("/health")).json()).toEqual({ status: "Healthy" });
    expect((await emulator.app.request("/ns/other/health")).status).toBe(200);
    expect((await emulator.app.request("/_emulator/clock")).status).toBe(200);
  });

  it("says that the emulator is closed", async () => {
    const closed = await createEmulator();
    await closed.close();
    await closed.close();
    await expect(closed.listen()).rejects.toThrow("the emulator is closed");
    for (const path of ["/health", "/ns/other/health", "/_emulator/clock", "/openapi.json"]) {
      const response = await closed.app.request(path);
      expect([response.status, await response.text()]).toEqual([500, expect.stringContaining("is closed")]);
    }
  });

  it("is served by another server, which needs only its fetch", async () => {
    const url = await serveApp(emulator.app.fetch);
    expect((await fetch(`${url}${items}`, put({ pk: "served", data: {} }))).status).toBe(200);
    expect((await emulator.fetch(`${items}/served`, { headers: authorized })).status).toBe(200);
  });

  describe.each(["in-process", "over a socket"])("mounted in another application, %s", (over) => {
    const other = new Hono();
    beforeAll(() => {
      other.get("/", (c) => c.text("another application"));
      other.route("/data", emulator.app);
      other.use("/read/*", async (c, next) => {
        await c.req.json();
        await next();
      });
      other.route("/read", emulator.app);
    });

    /** Returns a function that sends requests to the other application. */
    async function asking() {
      const url = over === "in-process" ? "http://localhost" : await serveApp(other.fetch);
      return {
        url,
        ask: (path: string, init?: RequestInit) =>
          over === "in-process" ? other.request(path, init) : fetch(url + path, init),
      };
    }

    it("serves items, namespaces and the control plane below its path", async () => {
      const { ask } = await asking();
      expect(await (await ask("/")).text()).toBe("another application");
      for (const base of ["/data", "/data/ns/mounted"]) {
        expect((await ask(`${base}${items}`, put({ pk: "a", sk: base, data: { n: 1 } }))).status).toBe(200);
        const found = await ask(`${base}${items}/a/${encodeURIComponent(base)}`, { headers: authorized });
        expect(await found.json()).toMatchObject({ pk: "a", sk: base, data: { n: 1 } });
        expect((await ask(`${base}/_emulator/clock`)).status).toBe(200);
      }
      expect(emulator.namespaces.list().map(({ name }) => name)).toContain("mounted");
    });

    it("receives a body that the other application has read", async () => {
      const { ask } = await asking();
      const response = await ask(`/read${items}`, put({ pk: "read", data: { n: 1.0 } }));
      expect([response.status, await response.json()]).toEqual([
        200,
        expect.objectContaining({ pk: "read" }),
      ]);
    });

    it("finds items with any key, and refuses escapes that are not text", async () => {
      const { ask } = await asking();
      await fc.assert(
        fc.asyncProperty(
          fc.string({ unit: "grapheme", minLength: 1, maxLength: 5 }).filter((key) => !/^\.{1,2}$/.test(key)),
          async (pk) => {
            expect((await ask(`/data${items}`, put({ pk, data: { pk } }))).status).toBe(200);
            const found = await ask(`/data${items}/${encodeURIComponent(pk)}`, { headers: authorized });
            expect(await found.json()).toMatchObject({ pk });
          },
        ),
        { examples: [["a/b"], ["%2F"], ["%25"], ["..."], ["?#"]], numRuns: 20 },
      );
      const refused = await ask(`/data${items}/%FF`, { headers: authorized });
      expect([refused.status, refused.headers.get("content-type")]).toEqual([
        400,
        "application/problem+json",
      ]);
    });

    it("shows the pages of the console below its path", async () => {
      const { ask } = await asking();
      const page = await (await ask("/data/_emulator/console/data")).text();
      expect(page).toContain("db_demo");
      for (const [, link = ""] of page.matchAll(/href="(\/[^"]*)"/g)) expect(link).toMatch(/^\/data\//);
    });

    it("reports below its path what is missing and what is not allowed", async () => {
      const { ask } = await asking();
      expect((await (await ask("/data/nowhere")).json()) as object).toMatchObject({ status: 404 });
      const wrong = await ask("/data/health", { method: "DELETE" });
      expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    });

    it("responds under a changed profile, with addresses below its path", async () => {
      const { ask, url } = await asking();
      emulator.namespace("changed").profile.set({ "validation-status": 422 });
      const token = emulator
        .namespace("changed")
        .token({ email: "owner@demo.test", organizationId: "org_demo_pro" });
      const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
      const checkout = (planType: string) =>
        ask("/data/ns/changed/api/v1/payment/checkout", {
          method: "POST",
          headers,
          body: JSON.stringify({ planType }),
        });
      expect((await checkout("nonsense")).status).toBe(422);
      const { checkoutUrl } = (await (await checkout("enterprise")).json()) as { checkoutUrl: string };
      expect(checkoutUrl.startsWith(`${url}/data/ns/changed/_emulator/console/`)).toBe(true);
    });
  });

  it.each(["/data", "/:tenant/data", "/"])("mounts at %s as if it stood alone", async (path) => {
    const other = new Hono().route(path, emulator.app);
    const url = (await serveApp(other.fetch)) + (path === "/" ? "" : path.replace(":tenant", "ten%20ant"));
    await fetch(`${url}/ns/x${items}`, put({ pk: "..", data: { n: 1 } }));
    const folded = await sendRawBytes(url, [
      `GET ${new URL(url).pathname.replace(/\/$/, "")}/ns/x${items}/%2E%2E HTTP/1.1\r\nHost: x\r\n`,
      `Authorization: ${authorized.Authorization}\r\nConnection: close\r\n\r\n`,
    ]);
    expect(folded).toContain('"data":{"n":1}');
    expect((await fetch(`${url}/ns/x${items}/%FF`, { headers: authorized })).status).toBe(400);
    expect((await fetch(`${url}/ns/x/health`, { method: "POST" })).headers.get("allow")).toBe("GET, HEAD");
    const page = await (await fetch(`${url}/ns/x/`, { headers: { Accept: "text/html" } })).text();
    expect(page).toContain(`href="${new URL(`${url}/ns/x/openapi.json`).pathname}"`);
    emulator.faults.create({ effect: { kind: "drop" }, when: { count: 1 } });
    await expect(fetch(`${url}/health`)).rejects.toThrow("fetch failed");
  });

  it("serves openapi-fetch with a request class that is not Node's", async () => {
    const client = createClient<paths>({
      baseUrl: "http://localhost",
      fetch: emulator.fetch,
      Request: ForeignRequest as unknown as typeof Request,
      headers: authorized,
    });
    const path = { databaseId: "db_demo" };
    const written = await client.PUT("/api/v1/databases/{databaseId}/items", {
      params: { path },
      body: { pk: "by a client", data: { n: 1 } },
    });
    expect(written.response.status).toBe(200);
    const { data } = await client.GET("/api/v1/databases/{databaseId}/items/{pk}", {
      params: { path: { ...path, pk: "by a client" } },
    });
    expect(data?.data).toEqual({ n: 1 });
  });

  it("accepts a Request of another realm", async () => {
    // a class from another context, as in Vitest's jsdom environment
    const foreign = runInNewContext(
      `({
        method: "PUT", url, headers: new Map(Object.entries(headers)),
        arrayBuffer: async () => bytes, signal: undefined,
      })`,
      {
        url: `http://localhost${items}`,
        headers: json,
        bytes: new TextEncoder().encode('{"pk":"foreign","data":{}}').buffer,
      },
    ) as Request;
    expect((await emulator.fetch(foreign)).status).toBe(200);
    expect((await emulator.fetch(items, foreign)).status).toBe(200);
    expect((await emulator.fetch(`${items}/foreign`, { headers: authorized })).status).toBe(200);
  });
});
