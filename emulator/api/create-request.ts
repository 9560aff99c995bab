import { getFetchGlobals } from "./fetch-globals.js";

/** Where the requests of a client are sent. */
interface Destination {
  /** Replaces the origin of each URL. */
  readonly origin?: string;
  /** The origin for URLs without one, if `origin` is not set. */
  readonly originOfPaths?: string | undefined;
  /** Path of the namespace, added to paths that do not start with it; may be empty. */
  readonly prefix: string;
}

/**
 * Creates a request to a namespace. Only the path and query of the URL matter, so that a client with any base URL
 * reaches the namespace.
 */
export async function createRequest(
  destination: Destination,
  input: string | URL | Request,
  init: RequestInit | undefined,
): Promise<Request> {
  const { Request } = getFetchGlobals();
  if (typeof input !== "object" || !("url" in input))
    return new Request(resolveUrl(destination, String(input)), init);
  // copied field by field: a request from another realm, as in Vitest's jsdom environment, is not a `Request` here
  const { method, headers, signal } = input;
  const hasBody = method !== "GET" && method !== "HEAD" && init?.body === undefined;
  const body = hasBody ? await input.arrayBuffer() : null;
  return new Request(resolveUrl(destination, input.url), {
    method,
    headers: [...headers],
    body,
    signal,
    ...init,
  });
}

function resolveUrl({ origin, originOfPaths, prefix }: Destination, url: string): string {
  const [, ownOrigin = originOfPaths ?? "http://localhost", rest = ""] =
    /^([a-z]+:\/\/[^/?#]*)?(.*)$/is.exec(url) ?? [];
  const path = /^[/?#]|^$/.test(rest) ? rest : `/${rest}`;
  const isWithin = prefix === "" || path === prefix || path.startsWith(`${prefix}/`);
  return `${origin ?? ownOrigin}${isWithin ? "" : prefix}${path}`;
}
