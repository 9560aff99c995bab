import { inspect } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { Hono } from "hono";
import { beforeEach, describe, expect, it } from "vitest";
import { createEmulator } from "../api/emulator.js";
import { createExchange } from "../testing/create-exchange.js";
import { measureCostRatio } from "../testing/measure-cost-ratio.js";
import { createEmptyDatabase } from "../testing/items-client.js";
import { sendRawBytes } from "../testing/raw-socket.js";
import { useTestEmulator } from "../testing/use-test-emulator.js";
import { harSchema } from "../testing/har-schema.js";
import { Journal } from "./journal.js";
import { maxRecordedBytes, type JournalEntry, RecordedBody } from "./recorded-exchange.js";

const running = useTestEmulator({ over: "socket" });
beforeEach(() => running.emulator.reset());

const entries = () => running.emulator.journal.entries();
const last = (): JournalEntry => {
  const entry = entries().at(-1);
  if (entry === undefined) throw new Error("the journal is empty");
  return entry;
};
const journal = async (query = "") =>
  (await running.control.get(`/_emulator/journal${query}`)).body as {
    entries: JournalEntry[];
    dropped: number;
  };
const postJson = (path: string, body: string, headers: Record<string, string> = {}) =>
  running.emulator.fetch(path, {
    method: "POST",
    body,
    headers: { "Content-Type": "application/json", ...headers },
  });

