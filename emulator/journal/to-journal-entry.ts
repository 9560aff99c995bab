import { type Caller, getCallerId } from "../access/caller.js";
import { formatTimestamp } from "../time/timestamp.js";
import type { JournalEntry, RecordedBody, RecordedExchange } from "./recorded-exchange.js";
import { redactBody, redactHeader, redactPath } from "./redact.js";
import { listUnknownFields } from "./list-unknown-fields.js";

/** Operations whose bodies contain credentials. */
const secretOperations: readonly (string | undefined)[] = ["login", "refreshSession", "switchOrganization"];

/** Formats an exchange as an entry of the journal, without credentials. */
export function toJournalEntry(exchange: RecordedExchange): JournalEntry {
  const { sequence, at, durationMs, operationId, caller, faults, method, status } = exchange;
  const hasSecrets = secretOperations.includes(operationId);
  const message = (headers: Headers, body: RecordedBody | null) => ({
    headers,
    body: body === null ? null : redactBody(body.toString(), hasSecrets),
    bodyBytes: body?.bytes ?? 0,
    bodyCut: body?.isCut === true,
  });
  return {
    sequence,
    at: formatTimestamp(at),
    durationMs: Math.round(durationMs * 1000) / 1000,
    operationId: operationId ?? null,
    caller: describeCaller(caller),
    faults: faults.map(({ faultId }) => faultId),
    unknownFields: [...listUnknownFields(exchange)],
    request: {
      method,
      path: redactPath(exchange.path),
      ...message(toHeaders(exchange.requestHeaders), exchange.requestBody),
    },
    response: {
      status,
      ...message(
        toHeaders(Object.entries(exchange.responseHeaders).flat()),
        // The body of a response to HEAD is recorded only for the log.
        method === "HEAD" ? null : exchange.responseBody,
      ),
    },
  };
}

type Headers = Readonly<Record<string, string>>;

function toHeaders(given: RecordedExchange["requestHeaders"]): Headers {
  const list = Array.isArray(given) ? (given as string[]) : [...(given as globalThis.Headers)].flat();
  // A header may have the name of a property that objects inherit.
  const headers = new Map<string, string>();
  for (let at = 0; at + 1 < list.length; at += 2) {
    const key = (list[at] ?? "").toLowerCase();
    const shown = redactHeader(key, list[at + 1] ?? "");
    const before = headers.get(key);
    headers.set(key, before === undefined ? shown : `${before}, ${shown}`);
  }
  return Object.fromEntries(headers);
}

function describeCaller(caller: Caller | undefined): JournalEntry["caller"] {
  if (caller === undefined || caller.kind === "anonymous") return null;
  const { kind, organizationId } = caller;
  return { kind, id: getCallerId(caller) ?? "", organizationId };
}
