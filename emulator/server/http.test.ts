import { once } from "node:events";
import { request as httpRequest, Agent, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { getPropertyRuns } from "../testing/property-runs.js";
import type { EmulatorOptions } from "../api/emulator.js";
import { eachAnswer } from "../testing/each-answer.js";
import { sendRawBytes } from "../testing/raw-socket.js";
import { getProblemKind } from "../testing/read-problem.js";
import {
  type TestResponse,
  type TestClient,
  type TestEmulator,
  createTestEmulator,
} from "../testing/test-client.js";

const databases = "/api/v1/management/databases";
const items = "/api/v1/databases/db_demo/items";

let running: TestEmulator;
let owner: TestClient;

async function start(options: EmulatorOptions & { over?: "process" | "socket" } = {}): Promise<void> {
  running = await createTestEmulator(options);
  owner = await running.login("owner@demo.test", "org_demo_pro");
}
afterEach(() => running.emulator.close());

const listErrors = ({ body }: TestResponse) =>
  (body as { errors: { in: string; pointer: string }[] }).errors.map((error) => [error.in, error.pointer]);
const post = (rawBody: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  owner.request("POST", databases, { rawBody, headers });
const refusal = (answer: TestResponse) => [answer.status, getProblemKind(answer)];

describe.each(["process", "socket"] as const)("HTTP in the %s", (over) => {
  it("returns 404 and the problem body for an unknown path", async () => {
    await start({ over });
    for (const path of [
      "/",
      "/api",
      "/api/v1",
      "/Health",
      "/health/",
      "/health/x",
      `${items}/a/b/c`,
      "//health",
      "/ns/x",
    ]) {
      const answer = await running.client.get(path);
      expect([path, ...refusal(answer)]).toEqual([path, 404, "unknown-path"]);
      expect(answer.headers.get("content-type")).toBe("application/problem+json");
    }
  });

  eachAnswer("trailing-slash", "says whether a slash at the end leads anywhere", async (answer, profile) => {
    await start({ over, profile });
    const ignores = answer === "ignored";
    await owner.put(items, { pk: "slash", data: {} });
    await owner.put(items, { pk: "slash", sk: "a/", data: { within: true } });
    for (const path of ["/health/", `${databases}/?limit=1`, `${databases}/db_demo/`, `${items}/slash/`])
      expect([path, (await owner.get(path)).status]).toEqual([path, ignores ? 200 : 404]);
    const put = await owner.put(`${items}/`, { pk: "b", data: {} });
    expect(put.status).toBe(ignores ? 200 : 404);
    expect((await owner.delete("/health/")).status).toBe(ignores ? 405 : 404);
    // the gap is about one slash at the end of a path, but not about a slash in a key
    for (const path of ["/", "//", "/health//", `${items}/slash//`, "/_emulator/clock/"])
      expect([path, (await owner.get(path)).status]).toEqual([path, 404]);
    expect((await owner.get(`${items}/slash/a%2F`)).body).toMatchObject({ data: { within: true } });
    expect((await owner.get(`${items}/slash/a%2F/`)).status).toBe(ignores ? 200 : 404);
  });

  it("[GEN-08] serves items and management under /api/v1 only, login and health without it", async () => {
    await start({ over });
    for (const path of [
      "/management/databases",
      "/databases/db_demo/items/a",
      "/api/v1/health",
      "/api/v1/auth/password",
    ])
      expect([path, (await owner.get(path)).status]).toEqual([path, 404]);
    expect((await owner.get(databases)).status).toBe(200);
    expect((await owner.get("/health")).status).toBe(200);
  });

  it.each([
    ["DELETE", "/health", "GET, HEAD"],
    ["GET", "/auth/password", "POST"],
    ["HEAD", "/auth/password", "POST"],
    ["PUT", databases, "GET, HEAD, POST"],
    ["PATCH", `${databases}/db_demo`, "DELETE, GET, HEAD"],
    ["GET", items, "PUT"],
    ["POST", `${items}/a/b`, "DELETE, GET, HEAD"],
    ["PUT", `${items}/query`, "DELETE, GET, HEAD, POST"],
    ["PROPFIND", "/health", "GET, HEAD"],
    ["OPTIONS", "/health", "GET, HEAD"],
  ])("answers 405 to %s %s, allowing %s", async (method, path, allow) => {
    await start({ over });
    const answer = await owner.request(method, path);
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, allow]);
    if (method !== "HEAD") expect(getProblemKind(answer)).toBe("method-not-allowed");
  });

  it("responds to HEAD like GET, without the body", async () => {
    await start({ over });
    for (const path of ["/health", `${databases}/db_demo`, `${databases}/db_nowhere`, "/nowhere"]) {
      const [get, head] = [await owner.get(path), await owner.request("HEAD", path)];
      expect([head.status, head.text]).toEqual([get.status, ""]);
      expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
    }
  });

  it("refuses percent escapes that are not UTF-8, in path and query", async () => {
    await start({ over });
    for (const path of [
      `${items}/%FF`,
      `${items}/%`,
      `${items}/%2`,
      `${items}/%C3%28`,
      `${items}/%ED%A0%80`,
      `${databases}?cursor=%FF`,
      "/%GG",
    ]) {
      const answer = await owner.get(path);
      expect([path, ...refusal(answer)]).toEqual([path, 400, "malformed-request"]);
      expect(answer.headers.get("date")).toMatch(/^Tue, 01 Jan 2030 00:00:0\d GMT$/);
    }
  });

  it.each([
    "{",
    '{"name":}',
    "nul",
    '{"a":1,}',
    "[1",
    '"',
    "{'a':1}",
    "\ufeff{}",
    '{"a":01}',
    '{"a":"\n"}',
    " ",
  ])("refuses the malformed JSON %j", async (body) => {
    await start({ over });
    expect(refusal(await post(body))).toEqual([400, "malformed-body"]);
  });

  it("refuses a body that is not UTF-8, however it is split", async () => {
    await start({ over });
    const valid = new TextEncoder().encode('{"name":"é😀","region":"x"}');
    for (const bytes of [
      [0xff],
      [0xc0, 0x80],
      [0xed, 0xa0, 0x80],
      [...valid].slice(0, 10),
      [0xfe, 0xff, 0, 0x7b],
      [0x1f, 0x8b, 8],
    ])
      expect(refusal(await post(new Uint8Array(bytes)))).toEqual([400, "malformed-body"]);
  });

  it("[GEN-09] reads application/json, in any case, with UTF-8 named or not", async () => {
    await start({ over });
    for (const type of [
      "application/json",
      "Application/JSON",
      "application/json;charset=utf-8",
      'application/json; charset="UTF-8"',
      "application/json ; charset = utf8",
    ])
      expect([type, ...refusal(await post('{"name":"x"}', { "Content-Type": type }))]).toEqual([
        type,
        400,
        "validation-failed",
      ]);
    const sent = await post('{"name":"abc","region":"y"}', { "Content-Type": "application/json" });
    expect([sent.status, sent.body]).toMatchObject([201, { name: "abc", region: "y" }]);
  });

  it("[GEN-06] requires a body where the operation has one, with any content type", async () => {
    await start({ over });
    for (const answer of [await owner.post(databases), await post("", { "Content-Type": "text/plain" })]) {
      expect(refusal(answer)).toEqual([400, "validation-failed"]);
      expect(listErrors(answer)).toEqual([["body", ""]]);
    }
  });

  it("keeps the last of duplicate fields", async () => {
    await start({ over });
    const answer = await post('{"name":"first","region":"x","name":"second","region":1,"region":"y"}');
    expect([answer.status, answer.body]).toMatchObject([201, { name: "second", region: "y" }]);
  });

  it("refuses lone surrogates anywhere in a body", async () => {
    await start({ over });
    for (const body of [
      '{"name":"abc","region":"\\ud800"}',
      '{"name":"abc","region":"x","settings":{"\\udc00":1}}',
      '{"name":"abc","region":"x","settings":{"a":["\\ud83d\\ud83d\\ude00"]}}',
    ])
      expect((await post(body)).status).toBe(400);
    const pair = await post('{"name":"abc","region":"\\ud83d\\ude00"}');
    expect([pair.status, pair.body]).toMatchObject([201, { region: "😀" }]);
  });

  it("refuses nesting beyond the maximum depth, even a hundred thousand levels", async () => {
    await start({ over });
    for (const depth of [101, 100_000]) {
      const settings = "[".repeat(depth) + "]".repeat(depth);
      expect((await post(`{"name":"deep","region":"x","settings":{"a":${settings}}}`)).status).toBe(400);
      expect((await post("[".repeat(depth))).status).toBe(400);
      expect((await post('{"a":'.repeat(depth))).status).toBe(400);
    }
  });

  it.each([
    "limit=0",
    "limit=-1",
    "limit=1.5",
    "limit=abc",
    "limit=",
    "limit",
    "limit=1e1",
    "limit=%31%20",
    "limit=0x10",
    "limit=99999999999999999999",
    "limit=NaN",
    "limit=1&limit=0",
    "cursor=",
  ])("refuses the query ?%s, saying which parameter is wrong", async (query) => {
    await start({ over });
    const answer = await owner.get(`${databases}?${query}`);
    expect(refusal(answer)).toEqual([400, "validation-failed"]);
    expect(listErrors(answer)).toEqual([["query", `/${query.split("=")[0] ?? ""}`]]);
  });

  it("uses the last of repeated query parameters, decodes escapes, and ignores unknown ones", async () => {
    await start({ over });
    for (const query of ["limit=0&limit=1", "limit=%31", "unknown=1&limit=1", "&&limit=1&=&__proto__=1"])
      expect([query, (await owner.get(`${databases}?${query}`)).status]).toEqual([query, 200]);
  });

  it("names every wrong place of a body with a JSON pointer", async () => {
    await start({ over });
    const answer = await owner.post(`${items}/query`, {
      partitionKey: 1,
      limit: 0,
      scanForward: "no",
      filterExpression: [],
    });
    expect(listErrors(answer).sort()).toEqual([
      ["body", "/filterExpression"],
      ["body", "/limit"],
      ["body", "/partitionKey"],
      ["body", "/scanForward"],
    ]);
  });

  it("sets Date to the emulator's clock, for successes and refusals", async () => {
    await start({ over });
    running.emulator.clock.set("2031-02-03T04:05:06Z");
    for (const answer of [
      await owner.get("/health"),
      await owner.get("/nowhere"),
      await owner.get(databases),
      await owner.post("/health"),
    ])
      expect([answer.status, answer.headers.get("date")]).toEqual([
        answer.status,
        "Mon, 03 Feb 2031 04:05:06 GMT",
      ]);
  });

  it("refuses a body that is too large with 413 and continues", async () => {
    const largest = 5 * 1024 * 1024;
    const profile = { "request-bytes-max": largest };
    await start({ over, profile });
    const fits = `{"name":"abc","region":"${"x".repeat(largest - 26)}"}`;
    expect(Buffer.byteLength(fits)).toBe(largest);
    expect((await post(fits)).status).toBe(201);
    expect(refusal(await post(` ${fits}`))).toEqual([413, "request-too-large"]);
    expect((await owner.get("/health")).status).toBe(200);
  });

  it("refuses a body with too many values with 413, before they are read", async () => {
    await start({ over });
    const put = (values: number, value = "1") =>
      running.client
        .as("dsk_demo_all")
        .request("PUT", items, { rawBody: `{"pk":"a","data":{"x":[${`${value},`.repeat(values - 1)}1]}}` });
    const query = `{"partitionKey":"a","filterExpression":{"a":1${',"b":1.5'.repeat(500_000)}}}`;
    // the item would exceed the item limit, which is a different error
    expect(refusal(await put(300_000))).toEqual([413, "item-too-large"]);
    expect(refusal(await put(500_000))).toEqual([413, "request-too-large"]);
    // numbers that keep their text take longer
    expect(refusal(await put(300_000, "1.0"))).toEqual([413, "request-too-large"]);
    expect(refusal(await owner.request("POST", `${items}/query`, { rawBody: query }))).toEqual([
      413,
      "request-too-large",
    ]);
    expect((await put(200_000)).status).toBe(200);
    expect((await put(100_000, "1.0")).status).toBe(200);
  });

  it("serves namespaces separately, and refuses invalid names", async () => {
    await start({ over });
    await owner.post(databases, { name: "here", region: "x" });
    // tokens are valid in every namespace with the same seed
    const listed = await owner.get(`/ns/other${databases}`);
    expect((listed.body as { databases: { name: string }[] }).databases.map(({ name }) => name)).toEqual([
      "demo",
    ]);
    for (const name of ["", "-a", "a b", "é", "a".repeat(65)])
      expect(refusal(await owner.get(`/ns/${encodeURIComponent(name)}/health`))).toEqual([
        400,
        "malformed-request",
      ]);
  });

  eachAnswer("cross-origin", "is whether pages of other origins may call", async (answer, profile) => {
    await start({ over, profile });
    const page = { Origin: "https://page.example" };
    const allowed = answer === "any-origin" ? "*" : null;
    const { accessToken } = await running.tokens("owner@demo.test", "org_demo_pro");
    for (const path of ["/health", databases, "/nowhere", `${items}/%FF`]) {
      const got = await running.client.as(accessToken).request("GET", path, { headers: page });
      expect([path, got.headers.get("access-control-allow-origin")]).toEqual([path, allowed]);
      expect((await owner.get(path)).headers.get("access-control-allow-origin")).toBeNull();
    }
    const question = {
      ...page,
      "Access-Control-Request-Method": "PUT",
      "Access-Control-Request-Headers": "authorization, x-mine",
    };
    const preflight = await running.client.request("OPTIONS", items, { headers: question });
    expect(preflight.status).toBe(answer === "any-origin" ? 204 : 405);
    if (answer === "none") return;
    expect(preflight.headers.get("access-control-allow-methods")).toContain("PUT");
    expect(preflight.headers.get("access-control-allow-headers")).toBe("authorization, x-mine");
    // so that the page sees the 404 instead of a CORS error
    expect((await running.client.request("OPTIONS", "/nowhere", { headers: question })).status).toBe(204);
    expect((await running.client.request("OPTIONS", "/nowhere")).status).toBe(404);
  });

  eachAnswer("error-body", "is the body of every error but a missing item", async (answer, profile) => {
    await start({ over, profile });
    const errors = [
      await running.client.get(databases),
      await running.client.as("dsk_demo_all").get(databases),
      await owner.post(databases, {}),
      await post("{"),
      await owner.get("/nowhere"),
      await owner.post("/health"),
      await owner.get(`${databases}/db_nowhere`),
      await owner.get(`${items}/%FF`),
      await owner.get(`/ns/other${items}/%FF`),
    ];
    for (const { headers, body } of errors) {
      const isProblem = answer === "problem";
      expect(headers.get("content-type")).toBe(isProblem ? "application/problem+json" : "application/json");
      if (isProblem)
        expect(body).toMatchObject({
          type: expect.any(String) as string,
          title: expect.any(String) as string,
        });
      else expect(Object.keys(body as object)).toEqual(["error", "message"]);
    }
    const missing = await owner.get(`${items}/nothing`);
    expect(missing.headers.get("content-type")).toBe("application/problem+json");
  });

  eachAnswer("request-bytes-max", "is the largest request body", async (answer, profile) => {
    await start({ over, profile });
    // a single long text, which is parsed faster than the same amount of white space
    const body = (length: number) => `{"name":"abc","region":"x","more":"${"x".repeat(length - 37)}"}`;
    expect(body(answer)).toHaveLength(answer);
    expect((await post(body(answer + 1))).status).toBe(413);
    expect((await post(body(answer))).status).toBe(201);
  });
});

