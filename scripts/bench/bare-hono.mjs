/** A Hono server that does nothing but respond: an upper bound for the speed of the emulator. */
import { serve } from "@hono/node-server";
import { Hono } from "hono";

const app = new Hono();
/** @type {Map<string, string>} */
const answers = new Map();
// the benchmark sets the bytes of the answer
app.put("/answers/:name", async (c) => {
  answers.set(c.req.param("name"), await c.req.text());
  return c.body(null, 204);
});
const answer = (c) =>
  c.body(answers.get(c.req.param("name")) ?? "{}", 200, { "Content-Type": "application/json" });
app.get("/read/:name", answer);
app.post("/write/:name", async (c) => {
  await c.req.text();
  return answer(c);
});
app.get("/health", (c) => c.json({ status: "Healthy" }));

serve({ fetch: app.fetch, port: Number(process.argv[2] ?? 0), hostname: "127.0.0.1" }, ({ port }) =>
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` })),
);
