import { reasonPhrases } from "./reason-phrases.js";

/** A request or response in an archive. */
interface HarMessage {
  readonly headers: Readonly<Record<string, string>>;
  /** The text of the body, or its beginning. */
  readonly body: string | null;
  readonly bodyBytes: number;
  readonly comment?: string | undefined;
}

interface HarExchange {
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly request: HarMessage & { readonly method: string; readonly url: string };
  /** The status is 0 if there was no response. */
  readonly response: HarMessage & { readonly status: number };
}

/** Builds an entry of an HTTP Archive 1.2, which browsers and proxies can open. */
export function buildHarEntry({ startedAt, durationMs, request, response }: HarExchange) {
  return {
    startedDateTime: startedAt,
    time: durationMs,
    request: {
      method: request.method,
      url: request.url,
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: listPairs(Object.entries(request.headers)),
      queryString: listPairs(new URL(request.url).searchParams),
      ...(request.body === null
        ? {}
        : {
            postData: {
              mimeType: getHeader(request, "content-type") ?? "",
              params: [],
              text: request.body,
              ...getComment(request),
            },
          }),
      headersSize: -1,
      bodySize: request.bodyBytes,
    },
    response: {
      status: response.status,
      statusText: reasonPhrases[response.status] ?? "",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: listPairs(Object.entries(response.headers)),
      content: {
        size: response.bodyBytes,
        mimeType: getHeader(response, "content-type") ?? "x-unknown",
        ...(response.body === null ? {} : { text: response.body }),
        ...getComment(response),
      },
      redirectURL: getHeader(response, "location") ?? "",
      headersSize: -1,
      bodySize: response.bodyBytes,
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
  };
}

function listPairs(pairs: Iterable<readonly [string, string]>) {
  return [...pairs].map(([name, value]) => ({ name, value }));
}

function getHeader({ headers }: HarMessage, wanted: string): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
}

function getComment({ comment }: HarMessage) {
  return comment === undefined ? {} : { comment };
}
