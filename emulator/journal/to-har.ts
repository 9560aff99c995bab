import { buildHarEntry } from "../../openapi/document/har.js";
import { version } from "../domain/version.js";
import type { JournalEntry, RecordedExchange } from "./recorded-exchange.js";
import { toJournalEntry } from "./to-journal-entry.js";

/** Converts journal entries to an HTTP Archive 1.2. Names of additional fields start with `_`. */
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
  const url = `${getOrigin(request.headers.host)}${namespace === "" ? "" : `/ns/${namespace}`}${request.path}`;
  return {
    ...buildHarEntry({
      startedAt: at,
      durationMs,
      request: { ...request, url, comment: describeCut(request) },
      response: { ...response, comment: describeCut(response) },
    }),
    _sequence: sequence,
    _operationId: operationId,
    _caller: caller,
    _faults: faults,
  };
}

/** Returns a valid origin. A client can send an invalid `Host` header, and an in-process request has none. */
function getOrigin(host = "localhost"): string {
  return URL.canParse(`http://${host}`) ? `http://${host}` : "http://localhost";
}

function describeCut({ bodyCut, bodyBytes }: JournalEntry["request"] | JournalEntry["response"]) {
  return bodyCut ? `only the beginning of the body, which has ${bodyBytes} bytes` : undefined;
}
