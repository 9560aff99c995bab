import type { IncomingMessage } from "node:http";
import type { Context, MiddlewareHandler } from "hono";
import { describe, expect, it } from "vitest";
import type { EmulatorOptions } from "../../../emulator/api/emulator.js";
import { tryTo } from "../../../openapi/text/try-to.js";
import { type FuzzFinding, fuzzRound, replayFinding } from "./fuzz-round.js";

const patience = 600_000;

type Middleware = NonNullable<EmulatorOptions["middleware"]>[number];

const isAt = (c: Context, pattern: RegExp) => pattern.test(c.req.path);
const isRejected = (c: Context) => c.res.status >= 400;

/** Replaces the response if a condition is met. */
const replace =
  (
    isReplaced: (c: Context) => boolean,
    change: (text: string) => string,
    status?: number,
  ): MiddlewareHandler =>
  async (c, next) => {
    await next();
    if (!isReplaced(c)) return;
    const body = change(await c.res.text());
    const headers = new Headers(c.res.headers);
    headers.delete("content-length");
    c.res = new Response(body, { status: status ?? c.res.status, headers });
  };

/** Visits all values in the JSON body of a request about items. */
const visit =
  (look: (name: string, value: unknown) => void): MiddlewareHandler =>
  async (c, next) => {
    const text = isAt(c, /\/items/) ? await c.req.text() : "";
    const values: [name: string, value: unknown][] = [];
    tryTo(() => {
      JSON.parse(text, (name, value: unknown) => {
        values.push([name, value]);
        return value;
      });
    });
    for (const [name, value] of values) look(name, value);
    await next();
  };

/** Sends another request, without this middleware, to the port on which a request arrived. */
async function sendToSamePort(c: Context, path: string): Promise<void> {
  const { incoming } = c.env as { readonly incoming: IncomingMessage };
  await fetch(`http://127.0.0.1:${incoming.socket.localPort}${path}/api/v1/databases/db_demo/items`, {
    method: "PUT",
    headers: {
      Authorization: "Bearer dsk_demo_all",
      "Content-Type": "application/json",
      "X-Planted": "1",
    },
    body: JSON.stringify({ pk: "planted", data: {} }),
  });
}

const sendOnce =
  (isSent: (c: Context) => boolean, path: string): MiddlewareHandler =>
  async (c, next) => {
    await next();
    if (c.req.header("X-Planted") === undefined && isSent(c)) await sendToSamePort(c, path);
  };

let count = 0;

/** Faults with the message of the expected finding. */
const faults: readonly (readonly [title: string, message: RegExp, fault: MiddlewareHandler])[] = [
  [
    "answers 500",
    /status of 500/,
    replace(
      (c) => isAt(c, /\/sql\/query/) && isRejected(c),
      (text) => text,
      500,
    ),
  ],
  [
    "throws for a rare value",
    /internal-error/,
    visit((name, value) => {
      if (name === "sk" && /[\u200b-\u200f\u202e]/.test(String(value))) throw new Error("planted");
    }),
  ],
  [
    "rejects without a documented body",
    /violates the contract|no operation/,
    replace(
      (c) => isAt(c, /\/items/) && isRejected(c),
      () => '{"oops":true}',
    ),
  ],
  [
    "omits a required field",
    /createRepository returned 201, which violates the contract/,
    replace(
      (c) => isAt(c, /\/repositories$/) && c.res.status === 201,
      (text) => text.replace("createdAt", "made"),
    ),
  ],
  [
    "loses a connection",
    /got no response/,
    async (c, next) => {
      if (isAt(c, /\/payment\/portal/)) (c.env as { incoming: IncomingMessage }).incoming.socket.destroy();
      await next();
    },
  ],
  [
    "takes 300 ms of CPU time for a long array of an item",
    /took \d+ ms of CPU time/,
    visit((_, value) => {
      if (!Array.isArray(value) || value.length < 1000) return;
      const start = process.cpuUsage();
      while (process.cpuUsage(start).user < 300_000);
    }),
  ],
  [
    "responds differently each time",
    /different responses on equal emulators/,
    replace(
      (c) => isAt(c, /\/items\//) && !isRejected(c),
      (text) => `${text}${" ".repeat((count += 1))}`,
    ),
  ],
  [
    "changes data when it rejects",
    /was rejected with \d+ but changed data/,
    sendOnce((c) => c.req.method !== "GET" && isRejected(c), "/ns/fuzz"),
  ],
  [
    "changes another namespace",
    /another namespace has changed/,
    sendOnce((c) => isAt(c, /\/items/), "/ns/bystander"),
  ],
];

describe("npm run fuzz", () => {
  it.each(faults)("finds an emulator that %s", { timeout: patience }, async (_, message, fault) => {
    const { finding, sent } = await fuzzRound({ seed: 0, sequences: 40, middleware: [fault as Middleware] });
    expect(finding?.message).toMatch(message);
    expect(sent).toBeLessThan(2000);
    // few requests reproduce the finding
    expect(finding?.requests.length).toBeLessThan(10);
    const file = JSON.stringify(finding);
    const replayed = await replayFinding(JSON.parse(file) as FuzzFinding, [fault as Middleware]);
    expect(replayed).toMatch(message);
  });

  it("finds nothing in an emulator without faults", { timeout: patience }, async () => {
    const { finding, sent, accepted } = await fuzzRound({ seed: 16, sequences: 10 });
    expect(finding).toBeUndefined();
    expect(accepted).toBeGreaterThan(sent / 4);
  });
});