describe("an entry", () => {
  it("contains request, response, time, caller and operation, the same in-process and over HTTP", async () => {
    const items = await createEmptyDatabase(running);
    await items.put("a", "b", { n: 1.0 });
    await items.client.request("GET", `${items.path("a", "b")}?x=1`);
    const [put, get] = entries().slice(-2);
    expect(put).toMatchObject({
      sequence: 4,
      at: "2030-01-01T00:00:00.004Z",
      operationId: "putItem",
      caller: { kind: "user", id: "user_demo_owner", organizationId: "org_demo_enterprise" },
      faults: [],
      request: {
        method: "PUT",
        path: items.root,
        headers: { "content-type": "application/json", authorization: "Bearer [redacted]" },
        body: '{"pk":"a","sk":"b","data":{"n":1}}',
        bodyBytes: 34,
        bodyCut: false,
      },
      response: { status: 200, headers: { "content-type": "application/json" } },
    });
    expect(get).toMatchObject({
      operationId: "getItemWithSortKey",
      request: { method: "GET", path: `${items.path("a", "b")}?x=1`, body: null, bodyBytes: 0 },
    });
    expect(put?.durationMs).toBeGreaterThan(0);
    expect((await journal()).entries).toEqual(entries());
  });

  it("shows headers whose names every object has", async () => {
    const headers = ["constructor", "tostring", "__proto__"].map((name): [string, string] => [name, "x"]);
    await running.emulator.fetch("/health", { headers });
    expect(Object.entries(last().request.headers)).toEqual(expect.arrayContaining(headers));
  });

  it("shows an API key as the caller, and none for a refused credential", async () => {
    const [key] = running.emulator.apiKeys.list();
    const path = "/api/v1/databases/db_demo/items/a";
    await running.client.as(key?.key).get(path);
    expect(last().caller).toEqual({ kind: "apiKey", id: key?.apiKeyId, organizationId: key?.organizationId });
    await running.client.as("dsk_of_nobody").get(path);
    expect([last().caller, last().response.status]).toEqual([null, 401]);
  });

  it("exists for every request to the service, matched or not, but not for control plane requests", async () => {
    const { client, control } = running;
    await client.get("/nothing");
    await client.get("/%zz?a=%zz");
    await client.delete("/health");
    await running.emulator.fetch("/auth/password", { method: "POST", body: "{}" });
    await control.get("/_emulator");
    await control.get("/_emulator/journal");
    expect(entries().map(({ operationId, response }) => [operationId, response.status])).toEqual([
      [null, 404],
      [null, 400],
      [null, 405],
      ["login", 415],
    ]);
  });

  it("names the faults that fired, and shows what was sent", async () => {
    const { emulator } = running;
    const rule = (effect: Parameters<typeof emulator.faults.create>[0]["effect"]) =>
      emulator.faults.create({ effect, when: { nth: 1 } }).faultId;
    const ids = [rule({ kind: "latency", delayMs: 20 }), rule({ kind: "drop" })];
    const { url = "" } = emulator;
    await expect(fetch(`${url}/health`)).rejects.toThrow();
    expect([last().faults, last().response]).toEqual([
      ids,
      { status: 0, headers: {}, body: null, bodyBytes: 0, bodyCut: false },
    ]);
    expect(last().durationMs).toBeGreaterThan(19);
    emulator.faults.clear();
    const cut = rule({ kind: "truncate", count: 5 });
    await expect(fetch(`${url}/health`).then((response) => response.text())).rejects.toThrow();
    expect([last().faults, last().response]).toMatchObject([
      [cut],
      { status: 200, body: '{"sta', bodyBytes: 20, bodyCut: true },
    ]);
    emulator.faults.clear();
    const early = rule({ kind: "status" });
    await postJson("/auth/password", '{"email":"a"}');
    expect(last()).toMatchObject({
      faults: [early],
      operationId: "login",
      request: { body: '{"email":"a"}' },
    });
  });

  it("shows the caller of a request that a fault rule answers before authentication", async () => {
    const { emulator } = running;
    const headers = { Authorization: "Bearer dsk_demo_all" };
    const send = (authorization = headers.Authorization) =>
      emulator.fetch("/api/v1/databases/db_demo/items/a", { headers: { authorization } });
    const caller = { kind: "apiKey", id: "key_demo_all", organizationId: "org_demo_pro" };
    const once = { when: { count: 1 } };
    emulator.faults.create({ match: { caller: caller.id }, effect: { kind: "status" }, ...once });
    emulator.faults.create({ effect: { kind: "drop" }, ...once });
    expect((await send()).status).toBe(503);
    await expect(send()).rejects.toThrow();
    expect(entries().map((entry) => entry.caller)).toEqual([caller, caller]);
    emulator.faults.create({ effect: { kind: "status" } });
    expect((await send("Bearer dsk_of_nobody")).status).toBe(503);
    expect(last().caller).toBeNull();
  });

  it("includes the bodies when a request is printed", async () => {
    await postJson("/auth/password", '{"email":"a@acme.test"}');
    const [request] = running.emulator.journal.requests();
    expect(inspect(request, { depth: null })).toMatch(/body: \{ email: 'a@acme.test' \}/);
    expect(inspect(request, { depth: null })).not.toContain("Getter");
  });

  it("has no body of a response to a HEAD request", async () => {
    for (const [path, status] of [
      ["/health", 200],
      ["/nothing", 404],
    ] as const) {
      await running.emulator.fetch(path, { method: "HEAD" });
      expect(last().response).toMatchObject({ status, body: null, bodyBytes: 0, bodyCut: false });
    }
    const { entries } = running.emulator.journal.har().log;
    expect(entries.map(({ response }) => response.content.size)).toEqual([0, 0]);
  });

  it("keeps the beginning of a long body and says so", async () => {
    const items = await createEmptyDatabase(running);
    const text = "é".repeat(maxRecordedBytes);
    await items.put("a", null, { text });
    const { request } = last();
    expect([request.bodyCut, request.bodyBytes]).toEqual([
      true,
      Buffer.byteLength(`{"pk":"a","data":{"text":"${text}"}}`),
    ]);
    expect(Buffer.byteLength(request.body ?? "")).toBeLessThan(maxRecordedBytes + 3);
    await items.get("a");
    expect([last().response.bodyCut, last().response.body?.length]).toEqual([true, expect.any(Number)]);
    expect(Buffer.byteLength(last().response.body ?? "")).toBeLessThan(maxRecordedBytes + 3);
  });
});

