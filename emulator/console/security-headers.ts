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
