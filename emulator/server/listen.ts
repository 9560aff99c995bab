import { createServer, type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { AddressInfo, Socket as NetSocket } from "node:net";
import { setImmediate } from "node:timers";
import { getRequestListener, RequestError } from "@hono/node-server";
import type { Hono } from "hono";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { Problem } from "../domain/problem.js";
import { emulatorLimits } from "../memory/limits.js";
import type { EmulatorEnv } from "../request/emulator-env.js";
import { toProblemResponse } from "../request/problem-response.js";
import type { ResponseParts } from "../request/response-parts.js";
import type { Certificate } from "./self-signed-certificate.js";

/** Where to listen, with a certificate for TLS. */
interface ListenAt {
  readonly port: number;
  readonly host: string;
  readonly certificate?: Certificate | undefined;
}

/** Idle timeout of a connection. On a busy machine, Node's five seconds can pass between two requests. */
const idleMs = 120_000;

/**
 * Serves an application with @hono/node-server, and adds problem bodies for malformed requests, support for half-open
 * connections, and a graceful shutdown.
 */
export async function listen(
  { fetch }: Pick<Hono<EmulatorEnv>, "fetch">,
  { port, host, certificate }: ListenAt,
): Promise<{ readonly server: Server; readonly url: string }> {
  const respond = getRequestListener(fetch, {
    overrideGlobalObjects: false,
    errorHandler: rejectUnservable,
  });
  const listener = (incoming: IncomingMessage, outgoing: BatchedResponse) => {
    // The emulator sets its own date.
    outgoing.sendDate = false;
    endWithReader(incoming, outgoing);
    // HTTP/1.0 does not require `Host`, and probes of load balancers leave it out.
    if (incoming.httpVersion === "1.0") incoming.headers.host ??= `localhost:${incoming.socket.localPort}`;
    if (hasTwoHosts(incoming))
      sendProblem(outgoing, createMalformedResponse("it has more than one `Host` header"));
    // Node parses all pipelined requests immediately; each must wait until the previous responses have been sent.
    else if (outgoing.socket === null)
      waitForTurn(incoming, outgoing, () => void respond(incoming, outgoing));
    else void respond(incoming, outgoing);
  };
  // With `requireHostHeader`, Node would send a response without a body.
  const options = { requireHostHeader: false, ServerResponse: BatchedResponse, ...certificate };
  const server =
    certificate === undefined
      ? createServer(options, listener)
      : (await import("node:https")).createServer(options, listener);
  // A client may reuse a connection after a long time.
  server.keepAliveTimeout = idleMs;
  // Some clients, such as `nc`, end their side before the response arrives.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on("clientError", (error: ClientError, socket: NetSocket) => {
    rejectInTurn(socket, () => rejectUnreadable(error, socket));
  });
  server.on("connect", (_incoming: IncomingMessage, socket: NetSocket) => {
    // Node no longer handles errors of this socket, and an unhandled error would end the process.
    socket.on("error", () => socket.destroy());
    socket.resume();
    rejectInTurn(socket, () =>
      refuse(
        socket,
        "400 Bad Request",
        createMalformedResponse("it requests a tunnel, which is not supported"),
      ),
    );
  });
  server.on("checkExpectation", rejectExpectation);
  watchConnections(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const { port: actual } = server.address() as AddressInfo;
  const scheme = certificate === undefined ? "http" : "https";
  return { server, url: `${scheme}://${toUrlHost(host)}:${actual}` };
}

/**
 * The `Response` of @hono/node-server, whose body is sent without a stream. The package has no export for it: it can only
 * replace the global `Response`. This is undone at once, because the class would be in the way of other code.
 */
const NodeResponse = (() => {
  const { Request, Response } = globalThis;
  getRequestListener(() => Response.error(), { overrideGlobalObjects: true });
  const { Response: NodeResponse } = globalThis;
  Object.defineProperty(globalThis, "Request", { value: Request });
  Object.defineProperty(globalThis, "Response", { value: Response });
  return NodeResponse;
})();

/** Returns a host that clients on this machine can connect to; they cannot connect to an address for all interfaces. */
function toUrlHost(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}

/** Responds to a request whose target or `Host` header cannot be part of a URL. */
function rejectUnservable(error: unknown): Response {
  const { body, ...init } =
    error instanceof RequestError
      ? createMalformedResponse(`${error.message}; the request target must be a path, as in \`GET /health\``)
      : toProblemResponse(error, defaultProfile);
  return new Response(body, init);
}

/** Time after which a connection with an unread response is closed. */
const unreadMs = 60_000;

/** Maximum length of an unread body that is discarded to keep the connection. */
const discardedBytes = 1024 * 1024;

/** The responses that end in this turn of the event loop, with the arguments of `end`. */
let ended: (readonly [outgoing: BatchedResponse, given: EndArguments])[] = [];
type EndArguments = Parameters<ServerResponse["end"]>;

