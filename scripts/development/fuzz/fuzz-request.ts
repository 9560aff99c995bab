import { connect } from "node:net";

/**
 * A request of the fuzzer, as data: it can be written to a file and sent again. Bodies and raw requests are bytes, one
 * character each.
 */
export interface FuzzRequest {
  /** What it was made from, for whoever reads a report. */
  readonly origin: string;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | undefined;
  /** Sent in place of all that. */
  readonly raw?: string;
  /** Whether the headers may end the connection or say something else about the body than what is sent. */
  readonly isOdd?: true;
}

/** Where most requests go. */
export const fuzzedNamespace = "fuzz";

/** The bytes of a request as they go over the connection. */
export function serializeRequest({ method, target, headers, body, raw }: FuzzRequest): string {
  if (raw !== undefined) return raw;
  const lines = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  const hasLength = headers.some(([name]) => /^(?:content-length|transfer-encoding)$/i.test(name));
  if (body !== undefined && !hasLength) lines.push(`Content-Length: ${body.length}`);
  return `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}

/** JSON as the bytes of a body. */
export function toUtf8BinaryString(text: string): string {
  return Buffer.from(text).toString("latin1");
}

/** The text that the bytes of a body stand for. */
export function decodeUtf8BinaryString(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString();
}

/** Whether nobody can say what of a request is read as one. */
export function isOddlyFramed({ raw, isOdd }: FuzzRequest): boolean {
  return raw !== undefined || isOdd === true;
}

/** The same request with one header set to another value, or taken away. */
export function setHeader(request: FuzzRequest, name: string, value: string | undefined): FuzzRequest {
  const others = request.headers.filter(([given]) => given.toLowerCase() !== name.toLowerCase());
  return { ...request, headers: value === undefined ? others : [...others, [name, value]] };
}

/** Where a request goes, as far as that can be read in it: the path below the namespace, without the query. */
export function getMethodAndPath({ method, target, raw }: FuzzRequest): {
  readonly method: string;
  readonly path: string;
} {
  const sent = raw === undefined ? null : /^\s*([A-Za-z]+) +(\S+) HTTP/.exec(raw.slice(0, 10_000));
  const [whole = ""] = (sent?.[2] ?? target).replace(/^https?:\/\/[^/?#]*/i, "").split(/[?#]/);
  return { method: sent?.[1] ?? method, path: whole.replace(/^\/ns\/[^/]*/, "") };
}

/** A text in a path or a query; what was learnt may hold half a pair, which has no form there. */
export function encodeForUrl(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

export interface FuzzResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

/** A response, or why there is none; nothing where the server waited for the rest of a request. */
export type FuzzOutcome = { readonly answer: FuzzResponse } | { readonly lost: string } | undefined;

/** How long an answer may take; a stall is found by CPU time long before. */
const patienceMs = 180_000;
/** How long a server may be silent before the connection is half closed: it waits for the rest of a body. */
const silenceMs = 60;
/** Ends a connection in order, once the request before it is answered. */
const farewell = "GET /_emulator/clock HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";

/** Sends a request on a connection of its own, with a farewell behind it, and reads the first response. */
export async function sendRawRequest(port: number, request: FuzzRequest): Promise<FuzzOutcome> {
  const bytes = serializeRequest(request);
  const socket = connect(port, "127.0.0.1");
  let gaveUp = false as boolean;
  let received = "";
  let failed = "the connection was closed";
  socket.setTimeout(isOddlyFramed(request) ? silenceMs : patienceMs, () => {
    if (gaveUp || !isOddlyFramed(request))
      socket.destroy(new Error(`no response within ${patienceMs / 1000} s`));
    gaveUp = true;
    // Node gives up a request when the client half closes the connection
    socket.end();
    socket.setTimeout(patienceMs);
  });
  socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
  socket.on("error", ({ message }) => (failed = message));
  socket.write(bytes + farewell, "latin1");
  await new Promise((resolve) => socket.once("close", resolve));
  // a refusal before the whole request has arrived ends in a reset
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
  return { answer: { status, headers, body: Buffer.from(bytes.startsWith("HEAD ") ? "" : body, "latin1") } };
}