describe("/_emulator/journal", () => {
  it("filters by operation, status, sequence and number", async () => {
    const { client } = running;
    for (const path of ["/health", "/nothing", "/health/ready", "/health", "/health/live"])
      await client.get(path);
    const sequences = async (query: string) => (await journal(query)).entries.map(({ sequence }) => sequence);
    expect(await sequences("?operationId=getHealth")).toEqual([1, 4]);
    expect(await sequences("?status=404")).toEqual([2]);
    expect(await sequences("?since=3")).toEqual([4, 5]);
    expect(await sequences("?limit=2")).toEqual([4, 5]);
    expect(await sequences("?limit=1&operationId=getHealth&since=1&status=200")).toEqual([4]);
    expect(running.emulator.journal.entries({ status: 404 })).toEqual((await journal("?status=404")).entries);
    for (const wrong of ["?limit=0", "?since=x", "?operationId=nothing", "?format=xml", "?status=1000"])
      expect([wrong, (await running.control.get(`/_emulator/journal${wrong}`)).status]).toEqual([wrong, 400]);
  });

  it("is emptied, and its sequence continues; a reset restarts it", async () => {
    const { client, control } = running;
    await client.get("/health");
    expect((await control.delete("/_emulator/journal")).status).toBe(204);
    expect(await journal()).toEqual({ entries: [], dropped: 0, recording: true });
    await client.get("/health");
    expect(last().sequence).toBe(2);
    running.emulator.reset();
    await client.get("/health");
    expect(entries().map(({ sequence }) => sequence)).toEqual([1]);
  });

  it("belongs to the namespace", async () => {
    await running.client.get("/ns/a/health");
    expect(entries()).toEqual([]);
    const answer = await running.control.get("/ns/a/_emulator/journal");
    expect(answer.body).toMatchObject({ entries: [{ sequence: 1, operationId: "getHealth" }] });
  });

  it("can be turned off", async () => {
    const emulator = await createEmulator({ journal: false });
    await emulator.fetch("/health");
    const response = await emulator.fetch("/_emulator/journal");
    expect(await response.json()).toEqual({ entries: [], dropped: 0, recording: false });
    await emulator.close();
  });

  it("is an HTTP Archive 1.2 on request", async () => {
    const items = await createEmptyDatabase(running);
    await items.put("a", null, { text: "x".repeat(2 * maxRecordedBytes) });
    await items.client.request("GET", `${items.path("a")}?x=1&y=%C3%A9`);
    await running.client.get("/ns/other/health");
    running.emulator.faults.create({ effect: { kind: "drop" } });
    await running.emulator.fetch("/health").catch(() => undefined);
    running.emulator.faults.clear();
    const { url = "" } = running.emulator;
    const accepting = await fetch(`${url}/_emulator/journal`, {
      headers: { Accept: "application/har+json" },
    });
    const asking = await running.control.get("/_emulator/journal?format=har&operationId=getItem");
    const plain = await fetch(`${url}/_emulator/journal?format=json`, {
      headers: { Accept: "application/har+json" },
    });
    expect([accepting, plain].map((response) => response.headers.get("content-type"))).toEqual([
      "application/har+json",
      "application/json",
    ]);
    const har: unknown = await accepting.json();
    expect(har).toEqual(running.emulator.journal.har());
    const validate = new Ajv2020({ strict: false }).compile(harSchema);
    for (const archive of [
      har,
      asking.body,
      (await running.control.get("/ns/other/_emulator/journal?format=har")).body,
    ]) {
      validate(archive);
      expect(validate.errors).toBeNull();
    }
    expect(asking.body).toMatchObject({
      log: {
        entries: [
          {
            request: {
              url: `${url}${items.path("a")}?x=1&y=%C3%A9`,
              queryString: [
                { name: "x", value: "1" },
                { name: "y", value: "é" },
              ],
            },
          },
        ],
      },
    });
    expect((await running.control.get("/ns/other/_emulator/journal?format=har")).body).toMatchObject({
      log: { entries: [{ request: { url: `${url}/ns/other/health` } }] },
    });
  });

  it("has the scheme and the mount path of each request in an HTTP Archive", async () => {
    const mounted = new Hono().route("/data", running.emulator.app);
    const urls = ["https://shop.test/data/health", "https://shop.test/data/ns/mounted/health?x=1"];
    for (const url of urls) await mounted.request(url);
    const archives = [running.emulator, running.emulator.namespace("mounted")].map((it) => it.journal.har());
    expect(archives.map(({ log }) => log.entries[0]?.request.url)).toEqual(urls);
  });

  it("has a valid URL in an HTTP Archive even if the Host header is invalid", async () => {
    const { url = "" } = running.emulator;
    await sendRawBytes(url, ["GET /ns/raw/health HTTP/1.1\r\nHost: 999.0.0.1\r\nConnection: close\r\n\r\n"]);
    const { entries } = running.emulator.namespace("raw").journal.har().log;
    expect(entries.map(({ request }) => request.url)).toEqual(["http://localhost/ns/raw/health"]);
  });

  it("is checked by a schema that rejects broken archives", () => {
    const validate = new Ajv2020({ strict: false }).compile(harSchema);
    expect(validate({ log: { version: "1.2", creator: { name: "x", version: "1" }, entries: [{}] } })).toBe(
      false,
    );
  });
});

