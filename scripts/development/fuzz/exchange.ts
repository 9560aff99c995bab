import { once } from "node:events";
import { Agent, type IncomingMessage, request as open } from "node:http";
import { connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { bytesOf, type FuzzRequest, isOddlyFramed } from "./fuzz-request.js";

export interface FuzzAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** What became of a request: its answer, or how that failed to come. */
export type Outcome = { readonly answer: FuzzAnswer } | { readonly lost: string } | undefined;

/** How long an answer may take; a stall is found by processor time long before. */
const patienceMs = 180_000;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

export async function exchange(port: number, request: FuzzRequest): Promise<Outcome> {
  if (isOddlyFramed(request)) return exchangeRaw(port, bytesOf(request));
  const { method, target: path, body } = request;
  const length = body === undefined ? [] : [["Content-Length", String(body.length)]];
  const headers = [...request.headers, ...length].flat();
  let sent;
  try {
    sent = open({ port, host: "127.0.0.1", agent, method, path, headers, timeout: patienceMs });
  } catch {
    // Node does not send such characters
    return exchangeRaw(port, bytesOf(request));
  }
  sent.on("timeout", () => sent.destroy(new Error(`no answer within ${patienceMs / 1000} s`)));
  try {
    sent.end(body, "latin1");
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    return {
      answer: { status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) },
    };
  } catch (error) {
    return { lost: (error as Error).message };
  }
}

/** Ends a connection in order, once whatever came before it was answered. */
const farewell = "GET /_emulator/clock HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
/** How long a server may say nothing before it is told that nothing more will come: it waits for the rest of a body. */
const silenceMs = 60;

/**
 * Sends bytes on a connection of their own, with a farewell behind them, and reads the first answer.
 *
 * @returns nothing where the server waited for more
 */
async function exchangeRaw(port: number, bytes: string): Promise<Outcome> {
  const socket = connect(port, "127.0.0.1");
  const patience = setTimeout(
    () => socket.destroy(new Error(`no end within ${patienceMs / 1000} s`)),
    patienceMs,
  );
  let gaveUp = false as boolean;
  const giveUp = () => {
    gaveUp = true;
    // Node lets go of a request that is under way when its client says that nothing more will come
    socket.end();
  };
  let silence = setTimeout(giveUp, silenceMs);
  let received = "";
  let failed = "the connection was closed";
  socket.on("data", (chunk: Buffer) => {
    received += chunk.toString("latin1");
    clearTimeout(silence);
    silence = setTimeout(giveUp, silenceMs);
  });
  socket.on("error", ({ message }) => (failed = message));
  socket.write(bytes + farewell, "latin1");
  await new Promise((resolve) => socket.once("close", resolve));
  clearTimeout(patience);
  clearTimeout(silence);
  // what was refused while more of it was on its way is told by a reset
  if (received === "") return gaveUp || !/\S/.test(bytes) ? undefined : { lost: failed };
  const [head = "", ...rest] = received.replace(/^(?:HTTP\/1\.1 1\d\d[^]*?\r\n\r\n)+/, "").split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3})(?: |$)/.exec(first)?.[1]);
  if (!(status >= 100) || rest.length === 0)
    return { lost: `an answer begins with ${JSON.stringify(first.slice(0, 100))}` };
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(":")[0]?.toLowerCase() ?? "", line.replace(/^[^:]*:\s*/, "")]),
  );
  const body = rest.join("\r\n\r\n").slice(0, Number(headers["content-length"] ?? 0));
  return { answer: { status, headers, body: Buffer.from(bytes.startsWith("HEAD ") ? "" : body, "latin1") } };
}
