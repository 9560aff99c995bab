import type { ServerResponse } from "node:http";
import { setImmediate } from "node:timers";

interface Waiting {
  readonly outgoing: ServerResponse;
  readonly body: string | Uint8Array | null;
}

let waiting: Waiting[] = [];

/**
 * Ends an answer whose head is written, together with all others of this turn of the event loop. A client that sleeps
 * is woken by the first of them and reads the rest while it is awake; woken for each one, it would cost the server more
 * than most operations do.
 */
export function endSoon(outgoing: ServerResponse, body: Waiting["body"]): void {
  waiting.push({ outgoing, body });
  if (waiting.length === 1) setImmediate(endAll);
}

function endAll(): void {
  const ready = waiting;
  waiting = [];
  for (const { outgoing, body } of ready) outgoing.end(body ?? undefined);
}