describe("the query", () => {
  eachAnswer("unknown-request-fields", "may hold others, or not", async (answer, profile) => {
    await start({ profile });
    const given = await owner.get(`${databases}?limit=1&color=red`);
    expect(given.status).toBe(answer === "ignore" ? 200 : 400);
    if (answer === "reject") expect(listErrors(given)).toEqual([["query", "/color"]]);
    // an operation with a body also checks query parameters
    expect((await owner.post(`${items}/scan?limit=1`, {})).status).toBe(answer === "ignore" ? 200 : 400);
    expect((await owner.get(`${databases}?limit=1`)).status).toBe(200);
  });

  it.each([400, 422])(
    "has no unknown parameters for any operation if they are rejected, with %s",
    async (status) => {
      await start({ profile: { "unknown-request-fields": "reject", "validation-status": status } });
      for (const path of [
        "/health",
        "/api/v1/plans",
        `${items}/settings/currency`,
        "/api/v1/organizations",
      ]) {
        const got = await owner.get(`${path}?limitt=1`);
        expect([path, got.status, listErrors(got)]).toEqual([path, status, [["query", "/limitt"]]]);
        expect((await owner.get(path)).status).toBe(200);
      }
      expect((await owner.delete(`${items}/missing?force=1`)).status).toBe(status);
      const sql = await owner.get("/databases/db_demo/sql/tables?x=1");
      expect([sql.status, sql.body]).toMatchObject([400, { code: "SQL_VALIDATION_ERROR" }]);
    },
  );
});

