import type { ServerResponse } from "node:http";
import type { Answer } from "../request/answer.js";
import { breakOff, brokenResponse, isBroken } from "./break-off.js";
import { endSoon } from "./outbox.js";
import { sendPage } from "./send-page.js";

/** What goes back to a client: an answer of an interface, or a page of the console. */
export type Sendable = Answer | Response;

/** The class is not asked: naming it loads all that `fetch` needs, which a server does not. */
function isResponse(answer: Sendable): answer is Response {
  return "arrayBuffer" in answer;
}

/** Sends an answer to the socket it belongs to; Node leaves the body out where HEAD asked for it. */
export function sendAnswer(answer: Sendable, outgoing: ServerResponse): void {
  if (isResponse(answer)) {
    sendPage(answer, outgoing);
    return;
  }
  if (isBroken(answer)) {
    breakOff(answer, outgoing);
    return;
  }
  const { status, headers, body } = answer;
  if (body !== null) headers["Content-Length"] = String(Buffer.byteLength(body));
  // the date is the emulator's
  outgoing.sendDate = false;
  outgoing.writeHead(status, headers);
  endSoon(outgoing, body);
}

/**
 * The answer to a request of the same process.
 *
 * @throws TypeError for a connection that a fault rule has dropped, as `fetch` does
 */
export function responseOf(answer: Sendable, method: string): Response {
  if (isResponse(answer)) return answer;
  if (isBroken(answer)) return brokenResponse(answer);
  const { status, headers, body } = answer;
  const sent = method === "HEAD" ? null : (body as string | Uint8Array<ArrayBuffer> | null);
  return new Response(sent, { status, headers });
}
