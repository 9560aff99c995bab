import { reasonPhrases } from "../../openapi/document/reason-phrases.js";
import { version } from "../domain/version.js";
import type { JournalEntry, RecordedExchange } from "./recorded-exchange.js";
import { toJournalEntry } from "./to-journal-entry.js";

/** An HTTP Archive 1.2 of journal entries, as browsers' tools and proxies open it. Fields of ours begin with `_`. */
export function toHar(exchanges: readonly RecordedExchange[]) {
  return {
    log: {
      version: "1.2",
      creator: { name: "data-service-emulator", version },
      entries: exchanges.map((exchange) => toHarEntry(toJournalEntry(exchange), exchange.namespace)),
    },
  };
}

/** An HTTP Archive. */
export type Har = ReturnType<typeof toHar>;

function toHarEntry(entry: JournalEntry, namespace: string) {
  const { sequence, at, durationMs, operationId, caller, faults, request, response } = entry;
  return {
    startedDateTime: at,
    time: durationMs,
    request: {
      method: request.method,
      url: `${getOrigin(request.headers.host)}${namespace === "" ? "" : `/ns/${namespace}`}${request.path}`,
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: toHarHeaders(request.headers),
      queryString: toHarQuery(request.path),
      ...(request.body === null
        ? {}
        : {
            postData: {
              mimeType: request.headers["content-type"] ?? "",
              params: [],
              text: request.body,
              ...describeCut(request),
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
      headers: toHarHeaders(response.headers),
      content: {
        size: response.bodyBytes,
        mimeType: response.headers["content-type"] ?? "x-unknown",
        ...(response.body === null ? {} : { text: response.body }),
        ...describeCut(response),
      },
      redirectURL: "",
      headersSize: -1,
      bodySize: response.bodyBytes,
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    _sequence: sequence,
    _operationId: operationId,
    _caller: caller,
    _faults: faults,
  };
}

/** The host comes from the client, so it may be no host at all; a request of the same process has none. */
function getOrigin(host = "localhost"): string {
  return URL.canParse(`http://${host}`) ? `http://${host}` : "http://localhost";
}

function toHarHeaders(headers: Readonly<Record<string, string>>) {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

function toHarQuery(path: string) {
  const mark = path.indexOf("?");
  if (mark < 0) return [];
  return [...new URLSearchParams(path.slice(mark + 1))].map(([name, value]) => ({ name, value }));
}

function describeCut({ bodyCut, bodyBytes }: JournalEntry["request"] | JournalEntry["response"]) {
  return bodyCut ? { comment: `the beginning of ${bodyBytes} bytes` } : {};
}
