import { describe, expect, it } from "vitest";
import { emulatorLimits } from "../memory/limits.js";
import { readBytes } from "./read-bytes.js";

const large = 400 * 1024 * 1024;
const refused = { kind: "limit-reached" };

/** Creates a body that ends when `end` is called. */
function createOpenBody(length: number) {
  let end: () => void = () => undefined;
  const received = new Promise<ArrayBuffer>((resolve) => (end = () => resolve(new ArrayBuffer(3))));
  const headers = new Headers({ "content-length": String(length) });
  return { end, headers, body: null, arrayBuffer: () => received };
}

/** Creates a body whose chunks all share the same memory. */
function createChunkedBody(chunks: number, bytes: Uint8Array) {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => (sent++ < chunks ? controller.enqueue(bytes) : controller.close()),
  });
  return {
    headers: new Headers({ "transfer-encoding": "chunked" }),
    body,
    arrayBuffer: () => Promise.resolve(new ArrayBuffer(0)),
  };
}

it("reads no more of a body of unknown length than is allowed", async () => {
  const { body } = createChunkedBody(Infinity, new Uint8Array(600_000));
  const endless = { headers: new Headers(), body, arrayBuffer: () => new Response(body).arrayBuffer() };
  await expect(readBytes(endless, 2e6)).rejects.toMatchObject({ kind: "request-too-large" });
});

describe("the bodies that are being received", () => {
  it("are limited together, unless they are small", async () => {
    const first = createOpenBody(large);
    const reading = readBytes(first, emulatorLimits.uploadBytes);
    await expect(readBytes(createOpenBody(large), emulatorLimits.uploadBytes)).rejects.toMatchObject(refused);
    const rest = createOpenBody(emulatorLimits.receivedBytes - large);
    const readingRest = readBytes(rest, emulatorLimits.uploadBytes);
    const small = createOpenBody(1024 * 1024);
    small.end();
    expect((await readBytes(small, 2e6)).length).toBe(3);
    const chunk = new Uint8Array(600_000);
    expect((await readBytes(createChunkedBody(1, chunk), 2e6)).length).toBe(600_000);
    await expect(readBytes(createChunkedBody(2, chunk), 2e6)).rejects.toMatchObject(refused);
    first.end();
    await reading;
    expect((await readBytes(createChunkedBody(2, chunk), 2e6)).length).toBe(1_200_000);
    rest.end();
    await readingRest;
  });

  it("are forgotten when they fail", async () => {
    for (let time = 0; time < 3; time += 1) {
      const broken = { ...createOpenBody(large), arrayBuffer: () => Promise.reject(new Error("ended")) };
      await expect(readBytes(broken, large)).rejects.toMatchObject({ kind: "malformed-request" });
    }
    for (const length of ["x", "-5"]) {
      const odd = { ...createOpenBody(1), headers: new Headers({ "content-length": length }) };
      odd.end();
      await readBytes(odd, 10);
    }
    const after = createOpenBody(large);
    after.end();
    expect((await readBytes(after, large)).length).toBe(3);
  });
});
