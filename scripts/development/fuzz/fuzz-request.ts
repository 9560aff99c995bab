import { connect } from "node:net";

/** A request that can be written to a file and sent again. In bodies and raw requests, each character is a byte. */
export interface FuzzRequest {
  /** The operation from which the request was generated, for reports. */
  readonly origin: string;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | undefined;
  /** All bytes of the request, instead of the other fields. */
  readonly raw?: string;
  /** Whether the headers may close the connection or describe the body incorrectly. */
  readonly isOdd?: true;
}

/** The namespace to which most requests are sent. */
export const fuzzedNamespace = "fuzz";

/** Serializes a request to bytes. */
export function serializeRequest({ method, target, headers, body, raw }: FuzzRequest): string {
  if (raw !== undefined) return raw;
  const lines = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  const hasLength = headers.some(([name]) => /^(?:content-length|transfer-encoding)$/i.test(name));
  if (body !== undefined && !hasLength) lines.push(`Content-Length: ${body.length}`);
  return `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}

/** Encodes a text in UTF-8, with one character per byte. */
export function toUtf8BinaryString(text: string): string {
  return Buffer.from(text).toString("latin1");
}

/** Decodes a text from {@link toUtf8BinaryString}. */
export function decodeUtf8BinaryString(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString();
}

/** Whether it is unclear where a request ends. */
export function hasUnclearEnd({ raw, isOdd }: FuzzRequest): boolean {
  return raw !== undefined || isOdd === true;
}

/** Replaces a header of a request; removes it if the value is undefined. */
export function setHeader(request: FuzzRequest, name: string, value: string | undefined): FuzzRequest {
  const others = request.headers.filter(([given]) => given.toLowerCase() !== name.toLowerCase());
  return { ...request, headers: value === undefined ? others : [...others, [name, value]] };
}

/** Parses the method of a request, and the path after the namespace without the query. */
export function getMethodAndPath({ method, target, raw }: FuzzRequest): {
  readonly method: string;
  readonly path: string;
} {
  const sent = raw === undefined ? null : /^\s*([A-Za-z]+) +(\S+) HTTP/.exec(raw.slice(0, 10_000));
  const [whole = ""] = (sent?.[2] ?? target).replace(/^https?:\/\/[^/?#]*/i, "").split(/[?#]/);
  return { method: sent?.[1] ?? method, path: whole.replace(/^\/ns\/[^/]*/, "") };
}

/** Encodes a text for a path or query; replaces lone surrogates, which cannot be encoded. */
export function encodeForUrl(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

export interface FuzzResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

/** A response, or the reason why there is none; undefined if the server waited for the rest of a request. */
export type FuzzOutcome = { readonly response: FuzzResponse } | { readonly lost: string } | undefined;

/** Maximum time until a response. Stalls are detected earlier, by CPU time. */
const timeoutMs = 180_000;
/** Time without a response after which the connection is half closed, because the server may wait for a longer body. */
const silenceMs = 60;
/** A second request, which makes the server close the connection after the response to the first one. */
const closingRequest = "GET /_emulator/clock HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";

/** Sends a request and {@link closingRequest} on a new connection, and reads the first response. */
export async function sendRawRequest(port: number, request: FuzzRequest): Promise<FuzzOutcome> {
  const bytes = serializeRequest(request);
  const socket = connect(port, "127.0.0.1");
  let gaveUp = false as boolean;
  let received = "";
  let failed = "the connection was closed";
  socket.setTimeout(hasUnclearEnd(request) ? silenceMs : timeoutMs, () => {
    if (gaveUp || !hasUnclearEnd(request))
      socket.destroy(new Error(`no response within ${timeoutMs / 1000} s`));
    gaveUp = true;
    // Node aborts an incomplete request when the client half closes the connection
    socket.end();
    socket.setTimeout(timeoutMs);
  });
  socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
  socket.on("error", ({ message }) => (failed = message));
  socket.write(bytes + closingRequest, "latin1");
  await new Promise((resolve) => socket.once("close", resolve));
  // if the server responds before it has read the whole request, the connection is reset
  if (received === "") return gaveUp || !/\S/.test(bytes) ? undefined : { lost: failed };
  const [head = "", ...rest] = received.replace(/^(?:HTTP\/1\.1 1\d\d[^]*?\r\n\r\n)+/, "").split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3})(?: |$)/.exec(first)?.[1]);
  if (!(status >= 100) || rest.length === 0)
    return { lost: `a response begins with ${JSON.stringify(first.slice(0, 100))}` };
  const headers: FuzzResponse["headers"] = Object.fromEntries(
    lines.map((line) => [line.split(":")[0]?.toLowerCase() ?? "", line.replace(/^[^:]*:\s*/, "")]),
  );
  const body = rest.join("\r\n\r\n").slice(0, Number(headers["content-length"] ?? 0));
  return {
    response: { status, headers, body: Buffer.from(bytes.startsWith("HEAD ") ? "" : body, "latin1") },
  };
}
