import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RawResponse, createRequestSender } from "./send-request.js";

const large = "ä".repeat(100_000);

/** Responses of a deployment, by the last segment of the path. */
const answers: Readonly<Record<string, (outgoing: ServerResponse, incoming: IncomingMessage) => void>> = {
  json: (outgoing) => outgoing.writeHead(200, { "Content-Type": "application/json" }).end('{"a":1}'),
  nothing: (outgoing) => outgoing.writeHead(204).end(),
  chunks: (outgoing) => {
    const bytes = Buffer.from(large);
    // between the bytes of a character
    outgoing.write(bytes.subarray(0, 33_333));
    outgoing.end(bytes.subarray(33_333));
  },
  "broken text": (outgoing) => outgoing.end(Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xff, 0xc3])),
  "many headers": (outgoing) => {
    outgoing.setHeader("X-Two", ["one", "two"]);
    outgoing.setHeader("Content-Type", ["text/a", "text/b"]);
    outgoing.end("x");
  },
  "inherited names": (outgoing) => outgoing.writeHead(200, ["constructor", "x", "__proto__", "y"]).end("x"),
  "huge body": (outgoing) => outgoing.end(Buffer.alloc(80 * 1024 * 1024)),
  "too large": (outgoing, incoming) => {
    outgoing.writeHead(413).end("too large", () => incoming.destroy());
  },
  "too large, closing": (outgoing, incoming) => {
    outgoing.writeHead(413, { Connection: "close" }).end("too large", () => incoming.destroy());
  },
  redirect: (outgoing) => outgoing.writeHead(302, { Location: "/json" }).end(),
  "what was sent": (outgoing, incoming) => {
    const { method, url, headers } = incoming;
    const bodies: Buffer[] = [];
    incoming.on("data", (bytes: Buffer) => bodies.push(bytes));
    incoming.on("end", () => {
      const { authorization, "content-type": type, "content-length": length } = headers;
      outgoing.end(
        JSON.stringify([method, url, authorization, type, length, Buffer.concat(bodies).toString()]),
      );
    });
  },
  "cut off": (outgoing) => {
    outgoing.writeHead(200, { "Content-Length": "10" }).write("12345");
    setTimeout(() => outgoing.destroy(), 20);
  },
  "no answer": (outgoing) => outgoing.destroy(),
  encoding: (outgoing, incoming) => outgoing.end(incoming.headers["accept-encoding"]),
  silence: () => undefined,
  "silence after the head": (outgoing) => outgoing.writeHead(200).write("1"),
  "another protocol": (outgoing) =>
    outgoing.socket?.end("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"),
  "no protocol": (outgoing) => outgoing.socket?.end("SSH-2.0-server\r\n"),
};

let server: Server;
let base: string;

beforeAll(async () => {
  server = createServer((incoming, outgoing) => {
    const name = decodeURIComponent(new URL(incoming.url ?? "", "http://x").pathname.slice(1));
    answers[name]?.(outgoing, incoming);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const short = createRequestSender(globalThis.fetch);
const byFetch = createRequestSender((url, init) => fetch(url, init));

/** Returns a response without the headers that belong to the connection. */
function omitConnectionHeaders({ status, headers, text }: RawResponse) {
  const { connection, "keep-alive": alive, date, "transfer-encoding": transfer, ...rest } = headers;
  return { status, headers: rest, text, ofConnection: [connection, alive, date, transfer].length };
}

async function getOutcome(send: typeof short, path: string, method: string, body?: string) {
  const headers = { Authorization: "Bearer x", ...(body === undefined ? {} : { "Content-Type": "text/x" }) };
  const timeoutMs = path.includes("silence") ? 100 : 60_000;
  try {
    return omitConnectionHeaders(await send(`${base}/${path}`, { method, headers, body, timeoutMs }));
  } catch (error) {
    return error instanceof Error && error.name === "TimeoutError" ? "too late" : "failed";
  }
}

describe.each([
  ["the shorter way", short],
  ["fetch", byFetch],
])("a body that the server does not read, by %s", (_, send) => {
  const sent = { method: "POST", headers: {}, timeoutMs: 60_000 };

  it.each([200_000, 20_000_000])(
    "returns the response and does not affect later requests: %i bytes",
    async (bytes) => {
      for (const name of ["too large", "too large, closing"])
        for (let time = 0; time < 5; time++) {
          const early = await send(`${base}/${name}`, { ...sent, body: "x".repeat(bytes) });
          expect(early).toMatchObject({ status: 413, text: "too large" });
          expect(await send(`${base}/json`, { ...sent, body: "x" })).toMatchObject({ status: 200 });
        }
    },
  );

  it("fails if the server closes the connection", async () => {
    await expect(send(`${base}/no answer`, { ...sent, body: "x".repeat(20_000_000) })).rejects.toThrow();
    expect(await send(`${base}/json`, { ...sent, body: "x" })).toMatchObject({ status: 200 });
  });
});

describe("requests to loopback", () => {
  it.each(Object.keys(answers).filter((name) => name !== "encoding"))(
    "give the same result as fetch: %s",
    async (name) => {
      const path = encodeURIComponent(name);
      const requests = [["GET"], ["HEAD"], ["POST", "ä"], ["PUT", ""], ["DELETE"], ["DELETE", "ä"]] as const;
      for (const [method, body] of requests) {
        // a response that never ends has no end after HEAD either
        if (method === "HEAD" && name === "cut off") continue;
        // slow responses are the same for all methods
        if (method !== "GET" && /silence|huge/.test(name)) continue;
        expect(await getOutcome(short, path, method, body)).toEqual(
          await getOutcome(byFetch, path, method, body),
        );
      }
    },
  );

  it("send the path as given, except for URL normalization", async () => {
    for (const path of ["a/../json", "json?x=%20&y", "json?ü", "%6Ason"])
      expect(await getOutcome(short, path, "GET")).toEqual(await getOutcome(byFetch, path, "GET"));
  });

  it("ask for a response without compression", async () => {
    const { text } = await short(`${base}/encoding`, {
      method: "GET",
      headers: {},
      body: undefined,
      timeoutMs: 60_000,
    });
    expect(text).toBe("identity");
  });

  it("give the reason for a missing response, as fetch does", async () => {
    const gone = { method: "GET", headers: {}, body: undefined, timeoutMs: 60_000 };
    await expect(short("http://127.0.0.1:1/", gone)).rejects.toThrow(/ECONNREFUSED|bad port/);
  });
});
