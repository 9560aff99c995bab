/** A request of the fuzzer, as data: it can be written to a file and sent again. */
export interface FuzzRequest {
  /** What it was made from, for whoever reads a report. */
  readonly origin: string;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | undefined;
  /** Sent in place of all that, on a connection of its own. */
  readonly raw?: Uint8Array;
  /** Whether the headers may end the connection or say something else about the body than what is sent. */
  readonly isAlone?: true;
}

/** The bytes of a request as they go over the connection. */
export function bytesOf({ method, target, headers, body, raw }: FuzzRequest): Uint8Array {
  if (raw !== undefined) return raw;
  const lines = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  const hasLength = headers.some(([name]) => /^(?:content-length|transfer-encoding)$/i.test(name));
  if (body !== undefined && !hasLength) lines.push(`Content-Length: ${body.length}`);
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  return body === undefined ? head : Buffer.concat([head, body]);
}

/** Whether a request needs a connection of its own, because nobody can say where on it the next one would begin. */
export function needsOwnConnection({ raw, isAlone }: FuzzRequest): boolean {
  return raw !== undefined || isAlone === true;
}

export function headerOf(request: FuzzRequest, name: string): string | undefined {
  return request.headers.find(([given]) => given.toLowerCase() === name)?.[1];
}

/** The same request with one header set to another value, or taken away. */
export function withHeader(request: FuzzRequest, name: string, value: string | undefined): FuzzRequest {
  const others = request.headers.filter(([given]) => given.toLowerCase() !== name.toLowerCase());
  return { ...request, headers: value === undefined ? others : [...others, [name, value]] };
}

/** Where a request goes, as far as that can be read in it. */
export interface Place {
  readonly method: string;
  readonly namespace: string;
  /** Below the namespace, without the query. */
  readonly path: string;
}

export function placeOf({ method, target, raw }: FuzzRequest): Place {
  const sent =
    raw === undefined
      ? undefined
      : /^\s*([A-Za-z]+) +(\S+) HTTP/.exec(Buffer.from(raw).toString("latin1", 0, 10_000));
  const [whole = ""] = (sent?.[2] ?? target).replace(/^https?:\/\/[^/?#]*/i, "").split(/[?#]/);
  const [, namespace = "", path = whole] = /^\/ns\/([^/]*)(.*)$/.exec(whole) ?? [];
  return { method: sent?.[1] ?? method, namespace, path };
}

/** A text in a path or a query; what was learnt may hold half a pair, which has no form there. */
export function inUrl(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}
