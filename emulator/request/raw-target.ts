import type { HttpBindings } from "@hono/node-server";

/** What @hono/node-server binds; nothing without a socket. */
export function getNodeBindings(env: unknown): Partial<HttpBindings> {
  return (env as Partial<HttpBindings> | undefined) ?? noBindings;
}

const noBindings = {};

/**
 * The target of a request as the client sent it. A `Request` holds a URL, in which `%2E%2E` and `..` are folded away;
 * @hono/node-server binds the message that still has them.
 *
 * @param env what the server binds
 */
export function getRawTarget({ url }: Pick<Request, "url">, env: unknown): string {
  const sent = getNodeBindings(env).incoming?.url;
  const target = url.slice(startOfPath(url));
  if (sent === undefined || sent === target) return target;
  // middleware in front may have rewritten the request; then the raw target no longer applies
  return URL.canParse(sent, url) && new URL(sent, url).href === new URL(url).href ? sent : target;
}

/** Scheme and host of a URL, which was not parsed: a `Host` such as `999.0.0.1` is in no URL. */
export function getOrigin(url: string): string {
  return url.slice(0, startOfPath(url));
}

function startOfPath(url: string): number {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  return start < 0 ? url.length : start;
}
