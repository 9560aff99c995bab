import { Agent, type IncomingMessage, request } from "node:http";
import type { Fetch } from "./exchange.js";

/** A request to send. */
interface OutgoingRequest {
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
  const sendByFetch: SendRequest = async (url, { method, headers, body, timeoutMs }) => {
    const response = await fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await readBoundedText(response.body ?? []);
    return { status: response.status, headers: Object.fromEntries(response.headers), text };
  };
  if (fetch !== globalThis.fetch) return sendByFetch;
  return (url, sent) => (isLoopback(url) ? sendByHttp(url, sent) : sendByFetch(url, sent));
}

/** Whether a URL leads to this machine, without TLS. */
function isLoopback(url: string): boolean {
  return /^http:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])[:/]/i.test(url);
}

// Servers that do not announce a timeout close idle connections after five seconds at the earliest.
const agent = new Agent({ keepAlive: true, timeout: 4000 });

/** Sends with Node's own client, because `fetch` creates streams and signals that take longer than the emulator's response. */
function sendByHttp(
  url: string,
  { method, headers: given, body, timeoutMs }: OutgoingRequest,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const headers = {
      Accept: "*/*",
      // Unlike `fetch`, this client does not decompress responses.
      "Accept-Encoding": "identity",
      // For GET and DELETE, Node adds no length, and the server would take the body for the next request.
      ...(body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) }),
      ...given,
    };
    let isAnswered = false;
    const outgoing = request(url, { agent, method, headers }, (incoming) => {
      isAnswered = true;
      // A server that responds before it has read the whole body may never read the rest, or close the connection.
      const isEarly = !outgoing.writableFinished || incoming.statusCode === 413;
      if (isEarly) outgoing.shouldKeepAlive = false;
      receive(incoming)
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
    outgoing.on("close", () => {
      clearTimeout(timer);
      // A server that switches to another protocol causes no error.
      if (!isAnswered) fail(new Error("the connection was closed without a response"));
    });
    outgoing.end(body);
  });
}

async function receive(incoming: IncomingMessage): Promise<RawResponse> {
  // A header may have the name of a property that every object has.
  const headers = new Map<string, string>();
  const { rawHeaders, statusCode: status = 0 } = incoming;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? "").toLowerCase();
    const value = rawHeaders[index + 1] ?? "";
    const previous = headers.get(name);
    headers.set(name, previous === undefined ? value : `${previous}, ${value}`);
  }
  return { status, headers: Object.fromEntries(headers), text: await readBoundedText(incoming) };
}

/** Maximum size of a response in bytes; far more than any response in the contract. */
const maxBytes = 64 * 1024 * 1024;

/**
 * Reads a body as UTF-8 text.
 *
 * @throws Error when the body is larger than any response in the contract; for gzip, the unpacked size counts
 */
export async function readBoundedText(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new Error(`the response is larger than ${maxBytes >> 20} MB`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
