import { createHash, timingSafeEqual } from "node:crypto";
import type { Incoming } from "../request/incoming.js";
import { refuseForeignPage } from "../request/local-only.js";
import { Problem } from "../domain/problem.js";
import { formToken } from "./visit.js";

/**
 * Refuses what a page of another origin asks for: reading goes by the host name and by what browsers say of themselves,
 * and only a person who follows a link, to a checkout for example, may come from elsewhere.
 */
export function refuseForeignReader(incoming: Incoming, allowHosts: readonly string[]): void {
  refuseForeignPage(incoming, allowHosts);
  const site = incoming.header("sec-fetch-site");
  if (site === undefined || site === "same-origin" || site === "none") return;
  const isLink =
    incoming.header("sec-fetch-mode") === "navigate" && incoming.header("sec-fetch-dest") === "document";
  if (!isLink)
    throw new Problem("not-local", "A page of another origin may link to the console, and no more.");
}

/** Refuses a change, of a reader who is welcome, that does not come from one of our own forms. */
export function refuseForeignChange(incoming: Incoming, token: unknown): void {
  const site = incoming.header("sec-fetch-site");
  const isOwn = site === undefined ? incoming.header("origin") !== undefined : site === "same-origin";
  if (!isOwn) throw new Problem("not-local", "Only a page of the console may change anything through it.");
  if (typeof token !== "string" || !isSame(token, formToken))
    throw new Problem(
      "not-local",
      "The form is from an emulator that runs no more, or from elsewhere. Load the page again.",
    );
}

function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