describe("what is secret", () => {
  /** Generates secrets that are too long to occur by chance, with characters of every kind. */
  const secret = fc
    .string({
      unit: fc.oneof(
        fc.constantFrom('"', "\\", "%", " ", "+", "é", "😀", "\n"),
        fc.string({ minLength: 1, maxLength: 1 }),
      ),
      minLength: 2,
      maxLength: 20,
    })
    .map((text) => `s3cr3t${text}s3cr3t`)
    .filter((text) => text.isWellFormed());
  const forms = (text: string) => [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text)];
  const seen = async () => {
    const har = await (await running.emulator.fetch("/_emulator/journal?format=har")).text();
    // texts inside JSON texts are escaped again
    return [
      JSON.stringify(entries()),
      har,
      ...entries().flatMap(({ request, response }) =>
        [request, response].flatMap(({ body, headers }) => [body ?? "", ...Object.values(headers)]),
      ),
    ].join("\n");
  };
  const expectHidden = async (text: string) => {
    const all = await seen();
    for (const form of forms(text)) expect(all).not.toContain(form);
    expect(all).not.toContain("s3cr3t");
  };

  it("a password is never shown, however the body is written", async () => {
    const writing = fc.constantFrom<(password: string) => string>(
      (password) => JSON.stringify({ email: "owner@demo.test", password }),
      (password) => JSON.stringify({ email: "a", password, more: ["]", { password: [password, "]"] }] }),
      (password) => JSON.stringify({ email: "a", password: { is: ["in", password] } }),
      (password) => `{"email":"a","p\\u0061ssword" : ${JSON.stringify(password)}}`,
      (password) => `{"password":${JSON.stringify(password)}`,
      (password) => `{"password":${JSON.stringify(password).slice(0, -1)}`,
      (password) => JSON.stringify(password),
      (password) => JSON.stringify([password]),
      (password) => `email=a&password=${password}`,
      (password) => `{'password': '${password}'}`,
    );
    await fc.assert(
      fc.asyncProperty(secret, writing, async (password, write) => {
        running.emulator.journal.clear();
        await postJson("/auth/password", write(password));
        await expectHidden(password);
      }),
    );
  });

  it("no sent or issued token is shown", async () => {
    const { accessToken, refreshToken } = await running.tokens("owner@demo.test", "org_demo_pro");
    const refreshed = await running.client.post("/auth/refresh", { refreshToken });
    const issued = refreshed.body as { accessToken: string; refreshToken: string };
    await running.client.as(accessToken).get(`/api/v1/management/databases?access_token=${accessToken}`);
    const all = await seen();
    for (const token of [accessToken, refreshToken, issued.accessToken, issued.refreshToken])
      expect(all).not.toContain(token);
    const [key] = running.emulator.apiKeys.list();
    await running.client.as(key?.key).post("/api/v1/databases/db_demo/items/query", { partitionKey: "a" });
    expect(await seen()).not.toContain(key?.key);
  });

  it("no credential of a header or a query is shown", async () => {
    const header = fc.constantFrom(
      "Authorization",
      "X-Api-Key",
      "Proxy-Authorization",
      "Cookie",
      "X-Auth-Token",
    );
    const scheme = fc.constantFrom("Bearer ", "bearer  ", "Basic ", "");
    const plain = fc.stringMatching(/^[!-~]{1,12}$/).map((text) => `s3cr3t${text}s3cr3t`);
    await fc.assert(
      fc.asyncProperty(plain, header, scheme, async (text, name, how) => {
        running.emulator.journal.clear();
        const query = `?api_key=${encodeURIComponent(text)}`;
        await postJson(`/databases/db_demo/sql/query${query}`, JSON.stringify({ sql: "SELECT 1" }), {
          [name]: how + text,
        });
        await expectHidden(text);
      }),
    );
  });

  it("keeps fields with similar names: cursors and request tokens are no credentials", async () => {
    await postJson("/databases/db_demo/sql/query", '{"sql":"SELECT 1","pageToken":"page-7","tokens":5}');
    expect(last().request.body).toContain('"pageToken":"page-7"');
    await postJson(
      "/databases/db_demo/sql/query",
      '{"clientRequestToken":"once","data":{"password":"hidden-word","a":1.50}}',
    );
    expect(last().request.body).toBe(
      '{"clientRequestToken":"once","data":{"password":"[redacted]","a":1.50}}',
    );
  });

  it("hides no more than necessary: schemes, names of cookies and words stay", async () => {
    await postJson("/auth/password", '{"email":"session light null true Basic","password":true}', {
      Cookie: "theme=light; session=c00kie-value",
      Authorization: "Basic bmFtZTpwYXNz",
    });
    expect(last().request.body).toBe('{"email":"session light null true Basic","password":"[redacted]"}');
  });

  it("is hidden in duplicate headers too", async () => {
    const { url = "" } = running.emulator;
    await sendRawBytes(url, [
      "GET /health HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: s3cr3t-one\r\nX-Api-Key: s3cr3t-two\r\nConnection: close\r\n\r\n",
    ]);
    expect(last().request.headers["x-api-key"]).toBe("[redacted], [redacted]");
  });
});

