import { connect } from "node:net";

/** A request that can be written to a socket. In targets, bodies and raw requests, each character is a byte. */
export interface FuzzRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | undefined;
  /** All bytes of the request, instead of the other fields. */
  readonly raw?: string;
  /** Whether the headers may describe the body incorrectly. */
  readonly isOdd?: true;
}

/** Encodes a text in UTF-8, with one character per byte. */
export function encodeText(text: string): string {
  return Buffer.from(text).toString("latin1");
}

/** Decodes a text from {@link encodeText}. */
export function decodeText(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString();
}

/** Serializes a request to bytes. */
export function serializeRequest({ method, target, headers, body, raw }: FuzzRequest): string {
  if (raw !== undefined) return raw;
  const hasLength = headers.some(([name]) => /^(?:content-length|transfer-encoding)$/i.test(name));
  const length = body === undefined || hasLength ? [] : [["Content-Length", String(body.length)] as const];
  const lines = [...headers, ...length, ["Connection", "close"] as const].map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n${body ?? ""}`;
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

export interface FuzzResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** A response, or the reason why there is none; undefined if the server waited for the rest of a request. */
export type FuzzOutcome = FuzzResponse | { readonly lost: string } | undefined;

const timeoutMs = 60_000;
/** Time without a response after which the connection is half closed, because the server may wait for a longer body. */
const silenceMs = 60;

/** Sends a request on a new connection. */
export async function sendRequest(port: number, request: FuzzRequest): Promise<FuzzOutcome> {
  const mayBeIncomplete = request.raw !== undefined || request.isOdd === true;
  const bytes = serializeRequest(request);
  const socket = connect(port, "127.0.0.1");
  let hasGivenUp = false as boolean;
  let received = "";
  let failure = "the connection was closed";
  socket.setTimeout(mayBeIncomplete ? silenceMs : timeoutMs, () => {
    if (hasGivenUp || !mayBeIncomplete) socket.destroy(new Error(`no response within ${timeoutMs} ms`));
    hasGivenUp = true;
    // Node aborts an incomplete request when the client half closes the connection
    socket.end();
    socket.setTimeout(timeoutMs);
  });
  socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
  socket.on("error", ({ message }) => (failure = message));
  socket.write(bytes, "latin1");
  await new Promise((resolve) => socket.once("close", resolve));
  // if the server responds before it has read the whole request, the connection is reset
  if (received === "" && (hasGivenUp || !/\S/.test(bytes))) return undefined;
  const [head = "", ...rest] = received.replace(/^(?:HTTP\/1\.1 1\d\d[^]*?\r\n\r\n)+/, "").split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3})(?: |$)/.exec(first)?.[1]);
  if (!(status >= 100) || rest.length === 0)
    return { lost: received === "" ? failure : `it begins with ${JSON.stringify(first.slice(0, 100))}` };
  const headers: FuzzResponse["headers"] = Object.fromEntries(
    lines.map((line) => [line.split(":")[0]?.toLowerCase() ?? "", line.replace(/^[^:]*:\s*/, "")]),
  );
  const body = rest.join("\r\n\r\n").slice(0, Number(headers["content-length"] ?? 0));
  return { status, headers, body: decodeText(bytes.startsWith("HEAD ") ? "" : body) };
}
