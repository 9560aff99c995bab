import { rejectCrossOrigin } from "../request/reject-cross-origin.js";
import { Problem } from "../domain/problem.js";

/**
 * Rejects requests from pages of other origins, based on the host name and the `Sec-Fetch-*` headers. Allows links from other
 * origins, for example to a checkout.
 */
export function rejectCrossOriginRead(request: Request, allowHosts: readonly string[]): void {
  rejectCrossOrigin(request, allowHosts);
  const { headers } = request;
  const site = headers.get("sec-fetch-site");
  if (site === null || site === "same-origin" || site === "none") return;
  const isLink = headers.get("sec-fetch-mode") === "navigate" && headers.get("sec-fetch-dest") === "document";
  if (!isLink)
    throw new Problem(
      "not-local",
      "Pages on other origins can only link to the console. The console rejects their other requests.",
    );
}

/** Rejects a change that does not come from one of the console's own pages. */
export function rejectCrossOriginChange({ headers }: Request): void {
  const site = headers.get("sec-fetch-site");
  const isOwn = site === null ? headers.get("origin") !== null : site === "same-origin";
  if (!isOwn)
    throw new Problem("not-local", "Only the console's own pages can make changes through the console.");
}

/**
 * Security headers of every page: no inline scripts or styles, no resources from other origins, no frames.
 *
 * @param formTargets origins to which a form may redirect; browsers apply the policy to redirects as well
 */
export function buildSecurityHeaders(formTargets: readonly string[] = []): Record<string, string> {
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
