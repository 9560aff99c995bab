import { buildHarEntry } from "../../openapi/document/har.js";
import { version } from "../domain/version.js";
import { getOrigin } from "../request/raw-target.js";
import type { JournalEntry, RecordedExchange } from "./recorded-exchange.js";
import { toJournalEntry } from "./to-journal-entry.js";

/** Converts journal entries to an HTTP Archive 1.2. Names of additional fields start with `_`. */
export function toHar(exchanges: readonly RecordedExchange[]) {
  return {
    log: {
      version: "1.2",
      creator: { name: "data-service-emulator", version },
      entries: exchanges.map((exchange) => toHarEntry(toJournalEntry(exchange), exchange.baseUrl())),
    },
  };
}

/** An HTTP Archive. */
export type Har = ReturnType<typeof toHar>;

function toHarEntry(entry: JournalEntry, baseUrl: string) {
  const { sequence, at, durationMs, operationId, caller, faults, request, response } = entry;
  const url = replaceInvalidOrigin(baseUrl) + request.path;
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

/** A URL cannot have the origin if the client sent an invalid `Host` header. */
function replaceInvalidOrigin(baseUrl: string): string {
  return URL.canParse(baseUrl) ? baseUrl : `http://localhost${baseUrl.slice(getOrigin(baseUrl).length)}`;
}

function describeCut({ bodyCut, bodyBytes }: JournalEntry["request"] | JournalEntry["response"]) {
  return bodyCut ? `only the beginning of the body, which has ${bodyBytes} bytes` : undefined;
}
