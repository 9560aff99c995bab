import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { getNodeBindings } from "../request/raw-target.js";
import { getServiceResponse, replaceResponse } from "./respond.js";
import type { ServiceContext, ServiceMiddleware } from "./service-env.js";

/** The error of `fetch` when a fault rule drops the connection of an in-process request. */
export class ConnectionDroppedError extends TypeError {
  constructor() {
    super("fetch failed", { cause: createResetError() });
    this.name = "TypeError";
  }
}

/**
 * Ends the connection before or during the response if a fault rule requires it. Destroys the socket, or makes an
 * in-process `fetch` fail with the same error.
 *
 * @throws ConnectionDroppedError
 */
export function cutConnection(): ServiceMiddleware {
  return (c, next) => {
    const rules = c.get("namespace")?.faults;
    return rules === undefined || rules.isEmpty ? next() : cutAfterResponse(c, next);
  };
}

async function cutAfterResponse(c: ServiceContext, next: () => Promise<void>): Promise<void> {
  await next();
  const cutAfter = c.get("cutAfter");
  if (cutAfter === undefined) return;
  const { outgoing } = getNodeBindings(c.env);
  if (cutAfter === "nothing") {
    if (outgoing === undefined) throw new ConnectionDroppedError();
    outgoing.destroy();
    replaceResponse(c, RESPONSE_ALREADY_SENT);
    return;
  }
  const { status, headers, body } = await getServiceResponse(c);
  const whole = Buffer.from(body ?? "");
  const part = whole.subarray(0, cutAfter);
  const sent = { ...headers, "Content-Length": String(whole.length) };
  if (outgoing === undefined) {
    replaceResponse(c, new Response(createTruncatedStream(part), { status, headers: sent }));
    return;
  }
  outgoing.writeHead(status, sent);
  // Otherwise, the headers are not sent before the first byte of the body.
  outgoing.flushHeaders();
  const { socket } = outgoing;
  outgoing.end(part, () => socket?.destroy());
  replaceResponse(c, RESPONSE_ALREADY_SENT);
}

function createTruncatedStream(part: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start: (body) => {
      if (part.length > 0) body.enqueue(new Uint8Array(part));
    },
    pull: (body) => body.error(new TypeError("terminated", { cause: createResetError() })),
  });
}

function createResetError(): Error {
  return Object.assign(new Error("the connection was reset by a fault rule"), { code: "ECONNRESET" });
}