/**
 * A response that is sent together with all other responses of the same turn of the event loop. Waking a client process for
 * every single response would take longer than most operations.
 */
class BatchedResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /** Number of bytes received on the connection when both this response and its request were complete. */
  bytesRead = 0;
  #isEnding = false;

  /** See `getResponseClass`. */
  get responseClass(): typeof Response {
    return NodeResponse;
  }

  /** Whether only a part of the body was created so far, as for a stream of events. */
  get isStreaming(): boolean {
    return this.headersSent && !this.#isEnding;
  }

  override end(...given: unknown[]): this {
    this.#isEnding = true;
    const recordBytes = () => {
      this.bytesRead = this.req.socket.bytesRead;
    };
    if (this.req.complete) recordBytes();
    else this.req.once("end", recordBytes);
    ended.push([this, given as EndArguments]);
    if (ended.length === 1) setImmediate(endAll);
    return this;
  }

  override writeHead(...given: unknown[]): this {
    // Discards the rest of a short unread body; after a long one, the connection ends.
    if (!this.req.complete && Number(this.req.headers["content-length"]) > discardedBytes)
      this.shouldKeepAlive = false;
    return super.writeHead(...(given as Parameters<ServerResponse["writeHead"]>));
  }

  endNow(given: EndArguments): void {
    super.end(...given);
    if (this.socket === null || this.socket.writableLength === 0) return;
    // Node closes the connection after this time without progress, and resets the timeout when everything is sent.
    this.socket.setTimeout(unreadMs);
    limitUnread(this.socket);
  }
}

/** The connections with unread responses, the longest unread first. */
const unread = new Set<NetSocket>();

/** If the unread responses of all connections are too large, closes the connections with the longest unread ones. */
function limitUnread(newest: NetSocket): void {
  unread.add(newest);
  let bytes = 0;
  for (const socket of unread)
    if (socket.destroyed || socket.writableLength === 0) unread.delete(socket);
    else bytes += socket.writableLength;
  for (const socket of unread) {
    if (bytes <= emulatorLimits.unreadBytes || socket === newest) return;
    bytes -= socket.writableLength;
    unread.delete(socket);
    socket.destroy();
  }
}

function endAll(): void {
  const ready = ended;
  ended = [];
  for (const [outgoing, given] of ready) outgoing.endNow(given);
}

/**
 * Maximum number of characters in the heads of a connection's waiting pipelined requests, plus a constant for each request. A
 * connection that exceeds the maximum is closed.
 */
const maxWaitingCharacters = 2 * 1024 * 1024;
const charactersOfRequest = 256;
const waitingCharacters = new WeakMap<NetSocket, number>();

function waitForTurn(incoming: IncomingMessage, outgoing: ServerResponse, respond: () => void): void {
  const { socket, url = "", rawHeaders } = incoming;
  const characters = rawHeaders.reduce((sum, { length }) => sum + length, charactersOfRequest + url.length);
  const waiting = (waitingCharacters.get(socket) ?? 0) + characters;
  waitingCharacters.set(socket, waiting);
  if (waiting > maxWaitingCharacters) socket.destroy();
  outgoing.once("socket", () => {
    waitingCharacters.set(socket, (waitingCharacters.get(socket) ?? characters) - characters);
    respond();
  });
}

/** Closes the connection if a client that reads events ends its side. Other clients may still read the response. */
function endWithReader({ headers, socket }: IncomingMessage, outgoing: ServerResponse): void {
  if (headers.accept?.includes("text/event-stream") !== true) return;
  const end = () => outgoing.destroy();
  socket.once("end", end);
  outgoing.once("close", () => socket.off("end", end));
}

/** RFC 9112, 3.2: Node uses the first `Host`, but a proxy may use another. */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === "host") count += 1;
  return count > 1;
}

function sendProblem(outgoing: ServerResponse, { status, headers, body }: ResponseParts): void {
  outgoing.writeHead(status, { ...headers, "Content-Length": Buffer.byteLength(body ?? "") });
  outgoing.end(body);
}

const sweepIntervalMs = 10;
/** How long a closing server waits for the rest of a request, for the end of a stream, and for a client that does not read. */
const arrivalMs = 1000;
/** How long a closing server waits for responses, which a user's middleware may never send. */
const answerMs = 5000;
/** The open connections of each server by the client's address. */
const connections = new WeakMap<Server, Map<string, NetSocket>>();

function watchConnections(server: Server): void {
  const sockets = new Map<string, NetSocket>();
  connections.set(server, sockets);
  // Node's own method also closes connections whose response is not sent completely.
  server.closeIdleConnections = () => {
    for (const socket of sockets.values()) if (isIdle(socket)) socket.destroy();
  };
  const watch = (socket: NetSocket) => {
    const address = `${socket.remoteAddress ?? ""} ${socket.remotePort ?? 0}`;
    sockets.set(address, socket);
    socket.once("close", () => {
      if (sockets.get(address) === socket) sockets.delete(address);
    });
  };
  // The address is known only before the server wraps the socket.
  server.prependListener("connection", watch);
  // After the handshake, a TLS connection is a different socket.
  server.on("secureConnection", watch);
  server.on("request", (incoming: IncomingMessage, outgoing: BatchedResponse) => {
    const { socket } = incoming;
    lastExchange.set(socket, { incoming, outgoing, before: lastExchange.get(socket)?.outgoing });
  });
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: BatchedResponse;
  /** The previous response on the same connection. */
  readonly before: ServerResponse | undefined;
}

