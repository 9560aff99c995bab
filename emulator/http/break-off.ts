import type { ServerResponse } from "node:http";
import type { Answer } from "../request/answer.js";

/** An answer that a fault rule breaks off. */
interface BrokenAnswer extends Answer {
  readonly breakAfter: NonNullable<Answer["breakAfter"]>;
}

export function isBroken(answer: Answer): answer is BrokenAnswer {
  return answer.breakAfter !== undefined;
}

/** Sends as much of an answer as the rule lets through, and ends the connection. */
export function breakOff(answer: BrokenAnswer, outgoing: ServerResponse): void {
  const { status, headers, breakAfter } = answer;
  if (breakAfter === "nothing") {
    outgoing.destroy();
    return;
  }
  const { whole, part } = cut(answer, breakAfter);
  outgoing.sendDate = false;
  outgoing.writeHead(status, { ...headers, "Content-Length": String(whole.length) });
  // the head alone would wait for the first byte of the body
  outgoing.flushHeaders();
  outgoing.write(part, () => outgoing.destroy());
}

/**
 * The same for a request of the same process, as `fetch` does it over a network.
 *
 * @throws TypeError when there is no answer at all
 */
export function brokenResponse(answer: BrokenAnswer): Response {
  const { status, headers, breakAfter } = answer;
  if (breakAfter === "nothing") throw new TypeError("fetch failed", { cause: reset() });
  const { whole, part } = cut(answer, breakAfter);
  return new Response(brokenBody(part), {
    status,
    headers: { ...headers, "Content-Length": String(whole.length) },
  });
}

function cut({ body }: Answer, after: number) {
  const whole = Buffer.from(body ?? "");
  return { whole, part: whole.subarray(0, after) };
}

function brokenBody(part: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start: (body) => {
      if (part.length > 0) body.enqueue(new Uint8Array(part));
    },
    pull: (body) => body.error(new TypeError("terminated", { cause: reset() })),
  });
}

function reset(): Error {
  return Object.assign(new Error("the connection was reset by a fault rule"), { code: "ECONNRESET" });
}
