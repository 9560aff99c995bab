import type { Incoming } from "../request/incoming.js";

/** What pages send as their name, so that the journal can tell them apart. */
export const consoleAgent = "data-service-console";

/** Whether a page changes something by a request; what it reads is no part of what happened. */
export function isDoneByPage(incoming: Incoming): boolean {
  return !["GET", "HEAD"].includes(incoming.method) && incoming.header("user-agent") === consoleAgent;
}
