import { Buffer } from "node:buffer";
import { once } from "node:events";
import { createRequire } from "node:module";
import { connect } from "node:net";
import type jsonwebtoken from "jsonwebtoken";
import { beforeAll, describe, expect, it } from "vitest";
import { encodeCursor } from "../domain/cursor.js";
import { createEmulator } from "../api/emulator.js";
import { sendRawBytes } from "../testing/raw-socket.js";
import { type TestClient, createTestEmulator } from "../testing/test-client.js";
import { useTestEmulator } from "../testing/use-test-emulator.js";

const { sign } = createRequire(import.meta.url)("jsonwebtoken") as typeof jsonwebtoken;
const items = "/api/v1/databases/db_demo/items";
const running = useTestEmulator({ over: "socket" });
let owner: TestClient;
let repositories: string;
beforeAll(async () => {
  owner = await running.login("owner@demo.test", "org_demo_pro");
  repositories = "/api/v1/management/databases/db_demo/repositories";
});

/** Positions that no list puts into a cursor. */
const positions: readonly unknown[] = [
  [],
  null,
  {},
  "text",
  [null],
  [{}],
  [[]],
  [true],
  [1.5],
  [1e300],
  [1, 2, 3, 4],
  ["a", 1],
  [1, "{"],
  [1, "[".repeat(2000)],
  [1, "1", "x"],
  ["\ud800"],
  ["\ud800", "a"],
];

describe("a cursor with a valid checksum and different content", () => {
  const cursorsOf = (scope: string) => positions.map((position) => encodeCursor(scope, position as never[]));

  it("is refused by every list of items, repositories and entities", async () => {
    for (const cursor of cursorsOf("scan/db_demo/"))
      expect((await owner.post(`${items}/scan`, { cursor })).status).toBe(400);
    for (const cursor of cursorsOf('query/db_demo/["a",null,true,""]'))
      expect((await owner.post(`${items}/query`, { partitionKey: "a", cursor })).status).toBe(400);
    for (const cursor of cursorsOf("repositories/db_demo"))
      expect((await owner.get(`${repositories}?cursor=${cursor}`)).status).toBe(400);
    const made = await owner.post(repositories, { name: "r", entityName: "R", schema: {} });
    const { repositoryId } = made.body as { repositoryId: string };
    const entities = `/api/v1/repositories/${repositoryId}`;
    for (const cursor of cursorsOf(`entities/${repositoryId}/false`))
      expect((await owner.get(`${entities}?cursor=${cursor}`)).status).toBe(400);
    for (const missing of ["first", "last"])
      for (const cursor of cursorsOf(
        `entity-query/${repositoryId}/${JSON.stringify(["a", false, missing, null, null])}`,
      ))
        expect((await owner.post(`${entities}/query`, { sortBy: "a", cursor })).status).toBe(400);
  });
});

describe("an access token that somebody signed", () => {
  const claims = {
    iss: "data-service-emulator",
    sub: "user_demo_owner",
    org: "org_demo_pro",
    exp: 2e9,
  };
  const secret = "not-a-secret-data-service-emulator-1";
  const statusOf = async (payload: object | string) =>
    (await running.client.as(sign(payload, secret, { algorithm: "HS256" })).get("/api/v1/organizations"))
      .status;

  it("is refused for claims of any other form", async () => {
    const odd: readonly unknown[] = [undefined, null, 1, true, [], {}, ["user_demo_owner"]];
    for (const value of odd)
      for (const name of ["sub", "org", "exp"]) {
        if (name === "exp" && value === 1) continue;
        const payload = JSON.stringify({ ...claims, [name]: value });
        expect([name, value, await statusOf(payload)]).toEqual([name, value, 401]);
      }
    expect(await statusOf(JSON.stringify(claims))).toBe(200);
    for (const exp of [-1e15, -1, 0.0001, 1e300, Number.MAX_SAFE_INTEGER])
      expect([exp, await statusOf(JSON.stringify({ ...claims, exp }))]).toEqual([exp, 401]);
    for (const payload of ["null", "1", "[]", '"x"', "{"])
      expect([payload, await statusOf(payload)]).toEqual([payload, 401]);
    expect(await statusOf(JSON.stringify({ ...claims, nbf: "soon", iat: "x" }))).toBe(401);
  });

  it("is refused with a critical header (`crit`)", async () => {
    const critical = { alg: "HS256", crit: ["b64"], b64: true } as jsonwebtoken.JwtHeader;
    const token = sign(claims, secret, { header: critical });
    expect((await running.client.as(token).get("/api/v1/organizations")).status).toBe(401);
  });
});

