import type { Incoming } from "../request/incoming.js";

/** What pages send as their name, so that the journal can tell them apart. */
export const consoleAgent = "data-service-console";

/** The same for requests that somebody has sent again from a page, which are shown as those of others are. */
export const againAgent = `${consoleAgent}-again`;

/** Whether a page changes something by a request; what it reads is no part of what happened. */
export function isDoneByPage(incoming: Incoming): boolean {
  const agent = incoming.header("user-agent");
  return !["GET", "HEAD"].includes(incoming.method) && (agent === consoleAgent || agent === againAgent);
}
