import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { Hono } from "hono";
import { streamSSE } from "hono/streaming";
import { expect, it, vi } from "vitest";
import { setLimits } from "../testing/set-limits.js";
import { closeServer, listen } from "./listen.js";
import { type Certificate, createSelfSignedCertificate } from "./self-signed-certificate.js";

function serve(app: Parameters<typeof listen>[0], certificate?: Certificate) {
  return listen(app, { port: 0, host: "127.0.0.1", certificate });
}

it("returns a URL that clients can use when it listens on all interfaces", async () => {
  const app = new Hono().get("/", (c) => c.text("hello"));
  const { server, url } = await listen(app, { port: 0, host: "0.0.0.0" });
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await (await fetch(url)).text()).toBe("hello");
  await closeServer(server);
});

it("closes five seconds after it was told to, although a handler never answers", async () => {
  const app = new Hono().get("/", () => new Promise<Response>(() => undefined));
  const { server, url } = await serve(app);
  const request = fetch(url);
  await once(server, "request");
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const closed = closeServer(server);
  vi.advanceTimersByTime(5000);
  vi.useRealTimers();
  await closed;
  await expect(request).rejects.toThrow("fetch failed");
});

it("allows a client a minute to read a response, and more until its next request", async () => {
  const app = new Hono().get("/large", (c) => c.body("x".repeat(32 * 1024 * 1024)));
  const { server, url } = await serve(app);
  let accepted: Socket | undefined;
  server.on("connection", (socket: Socket) => (accepted = socket));
  const client = connect(Number(new URL(url).port), "127.0.0.1").pause();
  client.write("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await expect.poll(() => accepted?.timeout).toBe(60_000);
  client.resume();
  await expect.poll(() => accepted?.timeout).toBeGreaterThan(100_000);
  client.destroy();
  await closeServer(server);
});

it("ends the connections with the oldest unread responses if there are too many bytes", async () => {
  setLimits({ unreadBytes: 80 * 1024 * 1024 });
  const app = new Hono().get("/large", (c) => c.body("x".repeat(32 * 1024 * 1024)));
  const { server, url } = await serve(app);
  const accepted: Socket[] = [];
  server.on("connection", (socket: Socket) => void accepted.push(socket));
  const clients: Socket[] = [];
  const isEnded = () => accepted.map(({ destroyed }) => destroyed);
  for (const expected of [[false], [false, false], [true, false, false], [true, true, false, false]]) {
    const client = connect(Number(new URL(url).port), "127.0.0.1").pause();
    client.on("error", () => undefined);
    clients.push(client);
    client.write("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await expect.poll(() => accepted.at(expected.length - 1)?.timeout).toBe(60_000);
    expect(isEnded()).toEqual(expected);
  }
  clients.forEach((client) => client.destroy());
  await closeServer(server);
});

it("does not wait for a client that stopped reading events", async () => {
  const app = new Hono().get("/live", (c) =>
    streamSSE(c, async (stream) => {
      while (!stream.aborted) await stream.writeSSE({ data: "x".repeat(1024 * 1024) });
    }),
  );
  const { server, url } = await serve(app);
  let accepted: Socket | undefined;
  server.on("connection", (socket: Socket) => (accepted = socket));
  const client = connect(Number(new URL(url).port), "127.0.0.1").pause();
  client.on("error", () => undefined);
  client.write("GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await expect.poll(() => accepted?.writableLength).toBeGreaterThan(0);
  await closeServer(server);
  client.destroy();
});

it("ends a stream of events that a client reads when it closes", async () => {
  const app = new Hono().get("/live", (c) =>
    streamSSE(c, async (stream) => {
      await stream.writeSSE({ data: "first" });
      await new Promise<void>((resolve) => stream.onAbort(resolve));
    }),
  );
  const { server, url } = await serve(app);
  const reader = (await fetch(`${url}/live`)).body?.getReader();
  await reader?.read();
  const rest = reader?.read();
  await closeServer(server);
  await expect(rest).rejects.toThrow("terminated");
});

it.each(["http", "https"])("answers a request that is arriving by %s when it closes", async (scheme) => {
  const app = new Hono().put("/echo", async (c) => c.text(await c.req.text()));
  const isTls = scheme === "https";
  const { server, url } = await serve(app, isTls ? createSelfSignedCertificate(["127.0.0.1"]) : undefined);
  const accepted: Socket[] = [];
  server.on(isTls ? "secureConnection" : "connection", (socket: Socket) => void accepted.push(socket));
  const at = { port: Number(new URL(url).port), host: "127.0.0.1" };
  const open = () => (isTls ? connectTls({ ...at, rejectUnauthorized: false }) : connect(at));
  const request = "PUT /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nok";
  const half = request.slice(0, 30);
  const [first, next] = [open(), open()];
  const received = [first, next].map((client) => text(client));
  next.write(request);
  await once(next, "data");
  for (const client of [first, next]) client.write(half);
  const countBytes = () => accepted.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  await expect.poll(countBytes).toBe(request.length + 2 * half.length);
  const closed = closeServer(server);
  // by this time, idle connections have been closed
  await delay(50);
  for (const client of [first, next]) client.write(request.slice(half.length));
  const counts = (await Promise.all(received)).map((answers) => answers.match(/\r\n\r\nok/g)?.length);
  expect(counts).toEqual([1, 2]);
  await closed;
});

it("closes idle connections at once, also after a request whose body came later than its response", async () => {
  const app = new Hono().put("/none", (c) => c.text("ok"));
  const { server, url } = await serve(app);
  let accepted: Socket | undefined;
  server.once("connection", (socket: Socket) => (accepted = socket));
  const client = connect(Number(new URL(url).port), "127.0.0.1");
  const head = "PUT /none HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n";
  client.write(head);
  await once(client, "data");
  client.write("ok");
  await expect.poll(() => accepted?.bytesRead).toBe(head.length + 2);
  const silent = connect(Number(new URL(url).port), "127.0.0.1");
  await once(silent, "connect");
  const started = performance.now();
  await closeServer(server);
  expect(performance.now() - started).toBeLessThan(900);
  for (const one of [client, silent]) one.destroy();
});