/** The newest request of each connection, which may still wait for its response. */
const lastExchange = new WeakMap<NetSocket, Exchange>();
const refused = new WeakSet<NetSocket>();

/** Whether a connection has no pending request and has received no part of another one. */
function isIdle(socket: NetSocket): boolean {
  const { incoming, outgoing } = lastExchange.get(socket) ?? {};
  return (
    incoming?.complete !== false &&
    outgoing?.writableFinished !== false &&
    socket.bytesRead === (outgoing?.bytesRead ?? 0)
  );
}

/** Whether a connection waits for the response to a complete request; false for a stream, which may never end. */
function awaitsResponse(socket: NetSocket): boolean {
  const { incoming, outgoing } = lastExchange.get(socket) ?? {};
  return incoming?.complete === true && outgoing?.writableFinished === false && !outgoing.isStreaming;
}

type ClientError = Error & { readonly code?: string };

/** Responds to invalid input once, after the responses to previous requests on the connection. */
function rejectInTurn(socket: NetSocket, answer: () => void): void {
  if (refused.has(socket)) return;
  refused.add(socket);
  const last = lastExchange.get(socket);
  // An incomplete request is the one that is invalid.
  const before = last?.incoming.complete === false ? last.before : last?.outgoing;
  if (before === undefined || before.writableFinished || before.destroyed) answer();
  else before.once("close", answer);
}

/** Answers a request with an unsupported `Expect` header. Node would respond without a body. */
function rejectExpectation(incoming: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.sendDate = false;
  sendProblem(
    outgoing,
    createMalformedResponse("the only supported value of the `Expect` header is `100-continue`", 417),
  );
  incoming.resume();
}

/** Stops accepting connections and ends idle ones. Pending requests are answered first, for at most five seconds. */
export async function closeServer(server: Server): Promise<void> {
  const open = connections.get(server) ?? new Map<string, NetSocket>();
  let sweep: NodeJS.Timeout | undefined;
  let arrival: NodeJS.Timeout | undefined;
  let answer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve, reject) => {
    // Also closes idle connections.
    server.close((error) => (error === undefined ? resolve() : reject(error)));
    // Closes connections that become idle later, which would otherwise be kept alive.
    sweep = setInterval(() => server.closeIdleConnections(), sweepIntervalMs);
    arrival = setTimeout(() => {
      // Also ends requests that begin to arrive from now on.
      server.closeIdleConnections = () => {
        for (const socket of open.values()) if (!awaitsResponse(socket)) socket.destroy();
      };
      // Node closes the connection of a client that does not read for this time, even if it receives events.
      for (const socket of open.values())
        if (lastExchange.get(socket)?.outgoing.writableEnded === true || socket.writableLength > 0)
          socket.setTimeout(arrivalMs);
    }, arrivalMs);
    answer = setTimeout(() => {
      // A response that has just ended is sent first.
      setImmediate(() => {
        for (const socket of open.values())
          if (lastExchange.get(socket)?.outgoing.writableEnded !== true) socket.destroy();
      });
    }, answerMs);
  }).finally(() => {
    clearInterval(sweep);
    clearTimeout(arrival);
    clearTimeout(answer);
  });
}

/** @param status the HTTP status for the reason (default: that of the problem) */
function createMalformedResponse(reason: string, status?: number) {
  const answer = toProblemResponse(
    new Problem("malformed-request", `The request cannot be read: ${reason}.`),
    defaultProfile,
  );
  const body = JSON.parse(String(answer.body)) as object;
  return {
    status: status ?? answer.status,
    headers: answer.headers,
    body: JSON.stringify(status === undefined ? body : { ...body, status }),
  };
}

/** Responds to input that is not HTTP. */
function rejectUnreadable(error: ClientError, socket: NetSocket): void {
  if (error.code === "ECONNRESET") return;
  const tooLong = error.code === "HPE_HEADER_OVERFLOW";
  refuse(
    socket,
    tooLong ? "431 Request Header Fields Too Large" : "400 Bad Request",
    createMalformedResponse(
      tooLong ? "the headers or the target are too long" : "it is not an HTTP request",
      tooLong ? 431 : 400,
    ),
  );
}

/** Writes the last response of a connection that Node no longer handles. */
function refuse(
  socket: NetSocket,
  status: string,
  { headers, body }: ReturnType<typeof createMalformedResponse>,
): void {
  if (!socket.writable) return;
  const lines = [
    `HTTP/1.1 ${status}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
}