describe("what is read as JSON", () => {
  eachAnswer("content-type", "is what is called so, or anything", async (answer, profile) => {
    await start({ profile });
    const body = '{"name":"typed","region":"y"}';
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/json; charset=latin1",
    ]) {
      const given = await post(body, { "Content-Type": type });
      if (answer === "refuse") expect(refusal(given)).toEqual([415, "unsupported-media-type"]);
      else {
        expect(given.status).toBe(201);
        const { databaseId } = given.body as { databaseId: string };
        expect((await owner.delete(`${databases}/${databaseId}`)).status).toBe(204);
        expect(refusal(await post("name=typed", { "Content-Type": type }))).toEqual([400, "malformed-body"]);
      }
    }
  });
});

describe("validation", () => {
  eachAnswer("validation-status", "is the status of what is not valid", async (answer, profile) => {
    await start({ profile });
    for (const refused of [
      await owner.post(databases, {}),
      await owner.post(databases),
      await owner.get(`${databases}?limit=0`),
      await owner.get(`${databases}?cursor=x`),
      await running.client.post("/auth/password", []),
      await owner.post(`${items}/query`, { partitionKey: "a", sortKeyCondition: "?" }),
    ])
      expect(refusal(refused)).toEqual([answer, "validation-failed"]);
    // requests that cannot be parsed have their own errors
    expect(refusal(await post("{"))).toEqual([400, "malformed-body"]);
    expect(refusal(await owner.get(`${items}/%FF`))).toEqual([400, "malformed-request"]);
  });

  eachAnswer(
    "unknown-request-fields",
    "is what happens to members that nobody named",
    async (answer, profile) => {
      await start({ profile });
      const got = await owner.post(databases, { name: "abc", region: "x", colour: "red" });
      expect(got.status).toBe(answer === "ignore" ? 201 : 400);
      if (answer === "reject") expect(listErrors(got)).toEqual([["body", "/colour"]]);
      // free-form objects may still have any fields
      const free = await owner.post(databases, { name: "free", region: "x", settings: { colour: { a: 1 } } });
      expect(free.status).toBe(201);
    },
  );
});

