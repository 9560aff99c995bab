import { Agent, type IncomingMessage, request } from "node:http";
import { constants, createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Fetch } from "./exchange.js";

/** A request to send. */
export interface OutgoingRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Time after which the request counts as unanswered, in milliseconds. */
  readonly timeoutMs: number;
}

/** A complete response. */
export interface RawResponse {
  readonly status: number;
  /** By lower-case name; repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * Sends a request.
 *
 * @throws Error named `TimeoutError` when the time limit is reached; any other error when the connection fails
 */
export type SendRequest = (url: string, sent: OutgoingRequest) => Promise<RawResponse>;

/** Creates a function that sends requests with `fetch`; the global `fetch` is bypassed for requests to this machine. */
export function createRequestSender(fetch: Fetch): SendRequest {
  const byFetch = sendByFetch(fetch);
  if (fetch !== globalThis.fetch) return byFetch;
  return (url, sent) => (isLoopback(url) ? sendByHttp(url, sent) : byFetch(url, sent));
}

function sendByFetch(fetch: Fetch): SendRequest {
  return async (url, { method, headers, body, timeoutMs }) => {
    const response = await fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await readBoundedText(response);
    return { status: response.status, headers: Object.fromEntries(response.headers), text };
  };
}

/** Whether a URL leads to this machine, without TLS. */
export function isLoopback(url: string): boolean {
  return /^http:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])[:/]/i.test(url);
}

// a server that says nothing of it closes idle connections after five seconds at the earliest
const agent = new Agent({ keepAlive: true, timeout: 4000 });

/** Sends with Node's own client, because `fetch` creates streams and signals that take longer than the emulator's answer. */
function sendByHttp(
  url: string,
  { method, headers, body, timeoutMs }: OutgoingRequest,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, method, headers: { Accept: "*/*", ...headers } }, (incoming) => {
      // a server that answers before it has read all may never read the rest, or hang up on it
      const isEarly = !outgoing.writableFinished || incoming.statusCode === 413;
      if (isEarly) outgoing.shouldKeepAlive = false;
      receive(incoming, method)
        .finally(() => isEarly && outgoing.destroy())
        .then(resolve, fail);
    });
    const timer = setTimeout(() => {
      fail(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
    }, timeoutMs);
    function fail(error: Error): void {
      reject(error);
      outgoing.destroy();
    }
    outgoing.on("error", fail);
    // also where a server begins to speak another protocol
    outgoing.on("close", () => {
      clearTimeout(timer);
      if (!answered) fail(new Error("the connection was closed without a response"));
    });
    let answered = false;
    outgoing.on("response", () => (answered = true));
    outgoing.end(body);
  });
}

async function receive(incoming: IncomingMessage, method: string): Promise<RawResponse> {
  // a header may be called like a property of every object
  const headers = new Map<string, string>();
  const { rawHeaders, statusCode: status = 0 } = incoming;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? "").toLowerCase();
    const value = rawHeaders[at + 1] ?? "";
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  const reader = new TextReader();
  const hasBody = method !== "HEAD" && ![204, 205, 304].includes(status);
  const encoding = hasBody ? headers.get("content-encoding") : undefined;
  for await (const bytes of decompress(incoming, encoding)) reader.add(bytes as Uint8Array);
  return { status, headers: Object.fromEntries(headers), text: reader.end() };
}

/** Decompresses a response as `fetch` would, although the suite does not request compression. */
function decompress(incoming: IncomingMessage, encoding: string | undefined): NodeJS.ReadableStream {
  const make = unpackers.get(encoding?.toLowerCase() ?? "");
  if (make === undefined) return incoming;
  const stream = make();
  incoming.on("error", (error) => stream.destroy(error));
  return incoming.pipe(stream);
}

const unpackers = new Map<string, () => ReturnType<typeof createGunzip>>([
  ["gzip", createGunzipStream],
  ["x-gzip", createGunzipStream],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

/** Options as lenient as `fetch`: the available part of a truncated text is read. */
function createGunzipStream(): ReturnType<typeof createGunzip> {
  return createGunzip({ flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH });
}

/** Maximum size of a response in bytes; far more than any response in the contract. */
const maxBytes = 64 * 1024 * 1024;

/**
 * Reads the body of a response as UTF-8 text.
 *
 * @throws Error when the body is larger than any response in the contract; for gzip, the unpacked size counts
 */
export async function readBoundedText(response: Response): Promise<string> {
  if (response.body === null) return "";
  const stream = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const reader = new TextReader();
  try {
    for (;;) {
      const { done, value } = await stream.read();
      if (done) return reader.end();
      reader.add(value);
    }
  } catch (error) {
    await stream.cancel().catch(() => undefined);
    throw error;
  }
}

/** Decodes UTF-8 bytes into a text, up to the maximum size of a response. */
export class TextReader {
  readonly #decoder = new TextDecoder();
  #text = "";
  #bytes = 0;

  /** @throws Error when the text is too large */
  add(bytes: Uint8Array): void {
    this.#bytes += bytes.byteLength;
    if (this.#bytes > maxBytes) throw new Error(`the response is larger than ${maxBytes >> 20} MB`);
    this.#text += this.#decoder.decode(bytes, { stream: true });
  }

  end(): string {
    return this.#text + this.#decoder.decode();
  }
}
