import { connect, type Socket } from "node:net";
import { Hono } from "hono";
import { streamSSE } from "hono/streaming";
import { expect, it } from "vitest";
import { setLimits } from "../testing/set-limits.js";
import { closeServer, listen } from "./listen.js";

function serve(app: Parameters<typeof listen>[0]) {
  return listen(app, { port: 0, host: "127.0.0.1", overrideGlobalObjects: false });
}

it("gives a client a minute to read a response, and then waits for its next request", async () => {
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

it("does not wait for a client that has stopped reading events", async () => {
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
