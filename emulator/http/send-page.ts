import type { ServerResponse } from "node:http";
import { pipeline, Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";

/**
 * Sends a page as its parts come, which may be without an end; once nobody listens any more it is told so. Its date is
 * the machine's: it belongs to no world.
 */
export function sendPage({ status, headers, body }: Response, outgoing: ServerResponse): void {
  outgoing.writeHead(status, Object.fromEntries(headers));
  if (body === null) {
    outgoing.end();
    return;
  }
  // the head would wait for the first part, which may be long in coming
  outgoing.flushHeaders();
  pipeline(Readable.fromWeb(body as ReadableStream<Uint8Array>), outgoing, () => {
    // either end has gone, and the other is closed by now: nobody is left who could be told
  });
}
