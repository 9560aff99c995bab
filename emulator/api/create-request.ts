/** Where the requests of a handle go. */
interface Destination {
  /** Takes the place of the origin of each URL. */
  readonly origin?: string;
  /** The origin of paths, where URLs keep theirs. */
  readonly originOfPaths?: string | undefined;
  /** The path of the namespace, which is put before paths that do not begin with it; empty where there is none. */
  readonly prefix: string;
}

/**
 * A request for a namespace. Of its URL only path and query choose what is asked, so that a client with any base URL reaches
 * the namespace.
 */
export async function createRequest(
  destination: Destination,
  input: string | URL | Request,
  init: RequestInit | undefined,
): Promise<Request> {
  if (typeof input !== "object" || !("url" in input))
    return new Request(resolveUrl(destination, String(input)), init);
  // field by field: a request of another realm, as in Vitest's jsdom environment, is no `Request` here
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
  const [, ownOrigin = originOfPaths ?? "http://localhost", path = "/"] =
    /^([a-z]+:\/\/[^/?#]*)?(.*)$/is.exec(url) ?? [];
  const isWithin = prefix === "" || path === prefix || path.startsWith(`${prefix}/`);
  return `${origin ?? ownOrigin}${isWithin ? "" : prefix}${path}`;
}
