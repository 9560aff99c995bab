import { connect } from "node:net";
import { bytesOf, type FuzzRequest, isOddlyFramed } from "./fuzz-request.js";

export interface FuzzAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

/** A response, or why there is none; nothing where the server waited for the rest of a request. */
export type Outcome = { readonly answer: FuzzAnswer } | { readonly lost: string } | undefined;

/** How long an answer may take; a stall is found by processor time long before. */
const patienceMs = 180_000;
/** How long a server may be silent before the connection is half closed: it waits for the rest of a body. */
const silenceMs = 60;
/** Ends a connection in order, once the request before it is answered. */
const farewell = "GET /_emulator/clock HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";

/** Sends a request on a connection of its own, with a farewell behind it, and reads the first response. */
export async function exchange(port: number, request: FuzzRequest): Promise<Outcome> {
  const bytes = bytesOf(request);
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
  const headers: FuzzAnswer["headers"] = Object.fromEntries(
    lines.map((line) => [line.split(":")[0]?.toLowerCase() ?? "", line.replace(/^[^:]*:\s*/, "")]),
  );
  const body = rest.join("\r\n\r\n").slice(0, Number(headers["content-length"] ?? 0));
  return { answer: { status, headers, body: Buffer.from(bytes.startsWith("HEAD ") ? "" : body, "latin1") } };
}
