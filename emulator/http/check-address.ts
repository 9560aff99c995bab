import type { IncomingMessage } from "node:http";
import { Problem } from "../domain/problem.js";

/** What no URL parser has an opinion on. */
const ordinaryTarget = /^\/[^\\]*$/;
const ordinaryHost = /^[a-z0-9._-]+(?::\d{1,5})?$/i;
/** What leads out of the host of a URL. */
const beyondHost = /[/?#\\@\s]/;

/**
 * Refuses a target or a `Host` that no URL can have: programs between a client and its service would not agree what it
 * asks for.
 *
 * @throws a problem `malformed-request`
 */
export function checkAddress({ url = "", headers: { host = "" } }: IncomingMessage): void {
  if (!ordinaryTarget.test(url)) {
    if (/^[^?]*\\/.test(url)) throw unreadable("there is a backslash in its path");
    if (/^https?:/i.test(url) && !URL.canParse(url)) throw unreadable("its target is no URL");
  }
  if (ordinaryHost.test(host) || /^https?:/i.test(url)) return;
  if (host === "") throw unreadable("it has no `Host`");
  if (beyondHost.test(host) || !URL.canParse(`http://${host}`)) throw unreadable("its `Host` is no host");
}

function unreadable(reason: string): Problem {
  return new Problem("malformed-request", `The request cannot be read: ${reason}.`);
}