describe("the ring", () => {
  const exchange = (bytes: number, status: number) =>
    createExchange({ requestBody: RecordedBody.of("x".repeat(bytes)), status });

  it("keeps the newest entries that fit, and counts the dropped ones", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(3000), { maxLength: 60 }),
        fc.integer({ min: 1, max: 20 }),
        (sizes, most) => {
          const bounds = { entries: most, bytes: 10_000 };
          const ring = new Journal(bounds);
          const kept: { sequence: number; size: number }[] = [];
          sizes.forEach((size, index) => {
            ring.record(exchange(size, 200));
            kept.push({ sequence: index + 1, size: size + 1025 });
            while (kept.length > most || kept.reduce((sum, entry) => sum + entry.size, 0) > bounds.bytes)
              kept.shift();
            expect(ring.select().map(({ sequence }) => sequence)).toEqual(
              kept.map(({ sequence }) => sequence),
            );
            expect(ring.dropped).toBe(index + 1 - kept.length);
          });
        },
      ),
    );
  });

  it("computes the text of a refusal only when the log prints it", () => {
    let problems = 0;
    const reported = new Journal({
      entries: 0,
      onRequest: ({ status }) => (problems += status >= 400 ? 1 : 0),
    });
    const refusal = (members: number) => {
      const responseBody = JSON.stringify({
        detail: "no",
        errors: Array.from({ length: members }, () => ({})),
      });
      const refused = Object.assign(exchange(0, 400), { responseBody });
      return () => {
        for (let time = 0; time < 200; time += 1) reported.record(refused);
      };
    };
    expect(measureCostRatio(refusal(10), refusal(10_000))).toBeLessThan(20);
    expect(problems).toBe(2 * 7 * 200);
  });
});
