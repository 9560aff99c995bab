/**
 * A request of the fuzzer, as data: it can be written to a file and sent again. Bodies and raw requests are bytes, one
 * character each.
 */
export interface FuzzRequest {
  /** What it was made from, for whoever reads a report. */
  readonly origin: string;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | undefined;
  /** Sent in place of all that. */
  readonly raw?: string;
  /** Whether the headers may end the connection or say something else about the body than what is sent. */
  readonly isOdd?: true;
}

/** Where most requests go. */
export const fuzzedNamespace = "fuzz";

/** The bytes of a request as they go over the connection. */
export function bytesOf({ method, target, headers, body, raw }: FuzzRequest): string {
  if (raw !== undefined) return raw;
  const lines = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  const hasLength = headers.some(([name]) => /^(?:content-length|transfer-encoding)$/i.test(name));
  if (body !== undefined && !hasLength) lines.push(`Content-Length: ${body.length}`);
  return `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}

/** JSON as the bytes of a body. */
export function bytesOfText(text: string): string {
  return Buffer.from(text).toString("latin1");
}

/** The text that the bytes of a body stand for. */
export function textOfBytes(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString();
}

/** Whether nobody can say what of a request is read as one. */
export function isOddlyFramed({ raw, isOdd }: FuzzRequest): boolean {
  return raw !== undefined || isOdd === true;
}

/** The same request with one header set to another value, or taken away. */
export function withHeader(request: FuzzRequest, name: string, value: string | undefined): FuzzRequest {
  const others = request.headers.filter(([given]) => given.toLowerCase() !== name.toLowerCase());
  return { ...request, headers: value === undefined ? others : [...others, [name, value]] };
}

/** Where a request goes, as far as that can be read in it: the path below the namespace, without the query. */
export function getMethodAndPath({ method, target, raw }: FuzzRequest): {
  readonly method: string;
  readonly path: string;
} {
  const sent = raw === undefined ? null : /^\s*([A-Za-z]+) +(\S+) HTTP/.exec(raw.slice(0, 10_000));
  const [whole = ""] = (sent?.[2] ?? target).replace(/^https?:\/\/[^/?#]*/i, "").split(/[?#]/);
  return { method: sent?.[1] ?? method, path: whole.replace(/^\/ns\/[^/]*/, "") };
}

/** A text in a path or a query; what was learnt may hold half a pair, which has no form there. */
export function inUrl(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}
