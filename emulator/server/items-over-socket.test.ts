import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createEmptyDatabase, type ItemsClient } from "../testing/items-client.js";
import { useTestEmulator } from "../testing/use-test-emulator.js";

interface RawAnswer {
  readonly status: number | undefined;
  readonly text: string;
}

/** A request whose target is sent unchanged, without the normalization of URL parsers. */
interface RawRequest {
  readonly method?: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The parts of the body, each sent as a separate chunk. */
  readonly chunks?: readonly (string | Buffer)[];
}

describe("items over a socket", () => {
  const largest = 5 * 1024 * 1024;
  const running = useTestEmulator({ over: "socket", profile: { "request-bytes-max": largest } });
  let items: ItemsClient;
  let base: URL;
  let token: string;
  beforeAll(async () => {
    base = new URL(running.emulator.url ?? "");
    token = (await running.tokens("owner@demo.test", "org_demo_enterprise")).accessToken;
  });
  beforeEach(async () => {
    running.emulator.reset();
    items = await createEmptyDatabase(running);
  });

  const send = ({ method = "GET", target, headers = {}, chunks = [] }: RawRequest) =>
    new Promise<RawAnswer>((resolve, reject) => {
      const authorization = { Authorization: `Bearer ${token}` };
      const content = chunks.length === 0 ? {} : { "Content-Type": "application/json" };
      const outgoing = request(
        {
          host: base.hostname,
          port: base.port,
          method,
          path: target,
          headers: { ...authorization, ...content, ...headers },
        },
        (incoming) => {
          const parts: Buffer[] = [];
          incoming.on("data", (part: Buffer) => parts.push(part));
          incoming.on("error", reject);
          incoming.on("end", () =>
            resolve({ status: incoming.statusCode, text: Buffer.concat(parts).toString() }),
          );
        },
      );
      outgoing.on("error", reject);
      for (const chunk of chunks) outgoing.write(chunk);
      outgoing.end();
    });

  it("[ITEM-01] [ITEM-12] [ITEM-15] [ITEM-28] puts, gets, queries, scans and deletes", async () => {
    const put = await items.put("a/b", "c?d", { n: 1 });
    expect(put.status).toBe(200);
    expect(put.headers.get("content-type")).toBe("application/json");
    expect(put.headers.get("content-length")).toBe(String(Buffer.byteLength(put.text)));
    expect((await items.get("a/b", "c?d")).body).toMatchObject({ pk: "a/b", sk: "c?d", data: { n: 1 } });
    expect(await items.sortKeys("a/b", "begins_with:c?")).toEqual(["c?d"]);
    expect((await items.scan()).body).toMatchObject({ count: 1 });
    const gone = await items.delete("a/b", "c?d");
    expect([gone.status, gone.text]).toEqual([204, ""]);
    expect((await items.get("a/b", "c?d")).status).toBe(404);
  });

  it("[ITEM-09] returns data as it was put, by get, query and scan", async () => {
    const data = '{"10":1.0,"1":9007199254740993,"__proto__":{"é😀":"\\u0000"},"v":-0}';
    const rawBody = `{"pk":"p","data":${data}}`;
    expect((await items.client.request("PUT", items.root, { rawBody })).status).toBe(200);
    expect((await items.get("p")).text).toContain(`"data":${data},`);
    expect((await items.query({ partitionKey: "p" })).text).toContain(`"data":${data}}`);
    expect((await items.scan()).text).toContain(`"data":${data}}`);
  });

  it("[ITEM-11] accepts keys of dots if the raw target has them percent-encoded", async () => {
    for (const [pk, sk] of [
      ["..", null],
      [".", null],
      ["..", "."],
      [".", ".."],
      ["a", ".."],
      ["../..", null],
    ] as const) {
      await items.put(pk, sk, { of: [pk, sk] });
      const encoded = [pk, ...(sk === null ? [] : [sk])].map((key) =>
        encodeURIComponent(key).replaceAll(".", "%2E"),
      );
      const target = `${items.root}/${encoded.join("/")}`;
      const found = await send({ target });
      expect([found.status, JSON.parse(found.text)]).toMatchObject([200, { pk, sk, data: { of: [pk, sk] } }]);
      expect((await send({ target: target.replaceAll("%2E", "%2e") })).status).toBe(200);
      expect((await send({ method: "DELETE", target })).status).toBe(204);
      expect((await send({ target })).status).toBe(404);
    }
    expect((await items.scan()).body).toMatchObject({ count: 0 });
  });

  it("resolves no dots in a target, even after two slashes", async () => {
    for (const prefix of ["/..", "/.", "//..", "//.", "//x/..", "///.."])
      expect([prefix, (await send({ target: `${prefix}/health` })).status]).toEqual([prefix, 404]);
  });

  it("[ITEM-11] decodes an escape once, and an escaped slash separates nothing", async () => {
    await items.put("%2F", null, { of: "escape" });
    await items.put("/", null, { of: "slash" });
    await items.put("a", "b", { of: "both" });
    await items.put("a/b", null, { of: "one" });
    const data = async (path: string) =>
      (JSON.parse((await send({ target: items.root + path })).text) as { data: { of: string } }).data.of;
    expect(await data("/%252F")).toBe("escape");
    expect(await data("/%2F")).toBe("slash");
    expect(await data("/%2f")).toBe("slash");
    expect(await data("/a/b")).toBe("both");
    expect(await data("/a%2Fb")).toBe("one");
    expect(await data("/%61/%62")).toBe("both");
  });

  it("[ITEM-11] accepts U+0000, emoji, quotes, plus signs and __proto__ in the path", async () => {
    for (const pk of ["\u0000", "a\u0000b", "😀", '"', "'", "a+b", "a b", "__proto__", "#", "?", "%", "%%"]) {
      await items.put(pk, pk, { pk });
      expect((await items.get(pk, pk)).body).toMatchObject({ pk, sk: pk, data: { pk } });
    }
  });

  it("refuses escapes that are not UTF-8 with a problem body", async () => {
    await items.put("%FF", null, {});
    for (const escape of ["%FF", "%C3%28", "%ED%A0%80", "%zz", "%"]) {
      const refused = await send({ target: `${items.root}/${escape}` });
      expect([refused.status, JSON.parse(refused.text)], escape).toMatchObject([
        400,
        { status: 400, type: "https://data-service.example/problems/malformed-request" },
      ]);
    }
    expect((await send({ target: `${items.root}/%25FF` })).status).toBe(200);
  });

  it("accepts targets in absolute form, as proxies send them", async () => {
    await items.put("..", null, { through: "proxy" });
    for (const origin of [base.origin, "http://data-service.example", "https://data-service.example:8443"]) {
      const found = await send({ target: `${origin}${items.root}/%2E%2E` });
      expect([found.status, JSON.parse(found.text)]).toMatchObject([200, { data: { through: "proxy" } }]);
    }
  });

  it("[ITEM-01] accepts a body in chunks that split characters", async () => {
    const body = Buffer.from('{"pk":"é😀","data":{"v":"é😀"}}');
    const chunks = [...body].map((byte) => Buffer.from([byte]));
    const put = await send({ method: "PUT", target: items.root, chunks });
    expect([put.status, JSON.parse(put.text)]).toMatchObject([200, { pk: "é😀" }]);
    expect((await items.get("é😀")).text).toContain('"data":{"v":"é😀"}');
  });

  it("refuses a body over the limit, in one piece or in chunks, and keeps serving", async () => {
    const start = '{"pk":"k","data":{}}';
    const body = (bytes: number) => Buffer.from(start + " ".repeat(bytes - start.length));
    const halves = (whole: Buffer) => [whole.subarray(0, 500_000), whole.subarray(500_000)];
    const declared = (whole: Buffer) => ({ "Content-Length": String(whole.length) });
    const put = (whole: Buffer, isDeclared: boolean) =>
      send({
        method: "PUT",
        target: items.root,
        chunks: halves(whole),
        headers: isDeclared ? declared(whole) : { "Transfer-Encoding": "chunked" },
      });
    for (const isDeclared of [true, false]) {
      const refused = await put(body(largest + 1), isDeclared);
      expect([refused.status, JSON.parse(refused.text)]).toMatchObject([413, { status: 413 }]);
      expect((await items.get("k")).status).toBe(404);
      expect((await put(body(largest), isDeclared)).status).toBe(200);
      expect((await items.delete("k")).status).toBe(204);
    }
    expect((await put(body(3 * largest), false)).status).toBe(413);
  });

  it("[ITEM-07] an aborted request writes nothing and leaves the emulator running", async () => {
    const body = '{"pk":"k","data":{}}';
    await new Promise<void>((resolve) => {
      const socket = connect(Number(base.port), base.hostname, () => {
        socket.write(
          `PUT ${items.root} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
            `Content-Type: application/json\r\nContent-Length: ${body.length + 1}\r\n\r\n${body}`,
          () => socket.destroy(),
        );
      });
      socket.on("close", () => resolve());
    });
    expect((await items.scan()).body).toMatchObject({ count: 0 });
  });

  it("[ITEM-08] responds to a Put without a body, with any Content-Length", async () => {
    for (const headers of [{}, { "Content-Length": "0" }, { "Transfer-Encoding": "chunked" }]) {
      const refused = await send({ method: "PUT", target: items.root, headers });
      expect([refused.status, JSON.parse(refused.text)]).toMatchObject([400, { errors: [{ in: "body" }] }]);
    }
  });

  it("responds while the timers of the process are faked", async () => {
    vi.useFakeTimers();
    try {
      expect(await send({ target: `${items.root}/none` })).toMatchObject({ status: 404 });
    } finally {
      vi.useRealTimers();
    }
  });

  it("responds in order to pipelined requests", async () => {
    const targets = [items.root, `${items.root}/none`, "/health", `${items.root}/none`, "/nowhere"];
    const statuses = await new Promise<string[]>((resolve, reject) => {
      const socket = connect(Number(base.port), base.hostname, () => {
        const heads = targets.map((target, index) => {
          const last = index === targets.length - 1 ? "Connection: close\r\n" : "";
          return `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n${last}\r\n`;
        });
        socket.write(heads.join(""));
      });
      let text = "";
      socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
      socket.on("error", reject);
      socket.on("close", () => resolve(text.match(/(?<=HTTP\/1\.1 )\d+/g) ?? []));
    });
    expect(statuses).toEqual(["405", "404", "200", "404", "404"]);
  });

  it("begins a pipelined request when the response before it has been read", async () => {
    const { journal } = running.emulator;
    const text = "x".repeat(390_000);
    for (let sk = 0; sk < 75; sk += 1) await items.put("pages", `${sk}`, { text });
    journal.clear();
    const body = JSON.stringify({ partitionKey: "pages", limit: 75 });
    const head = `POST ${items.root}/query HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    const request = (last: boolean) => `${head}${last ? "Connection: close\r\n" : ""}\r\n${body}`;
    const count = () => journal.entries({ operationId: "queryItems" }).length;
    const socket = connect(Number(base.port), base.hostname).pause();
    socket.write(`${request(false).repeat(4)}${request(true)}`);
    await expect.poll(count).toBe(1);
    for (let time = 0; time < 20; time += 1) await fetch(`${base.href}health`);
    expect(count()).toBe(1);
    socket.resume();
    await once(socket, "close");
    expect(count()).toBe(5);
    const gone = connect(Number(base.port), base.hostname).pause();
    gone.write(request(false).repeat(5));
    await expect.poll(count).toBe(6);
    gone.destroy();
    for (let time = 0; time < 20; time += 1) await fetch(`${base.href}health`);
    // the server may notice the end of the connection during the next request
    expect(count()).toBeLessThan(8);
  });

  it("closes a connection with too many pipelined requests behind a response that takes long", async () => {
    const health = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const long = health.replace("\r\n\r\n", `\r\nX-Long: ${"x".repeat(12_000)}\r\n\r\n`);
    for (const waiting of [health.repeat(20_000), long.repeat(200)]) {
      const events = connect(Number(base.port), base.hostname).resume();
      const closed = new Promise((resolve) => events.on("close", resolve));
      events.on("error", () => undefined);
      events.write(health.replace("/health", "/_emulator/console/traffic/live"));
      events.write(waiting);
      await closed;
    }
    const answered = connect(Number(base.port), base.hostname);
    let text = "";
    answered.on("data", (chunk: Buffer) => (text += chunk.toString()));
    answered.write(health.repeat(5000));
    await expect.poll(() => text.match(/HTTP\/1.1 200/g)?.length).toBe(5000);
    answered.destroy();
  });

  it("names the allowed methods after a wrong one", async () => {
    const wrong = await items.client.patch(`${items.root}/a/b`, {});
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "DELETE, GET, HEAD"]);
    const head = await items.client.request("HEAD", `${items.root}/a/b`);
    expect([head.status, head.text]).toEqual([404, ""]);
  });
});
