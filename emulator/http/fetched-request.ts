/** What is read of a `Request`. */
export type FetchedRequest = Pick<Request, "method" | "url" | "headers" | "arrayBuffer">;

const plainMembers = new Set(["method", "headers", "body", "signal", "redirect"]);
const plainMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const redirects: readonly unknown[] = [undefined, "follow", "manual", "error"];
const encoder = new TextEncoder();

/**
 * What a call of `fetch` asks for. It is read as `Request` reads it; but to make one, with a stream and a signal of its own,
 * takes longer than most operations do, so a call with nothing but method, headers and a text is read here.
 *
 * @throws TypeError as `Request` does
 */
export function fetchedRequest(url: string | Request, init: RequestInit | undefined): FetchedRequest {
  return (typeof url === "string" ? plainRequest(url, init) : undefined) ?? new Request(url, init);
}

/** Nothing where there is more to it, or where `Request` would refuse it. */
function plainRequest(url: string, init: RequestInit = {}): FetchedRequest | undefined {
  const { method = "GET", headers: given, body, signal, redirect } = init;
  const isPlain =
    Object.keys(init).every((name) => plainMembers.has(name)) &&
    plainMethods.has(method) &&
    (body === undefined ||
      body === null ||
      (typeof body === "string" && !["GET", "HEAD"].includes(method))) &&
    (signal === undefined || signal === null || signal instanceof AbortSignal) &&
    redirects.includes(redirect);
  if (!isPlain) return undefined;
  const parsed = parsedUrl(url);
  if (parsed?.username !== "" || parsed.password !== "") return undefined;
  const headers = new Headers(given);
  if (typeof body === "string" && !headers.has("content-type"))
    headers.set("content-type", "text/plain;charset=UTF-8");
  return {
    method,
    url: parsed.href,
    headers,
    arrayBuffer: () => Promise.resolve(bytesOf(body ?? "")),
  };
}

function bytesOf(text: string): ArrayBuffer {
  const { buffer, byteOffset, byteLength } = encoder.encode(text);
  return buffer.byteLength === byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength);
}

function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