describe("the socket", () => {
  const raw = (head: string, ...rest: (string | Uint8Array)[]) =>
    sendRawBytes(running.emulator.url ?? "", [head, ...rest]);
  const statusOf = (text: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]);

  it("accepts a target in absolute form", async () => {
    await start({ over: "socket" });
    const text = await raw(
      "GET http://elsewhere.example/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    );
    expect(statusOf(text)).toBe(200);
    expect(text).toContain('{"status":"Healthy"}');
  });

  it.each([
    ["garbage", "garbage\r\n\r\n", 400],
    ["a TLS hello", "\u0016\u0003\u0001\u0002\u0000", 400],
    ["another protocol", "EHLO example\r\n\r\n", 400],
    ["a target that is no path", "GET health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 400],
    ["an asterisk", "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 400],
    ["no host", "GET /nowhere HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    ["a bad host", "GET /health HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n", 400],
    [
      "two lengths",
      "POST /auth/password HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      400,
    ],
    ["two hosts", "GET /health HTTP/1.1\r\nHost: x\r\nhost: localhost\r\nConnection: close\r\n\r\n", 400],
    ["a negative length", "POST /auth/password HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", 400],
    [
      "a header of 20,000 characters",
      `GET /health HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(20_000)}\r\n\r\n`,
      431,
    ],
    ["a target of 20,000 characters", `GET /${"x".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  ])("answers %s with a problem body and goes on", async (_, bytes, status) => {
    await start({ over: "socket" });
    const text = await raw(bytes);
    expect(statusOf(text)).toBe(status);
    expect(text.toLowerCase()).toContain("content-type: application/problem+json");
    expect(text).toContain("problems/malformed-request");
    expect((await running.client.get("/health")).status).toBe(200);
  });

  it("answers HTTP/1.0 without a host, as probes of load balancers send it", async () => {
    await start({ over: "socket" });
    expect(statusOf(await raw("GET /health HTTP/1.0\r\n\r\n"))).toBe(200);
  });

  it("refuses a chunked body that is too large with 413, and reads the next request of the connection", async () => {
    await start({ over: "socket", profile: { "request-bytes-max": 5 * 1024 * 1024 } });
    const chunk = `200000\r\n${" ".repeat(0x200000)}\r\n`;
    const text = await raw(
      "POST /auth/password HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
      chunk,
      chunk,
      chunk,
      "0\r\n\r\n",
      "GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    );
    expect([...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)).toEqual(["413", "200"]);
  });

  it("says that the connection ends after a request whose long body is not read", async () => {
    await start({ over: "socket" });
    const head = (length: number) =>
      `POST /auth/password HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
    const [long, short] = await Promise.all([raw(head(90_000_000), "{"), raw(head(70_000), "{")]);
    expect([long, short].map(statusOf)).toEqual([413, 413]);
    expect(long.toLowerCase()).toContain("connection: close");
    expect(short.toLowerCase()).not.toContain("connection: close");
  });

  it("responds to a request whose host is valid in no URL", async () => {
    await start({ over: "socket" });
    const targets = { "/_emulator/clock": 403, "/openapi.json": 200, "/health": 200 };
    for (const [target, status] of Object.entries(targets)) {
      const text = await raw(`GET ${target} HTTP/1.1\r\nHost: 627.0.0.1\r\nConnection: close\r\n\r\n`);
      expect([target, statusOf(text)]).toEqual([target, status]);
    }
  });

  it("accepts a chunked body within the limit, split anywhere", async () => {
    await start({ over: "socket" });
    const bytes = Buffer.from('{"email":"ö@demo.test","password":"p"}');
    const cuts = [...bytes].map((byte) =>
      Buffer.concat([Buffer.from("1\r\n"), Buffer.from([byte]), Buffer.from("\r\n")]),
    );
    const text = await raw(
      "POST /auth/password HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n",
      ...cuts,
      "0\r\n\r\n",
    );
    expect(statusOf(text)).toBe(200);
    expect(text).toContain("InvalidCredentials");
  });

  it("continues after a client disconnects in the middle of its body", async () => {
    await start({ over: "socket" });
    const { port } = new URL(running.emulator.url ?? "");
    await new Promise<void>((resolve) => {
      const leaving = httpRequest({
        port,
        host: "127.0.0.1",
        method: "POST",
        path: "/auth/password",
        headers: { "Content-Length": "100" },
        agent: new Agent(),
      });
      leaving.on("error", () => undefined);
      leaving.on("close", () => resolve());
      leaving.write("{", () => leaving.destroy());
    });
    expect((await running.client.get("/health")).status).toBe(200);
  });

  it("accepts percent-encoded keys with dots and slashes", async () => {
    await start({ over: "socket" });
    const { accessToken } = await running.tokens("owner@demo.test", "org_demo_pro");
    for (const key of [".", "..", "a/b", "%", "%2F", "?", "#", " ", "+", "é", "\u0000"]) {
      await owner.put(items, { pk: key, sk: "..", data: { key } });
      const encoded = [...Buffer.from(key)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
      const text = await raw(
        `GET ${items}/${encoded}/%2E%2e HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${accessToken}\r\nConnection: close\r\n\r\n`,
      );
      expect([key, statusOf(text)]).toEqual([key, 200]);
      expect(Buffer.from(text, "latin1").toString()).toContain(`"data":${JSON.stringify({ key })}`);
    }
  });

  it("does not replace the platform's Request and Response", async () => {
    const before = [globalThis.Request, globalThis.Response];
    await start({ over: "socket" });
    await owner.get("/health");
    expect([globalThis.Request, globalThis.Response]).toEqual(before);
    expect(globalThis.Request).toBe(before[0]);
    expect(globalThis.Response).toBe(before[1]);
  });

  it("listens once, returns the address, and stops when closed", async () => {
    await start();
    const { emulator } = running;
    expect(emulator.url).toBeUndefined();
    const url = await emulator.listen();
    expect([emulator.url, await emulator.listen()]).toEqual([url, url]);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    await emulator.close();
    expect(emulator.url).toBeUndefined();
    await expect(fetch(`${url}/health`)).rejects.toThrow();
  });

  it("answers requests that a latency rule holds when it stops listening", async () => {
    await start({ over: "socket" });
    const { emulator } = running;
    emulator.faults.create({
      effect: { kind: "latency", delayMs: 60_000 },
      match: { operationId: "getHealth" },
    });
    const held = fetch(`${emulator.url}/health`);
    // fault rules count requests when they arrive
    while (emulator.faults.list()[0]?.fired !== 1) await new Promise((resolve) => setTimeout(resolve, 1));
    await emulator.stopListening();
    expect((await held).status).toBe(200);
  });

  const putLargeItems = async () => {
    for (let number = 0; number < 30; number += 1)
      await owner.put(items, { pk: `large-${number}`, data: { text: "x".repeat(390_000) } });
  };

  it("stops listening although a client does not read its truncated response", async () => {
    await start({ over: "socket" });
    await putLargeItems();
    running.emulator.faults.create({ effect: { kind: "truncate" } });
    const { hostname, port } = new URL(running.emulator.url ?? "");
    const keys = Array.from({ length: 30 }, (_, number) => ({ pk: `large-${number}` }));
    const body = JSON.stringify({ keys });
    const reader = connect(Number(port), hostname);
    reader.write(
      `POST ${items}/batch/get HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer dsk_demo_all\r\n`,
    );
    reader.write(`Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    const [head] = (await once(reader, "data")) as [Buffer];
    reader.pause();
    expect(head.toString()).toMatch(/^HTTP\/1.1 200 /);
    await running.emulator.stopListening();
    reader.destroy();
  });

  it("sends the rest of a response to a slow reader when it stops listening", async () => {
    await start({ over: "socket" });
    await putLargeItems();
    running.emulator.snapshots.save("large");
    const { hostname, port } = new URL(running.emulator.url ?? "");
    const reader = connect(Number(port), hostname);
    reader.write("GET /_emulator/snapshots/large HTTP/1.1\r\nHost: localhost\r\n");
    reader.write("Accept: application/vnd.sqlite3\r\n\r\n");
    const [head] = (await once(reader, "data")) as [Buffer];
    reader.pause();
    let bytes = head.length - head.indexOf("\r\n\r\n") - 4;
    const stopped = running.emulator.stopListening();
    // by this time, idle connections have been closed
    await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, 100))]);
    for await (const chunk of reader) bytes += (chunk as Buffer).length;
    expect(bytes).toBeGreaterThan(10_000_000);
    expect(bytes).toBe(Number(/content-length: (\d+)/i.exec(head.toString("latin1"))?.[1]));
    await stopped;
  });

  it("frees the memory of a connection's earlier requests", async () => {
    await start({ over: "socket" });
    const warnings: string[] = [];
    const note = ({ name }: Error) => void warnings.push(name);
    process.on("warning", note);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const headers = { Accept: "application/json, text/event-stream" };
    for (let number = 0; number < 20; number += 1) {
      const sent = httpRequest(`${running.emulator.url}/health`, { agent, headers }).end();
      const [answer] = (await once(sent, "response")) as [IncomingMessage];
      await once(answer.resume(), "end");
    }
    agent.destroy();
    process.off("warning", note);
    expect(warnings).toEqual([]);
  });

  it("opens one port, however many calls are concurrent", async () => {
    await start();
    const { emulator } = running;
    const urls = await Promise.all([emulator.listen(), emulator.listen()]);
    expect(new Set(urls).size).toBe(1);
    await emulator.stopListening();
    await expect(fetch(`${urls[0]}/health`)).rejects.toThrow();
    const [stopped] = await Promise.all([emulator.listen(), emulator.stopListening()]);
    expect(emulator.url).toBeUndefined();
    await expect(fetch(`${stopped}/health`)).rejects.toThrow();
  });

  it("does not ignore options while it is listening", async () => {
    await start();
    const { emulator } = running;
    const url = await emulator.listen();
    for (const options of [{ https: true }, { host: "127.0.0.2" }, { port: 1 }])
      await expect(emulator.listen(options)).rejects.toThrow("already listening with other options");
    const port = Number(new URL(url).port);
    for (const options of [{}, { port: 0 }, { port, host: "127.0.0.1", https: false }])
      expect(await emulator.listen(options)).toBe(url);
  });

  it("does not listen again once it is closing", async () => {
    await start({ over: "socket" });
    const { emulator } = running;
    const closed = emulator.close();
    await expect(emulator.listen()).rejects.toThrow("the emulator is closed");
    await closed;
    expect(emulator.url).toBeUndefined();
  });

  it("closes although a client is connected that has sent no request, or half of one", async () => {
    await start({ over: "socket" });
    const { hostname, port } = new URL(running.emulator.url ?? "");
    const first = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n";
    const beginnings = [[""], ["GET /health HTTP/1.1\r\n"], [first, "GET /hea"], [first, first.slice(0, -2)]];
    const clients = await Promise.all(
      beginnings.map(
        ([bytes = "", next]) =>
          new Promise<Socket>((resolve) => {
            const client = connect(Number(port), hostname, () =>
              client.write(bytes, () => next ?? resolve(client)),
            );
            client.on("error", () => undefined);
            client.once("data", () => client.write(next ?? "", () => resolve(client)));
          }),
      ),
    );
    // a response to a later connection shows that the server has accepted these connections
    await running.client.get("/health");
    await running.emulator.close();
    clients.forEach((client) => client.destroy());
  });

  it("rejects if the port is taken, and can then listen on another", async () => {
    await start({ over: "socket" });
    const other = await createTestEmulator();
    const port = Number(new URL(running.emulator.url ?? "").port);
    await expect(other.emulator.listen({ port })).rejects.toThrow(/EADDRINUSE/);
    expect(await other.emulator.listen()).toMatch(/^http:/);
    await other.emulator.close();
  });
});

describe("any request", () => {
  const words = [
    "api",
    "v1",
    "databases",
    "management",
    "db_demo",
    "items",
    "query",
    "scan",
    "auth",
    "password",
    "refresh",
    "switch-organization",
    "health",
    "ready",
    "live",
    "_emulator",
    "clock",
    "reset",
    "profile",
    "users",
    "ns",
    "a",
  ];
  const segment = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...words) },
    fc.string({ unit: "binary", maxLength: 5 }).map((text) => encodeURIComponent(text)),
    fc.constantFrom(
      "",
      ".",
      "..",
      "%",
      "%FF",
      "%2F",
      "%00",
      "*",
      ":",
      ":pk",
      "{pk}",
      "?",
      "?limit=",
      "#",
      "%E2%82",
    ),
  );
  const known = fc.constantFrom(
    databases,
    `${databases}/db_demo`,
    items,
    `${items}/a`,
    `${items}/a/b`,
    `${items}/query`,
    `${items}/scan`,
    "/auth/password",
    "/auth/refresh",
    "/auth/switch-organization",
    "/_emulator/clock",
    "/_emulator/profile",
    "/_emulator/api-keys",
    "/_emulator/users",
    "/_emulator/health",
  );
  const path = fc.oneof(
    known,
    fc.array(segment, { maxLength: 7 }).map((parts) => `/${parts.join("/")}`),
    fc.tuple(known, fc.string({ maxLength: 10 })).map(([before, after]) => `${before}?${after}`),
  );
  const method = fc.constantFrom(
    "GET",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "HEAD",
    "OPTIONS",
    "PROPFIND",
    "get",
    "X",
  );
  const json = fc.json({ maxDepth: 4 }).map((text) => new TextEncoder().encode(text));
  const object = fc
    .dictionary(
      fc.constantFrom(
        "name",
        "region",
        "settings",
        "pk",
        "sk",
        "data",
        "partitionKey",
        "limit",
        "cursor",
        "sortKeyCondition",
        "filterExpression",
        "conditionExpression",
        "filterValues",
        "email",
        "password",
        "refreshToken",
        "organizationId",
        "advance",
        "now",
        "mode",
        "scopes",
        "expiresAt",
        "health",
      ),
      fc.oneof(
        fc.jsonValue({ maxDepth: 2 }),
        fc.constantFrom(
          "P1D",
          "P9999999999999999Y",
          "2030-01-01T00:00:00Z",
          "org_demo_pro",
          "=:a",
          "between:a:b",
          "a = :b",
          "*",
        ),
      ),
    )
    .map((value) => new TextEncoder().encode(JSON.stringify(value)));
  const body = fc.oneof(fc.uint8Array({ maxLength: 60 }), json, object);

  it("is answered, never with 500", async () => {
    await start();
    const { emulator } = running;
    const { accessToken } = await running.tokens("owner@demo.test", "org_demo_pro");
    const credential = fc.constantFrom(
      `Bearer ${accessToken}`,
      "Bearer dsk_demo_all",
      "Bearer a.b.c",
      "Basic x",
      undefined,
    );
    await fc.assert(
      fc.asyncProperty(method, path, credential, body, async (verb, target, authorization, content) => {
        const takesNone = verb === "HEAD" || verb.toUpperCase() === "GET";
        // a URL with a fragment is rejected before a request is sent
        const response = await emulator.fetch(target.replaceAll("#", "%23"), {
          method: verb,
          headers: {
            "Content-Type": "application/json",
            ...(authorization === undefined ? {} : { Authorization: authorization }),
          },
          ...(takesNone ? {} : { body: new Uint8Array(content) }),
        });
        const text = await response.text();
        expect([response.status >= 500, text.slice(0, 500)]).toEqual([false, text.slice(0, 500)]);
        // rejected requests, which are the majority, change nothing
        if (takesNone || !response.ok) return;
        emulator.health.set({ health: "Healthy", ready: "Ready", live: "Alive" });
        emulator.reset("demo");
      }),
      { numRuns: getPropertyRuns(300) },
    );
  });

  it("is answered over a socket too, with any bytes", async () => {
    await start({ over: "socket" });
    const url = running.emulator.url ?? "";
    const line = fc
      .tuple(fc.constantFrom("GET", "POST", "PUT", "DELETE", "BREW", "CONNECT", "TRACE"), path, body)
      .map(([verb, target, content]) => ({
        thenEnd: false,
        bytes: Buffer.concat([
          Buffer.from(
            `${verb} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${content.length}\r\n\r\n`,
          ),
          content,
        ]),
      }));
    // without this, the server would wait for the rest of a possible request
    const noise = fc.uint8Array({ maxLength: 200 }).map((bytes) => ({ bytes, thenEnd: true }));
    await fc.assert(
      fc.asyncProperty(fc.oneof({ weight: 4, arbitrary: line }, noise), async ({ bytes, thenEnd }) => {
        const text = await sendRawBytes(url, [bytes], { thenEnd }).catch((error: unknown) => {
          // a server that has responded may reset a connection on which the client still sends
          if (["ECONNRESET", "EPIPE"].includes((error as { code?: string }).code ?? "")) return "";
          throw error;
        });
        expect(text).not.toMatch(/^HTTP\/1\.1 5\d\d/);
      }),
      { numRuns: getPropertyRuns(100) },
    );
    expect((await running.client.get("/health")).status).toBe(200);
  });
});
