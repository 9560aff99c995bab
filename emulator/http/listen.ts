import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket as NetSocket } from "node:net";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { Problem } from "../domain/problem.js";
import { checkAddress } from "./check-address.js";
import type { Entry } from "./entry.js";
import { SocketIncoming } from "./incoming-forms.js";
import { sendAnswer } from "./send-answer.js";
import { problemAnswer } from "../request/problem-answer.js";

import type { Certificate } from "./self-signed-certificate.js";

/** Where to listen, and with which certificate where it is over TLS. */
interface ListenAt {
  readonly port: number;
  readonly host: string;
  readonly certificate?: Certificate | undefined;
}

/** How long a connection may do nothing; Node's five seconds pass on a busy machine between two requests. */
const idleMs = 120_000;

/** Opens a server for the entry. */
export async function listen(
  entry: Entry,
  { port, host, certificate }: ListenAt,
): Promise<{ readonly server: Server; readonly url: string }> {
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse) => serve(entry, incoming, outgoing);
  // without this, Node answers a request without `Host` with no body at all
  const plain = { requireHostHeader: false };
  const server =
    certificate === undefined
      ? createServer(plain, answer)
      : (await import("node:https")).createServer({ ...plain, ...certificate }, answer);
  // a client that was kept busy for long takes a connection up again just when it would be closed
  server.keepAliveTimeout = idleMs;
  // who has asked everything may end his side before the answer comes, as `nc` does
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on("clientError", (error: ClientError, socket: NetSocket) => {
    refuseInTurn(socket, () => refuseUnreadable(error, socket));
  });
  server.on("connect", (_incoming: IncomingMessage, socket: NetSocket) => {
    // from here on the socket is nobody's, and an error that nobody hears of would end the process
    socket.on("error", () => socket.destroy());
    socket.resume();
    refuseInTurn(socket, () =>
      refuse(socket, "400 Bad Request", malformed("it asks for a tunnel, and none is opened here")),
    );
  });
  server.on("checkExpectation", refuseExpectation);
  watchConnections(server, certificate === undefined ? "connection" : "secureConnection");
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const { port: actual } = server.address() as AddressInfo;
  const scheme = certificate === undefined ? "http" : "https";
  return { server, url: `${scheme}://${host.includes(":") ? `[${host}]` : host}:${actual}` };
}

/** Answers a request on its socket. */
function serve(entry: Entry, message: IncomingMessage, outgoing: ServerResponse): void {
  const fail = (error: unknown) => sendAnswer(problemAnswer(error, defaultProfile), outgoing);
  try {
    checkAddress(message);
    const answer = entry.answer(message.url ?? "", new SocketIncoming(message));
    if (answer instanceof Promise) void answer.then((ready) => sendAnswer(ready, outgoing), fail);
    else sendAnswer(answer, outgoing);
  } catch (error) {
    fail(error);
  }
}

const sweepEveryMs = 10;
/** How long the rest of a request is waited for when the server closes; whoever sends it may never do so. */
const arrivalMs = 1000;
/** The connections that are open. */
const connections = new WeakMap<Server, Set<NetSocket>>();

function watchConnections(server: Server, opened: "connection" | "secureConnection"): void {
  const sockets = new Set<NetSocket>();
  connections.set(server, sockets);
  server.on(opened, (socket: NetSocket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("request", (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { socket } = incoming;
    lastExchange.set(socket, { incoming, outgoing, before: lastExchange.get(socket)?.outgoing });
  });
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** The answer before it on the same connection. */
  readonly before: ServerResponse | undefined;
}

/** The newest request of each connection, which may have to wait for its answer. */
const lastExchange = new WeakMap<NetSocket, Exchange>();
const refused = new WeakSet<NetSocket>();

type ClientError = Error & { readonly code?: string };

/** Answers what no request can be made of, once, after the requests that came before it on the connection. */
function refuseInTurn(socket: NetSocket, answer: () => void): void {
  if (refused.has(socket)) return;
  refused.add(socket);
  const last = lastExchange.get(socket);
  // a request that is not complete is what cannot be read
  const before = last?.incoming.complete === false ? last.before : last?.outgoing;
  if (before === undefined || before.writableFinished || before.destroyed) answer();
  else before.once("close", answer);
}

/** Answers a request that expects what no server here knows; Node would do it without a body. */
function refuseExpectation(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { headers, body } = malformed("`Expect` may hold `100-continue` alone", 417);
  outgoing.sendDate = false;
  outgoing.writeHead(417, { ...headers, "Content-Length": Buffer.byteLength(body) });
  outgoing.end(body);
  incoming.resume();
}

/** Stops taking connections and ends those that are idle; requests under way are answered first. */
export async function closeServer(server: Server): Promise<void> {
  const open = connections.get(server) ?? new Set<NetSocket>();
  let sweep: NodeJS.Timeout | undefined;
  let arrival: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
    // connections that have not asked for anything yet, as browsers open ahead of need; Node counts them as busy
    for (const socket of open) if (!lastExchange.has(socket)) socket.destroy();
    server.closeIdleConnections();
    // a connection that becomes idle from now on would otherwise be kept alive for seconds
    sweep = setInterval(() => server.closeIdleConnections(), sweepEveryMs);
    arrival = setTimeout(() => {
      for (const socket of open) if (lastExchange.get(socket)?.incoming.complete === false) socket.destroy();
    }, arrivalMs);
  }).finally(() => {
    clearInterval(sweep);
    clearTimeout(arrival);
  });
}

/** @param status the one that HTTP has for the reason; that of the problem without it */
function malformed(reason: string, status?: number) {
  const answer = problemAnswer(
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

/** Answers what is no HTTP at all. */
function refuseUnreadable(error: ClientError, socket: NetSocket): void {
  if (error.code === "ECONNRESET") return;
  const tooLong = error.code === "HPE_HEADER_OVERFLOW";
  refuse(
    socket,
    tooLong ? "431 Request Header Fields Too Large" : "400 Bad Request",
    malformed(
      tooLong ? "the headers or the target are too long" : "it is no HTTP request",
      tooLong ? 431 : 400,
    ),
  );
}

/** Writes the last answer of a connection that Node answers nothing on any more. */
function refuse(socket: NetSocket, status: string, { headers, body }: ReturnType<typeof malformed>): void {
  if (!socket.writable) return;
  const lines = [
    `HTTP/1.1 ${status}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
}