describe("the portal", () => {
  const portal = "/_emulator/console/portal/org_demo_pro";
  const pageFor = async (from: string) => {
    const url = `${await running.emulator.listen()}${portal}?from=${encodeURIComponent(from)}`;
    const page = await fetch(url);
    return { policy: page.headers.get("content-security-policy") ?? "", text: await page.text() };
  };

  it.each(["http://localhost:3000/", "http://127.0.0.1:8080/a", "http://app.localhost/", "https://[::1]:1/"])(
    "links back to %s",
    async (from) => {
      const { policy, text } = await pageFor(from);
      expect(text).toContain(`href="${from}"`);
      expect(policy).toContain(new URL(from).origin);
    },
  );

  it.each([
    "https://elsewhere.example/",
    "http://localhost.example/",
    "http://127.0.0.1.example/",
    "http://localhost;script-src/",
    "javascript:alert(1)",
  ])("does not link back to another machine: %s", async (from) => {
    const { policy, text } = await pageFor(from);
    expect(`${policy} ${text}`).not.toMatch(/example|alert|localhost;script-src/);
  });
});

describe("a body that needs no credential", () => {
  it("is refused before it is read if it is too large for a login", async () => {
    const body = { email: "owner@demo.test", password: "x".repeat(64 * 1024) };
    expect((await running.client.post("/auth/password", body)).status).toBe(413);
    expect((await owner.put(items, { pk: "a", data: { text: body.password } })).status).toBe(200);
  });
});

describe("the end of time", () => {
  it("is a year after the latest time to which the clock can be set", async () => {
    const { emulator, login, control } = await createTestEmulator();
    const set = (now: string) => control.patch("/_emulator/clock", { now });
    expect((await set("9999-01-01T00:00:00Z")).status).toBe(400);
    expect((await set("9998-12-31T23:59:59.999Z")).status).toBe(200);
    const client = await login("owner@demo.test", "org_demo_pro");
    for (let time = 0; time < 3; time += 1) {
      const put = await client.put(items, { pk: "a", data: {} });
      expect((put.body as { updatedAt: string }).updatedAt).toMatch(/^999[89]-/);
    }
    const made = await client.post("/api/v1/organizations", { name: "At the end" });
    expect(made.text).not.toMatch(/"[+-]?\d{5,}-/);
    await emulator.close();
  });

  it("also limits the machine's clock", async () => {
    const { emulator } = await createTestEmulator({ clock: "system" });
    emulator.clock.set("9998-12-31T23:59:59.999Z");
    expect((await emulator.fetch("/health")).headers.get("date")).toMatch(/9998/);
    expect(emulator.clock.get().now).toBe("9998-12-31T23:59:59.999Z");
    await emulator.close();
  });
});

describe("a connection", () => {
  const url = async () => running.emulator.listen();
  const statusesOf = (answers: string) =>
    [...answers.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);

  it("refuses an expectation other than 100-continue with a problem", async () => {
    const answer = await sendRawBytes(await url(), [
      "POST /auth/password HTTP/1.1\r\nHost: localhost\r\nExpect: a miracle\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}",
    ]);
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 417 [^]*application\/problem\+json/);
    expect(JSON.parse(body)).toMatchObject({
      status: 417,
      detail: expect.stringContaining("Expect") as string,
    });
  });

  it("responds in order even if invalid bytes follow a waiting request", async () => {
    running.emulator.faults.create({
      match: { operationId: "getHealth" },
      effect: { kind: "latency", delayMs: 150 },
    });
    const request = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const answers = await sendRawBytes(await url(), [`${request}${request}\u0001garbage\r\n\r\n`]);
    expect(statusesOf(answers)).toEqual(["200", "200", "400"]);
    running.emulator.faults.clear();
  });

  it("immediately refuses a body that ends in invalid bytes", async () => {
    const answers = await sendRawBytes(await url(), [
      "POST /auth/password HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n",
    ]);
    expect(answers).toMatch(/^HTTP\/1\.1 400 /);
    expect(Buffer.byteLength(answers)).toBeGreaterThan(100);
  });

  it("responds to every request of a client that has half-closed the connection", async () => {
    running.emulator.faults.create({
      match: { operationId: "getHealth" },
      effect: { kind: "latency", delayMs: 50 },
    });
    const request = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const answers = await sendRawBytes(await url(), [request, request], { thenEnd: true });
    expect(statusesOf(answers)).toEqual(["200", "200"]);
    running.emulator.faults.clear();
  });

  it("refuses CONNECT, and responds to earlier requests", async () => {
    const answers = await sendRawBytes(await url(), [
      "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "CONNECT example.test:443 HTTP/1.1\r\nHost: example.test\r\n\r\n",
    ]);
    expect(statusesOf(answers)).toEqual(["200", "400"]);
    expect(answers).toMatch(/tunnel[^]*$/);
  });

  it("a closing emulator does not wait for a body that never arrives", async () => {
    const emulator = await createEmulator();
    const { hostname, port } = new URL(await emulator.listen());
    const socket = connect(Number(port), hostname);
    const ended = once(socket, "close");
    socket.on("error", () => undefined);
    socket.write("POST /auth/password HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{");
    // a response to a later request shows that this request has arrived
    await fetch(`http://${hostname}:${port}/health`);
    await emulator.close();
    await ended;
  });
});
