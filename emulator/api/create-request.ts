/** The globals of Node that are needed to send requests. */
type FetchGlobals = Pick<typeof globalThis, "AbortSignal" | "fetch" | "Request" | "TextDecoder">;

/**
 * Returns Node's own globals if the environment has no `fetch`, like Jest's environment jsdom. Node's `fetch` accepts only
 * Node's own `AbortSignal`.
 */
export function getFetchGlobals(): FetchGlobals {
  if ("fetch" in globalThis) return globalThis;
  return process.getBuiltinModule("node:vm").runInThisContext("globalThis") as FetchGlobals;
}

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
 * reaches the namespace. Like `fetch`, it also reads a `Request` as `init`.
 *
 * @throws TypeError for a URL with a fragment, which `fetch` would not send: usually a key was not encoded
 */
export async function createRequest(
  destination: Destination,
  input: string | URL | Request,
  init: RequestInit | undefined,
  overrides: RequestInit = {},
): Promise<Request> {
  const { Request } = getFetchGlobals();
  const changes = { ...(isRequest(init) ? await copyRequest(init) : init), ...overrides };
  if (typeof input !== "object" || !isRequest(input))
    return new Request(resolveUrl(destination, String(input)), changes);
  return new Request(resolveUrl(destination, input.url), {
    ...(await copyRequest(input, changes.body === undefined)),
    ...changes,
  });
}

function isRequest(value: URL | Request | RequestInit | undefined): value is Request {
  return value !== undefined && "url" in value;
}

/** Copies a request field by field, because it may come from another realm, as in Vitest's environment jsdom. */
async function copyRequest(request: Request, withBody = true): Promise<RequestInit> {
  const { method, headers, signal } = request;
  const hasBody = withBody && method !== "GET" && method !== "HEAD";
  return { method, headers: [...headers], body: hasBody ? await request.arrayBuffer() : null, signal };
}

function resolveUrl({ origin, originOfPaths, prefix }: Destination, url: string): string {
  const [, ownOrigin = originOfPaths ?? "http://localhost", rest = ""] =
    /^([a-z]+:\/\/[^/?#]*)?(.*)$/is.exec(url) ?? [];
  const fragment = rest.indexOf("#");
  if (fragment >= 0)
    throw new TypeError(
      `the part ${JSON.stringify(rest.slice(fragment))} of the URL ${JSON.stringify(url)} would not be sent; in a key, write # as %23 (use encodeURIComponent)`,
    );
  const path = /^[/?#]|^$/.test(rest) ? rest : `/${rest}`;
  const isWithin = prefix === "" || path === prefix || path.startsWith(`${prefix}/`);
  return `${origin ?? ownOrigin}${isWithin ? "" : prefix}${path}`;
}
