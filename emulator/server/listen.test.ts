import { connect, type Socket } from "node:net";
import { Hono } from "hono";
import { expect, it } from "vitest";
import { closeServer, listen } from "./listen.js";

it("gives a client a minute to read a response, and then waits for its next request", async () => {
  const app = new Hono().get("/large", (c) => c.body("x".repeat(32 * 1024 * 1024)));
  const { server, url } = await listen(app, {
    port: 0,
    host: "127.0.0.1",
    overrideGlobalObjects: false,
  });
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
