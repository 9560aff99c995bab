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
  if (headers.get("content-type")?.startsWith("text/event-stream") === true) endWithReader(outgoing);
  pipeline(Readable.fromWeb(body as ReadableStream<Uint8Array>), outgoing, () => {
    // either end has gone, and the other is closed by now: nobody is left who could be told
  });
}

/** A reader of events who has ended his side has gone; of other answers only the sending tells. */
function endWithReader(outgoing: ServerResponse): void {
  const { socket } = outgoing;
  if (socket === null || socket.readableEnded) outgoing.destroy();
  else socket.once("end", () => outgoing.destroy());
}
