import type { HttpBindings } from "@hono/node-server";

/** The bindings of @hono/node-server; empty without a socket. */
export function getNodeBindings(env: unknown): Partial<HttpBindings> {
  return (env as Partial<HttpBindings> | undefined) ?? noBindings;
}

const noBindings = {};

/**
 * Returns the target of a request as the client sent it. The URL of a `Request` no longer has `%2E%2E` and `..`, but
 * @hono/node-server binds the original message.
 *
 * @param env the bindings of the server
 */
export function getRawTarget({ url }: Pick<Request, "url">, env: unknown): string {
  const sent = getNodeBindings(env).incoming?.url;
  const target = url.slice(startOfPath(url));
  if (sent === undefined || sent === target) return target;
  // Middleware in front may have rewritten the request; then the raw target no longer applies.
  const whole = sent.startsWith("/") ? getOrigin(url) + sent : sent;
  return URL.canParse(whole) && new URL(whole).href === new URL(url).href ? sent : target;
}

/** Returns the scheme and host of a URL without parsing it: a URL parser rejects a `Host` such as `999.0.0.1`. */
export function getOrigin(url: string): string {
  return url.slice(0, startOfPath(url));
}

function startOfPath(url: string): number {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  return start < 0 ? url.length : start;
}
