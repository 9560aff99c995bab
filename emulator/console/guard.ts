import { createHash, timingSafeEqual } from "node:crypto";
import { refuseCrossOrigin } from "../request/local-only.js";
import { Problem } from "../domain/problem.js";
import { formToken } from "./visit.js";

/**
 * Refuses what a page of another origin asks for: reading goes by the host name and by what browsers say of themselves,
 * and only a person who follows a link, to a checkout for example, may come from elsewhere.
 */
export function refuseForeignReader(request: Request, allowHosts: readonly string[]): void {
  refuseCrossOrigin(request, allowHosts);
  const { headers } = request;
  const site = headers.get("sec-fetch-site");
  if (site === null || site === "same-origin" || site === "none") return;
  const isLink = headers.get("sec-fetch-mode") === "navigate" && headers.get("sec-fetch-dest") === "document";
  if (!isLink)
    throw new Problem("not-local", "A page of another origin may link to the console, and no more.");
}

/** Refuses a change, of a reader who is welcome, that does not come from one of our own forms. */
export function refuseForeignChange({ headers }: Request, token: unknown): void {
  const site = headers.get("sec-fetch-site");
  const isOwn = site === null ? headers.get("origin") !== null : site === "same-origin";
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

/**
 * Headers of every page: nothing inline, nothing from elsewhere, in no frame.
 *
 * @param formTargets origins that a form may lead to by a redirect: browsers hold those against the policy as well
 */
export function securityHeaders(formTargets: readonly string[] = []): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    `form-action ${["'self'", ...formTargets].join(" ")}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    "Content-Security-Policy": policy.join("; "),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
  };
}
