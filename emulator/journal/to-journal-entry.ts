import { type Caller, getCallerId } from "../access/caller.js";
import { formatTimestamp } from "../time/timestamp.js";
import type { JournalEntry, RecordedBody, RecordedExchange } from "./recorded-exchange.js";
import { redactBody, redactHeader, redactPath } from "./redact.js";
import { findUnknownFields } from "../request/find-unknown-fields.js";

/** Operations whose bodies are credentials. */
const secretOperations: readonly (string | undefined)[] = ["login", "refreshSession", "switchOrganization"];

/** Formats an exchange as an entry of the journal, without credentials. */
export function toJournalEntry(exchange: RecordedExchange): JournalEntry {
  const { sequence, at, durationMs, operationId, caller, faults, method, status } = exchange;
  const takesSecrets = secretOperations.includes(operationId);
  const message = (headers: Headers, body: RecordedBody | null) => ({
    headers,
    body: body === null ? null : redactBody(body.toString(), takesSecrets),
    bodyBytes: body?.bytes ?? 0,
    bodyCut: body?.isCut === true,
  });
  return {
    sequence,
    at: formatTimestamp(at),
    durationMs: Math.round(durationMs * 1000) / 1000,
    operationId: operationId ?? null,
    caller: describeCaller(caller),
    faults: [...faults],
    unknownMembers: [...listUnknownFields(exchange)],
    request: {
      method,
      path: redactPath(exchange.path),
      ...message(toHeaders(exchange.requestHeaders), exchange.requestBody),
    },
    response: {
      status,
      ...message(toHeaders(Object.entries(exchange.responseHeaders).flat()), exchange.responseBody),
    },
  };
}

type Headers = Readonly<Record<string, string>>;

function toHeaders(given: RecordedExchange["requestHeaders"]): Headers {
  const pairs: (readonly [string, string])[] =
    "forEach" in given && !Array.isArray(given)
      ? [...(given as globalThis.Headers)]
      : toPairs(given as readonly string[]);
  const headers: Record<string, string> = {};
  for (const [name, value] of pairs) {
    const key = name.toLowerCase();
    const shown = redactHeader(key, value);
    headers[key] = key in headers ? `${headers[key] ?? ""}, ${shown}` : shown;
  }
  return headers;
}

function toPairs(list: readonly string[]): (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [];
  for (let index = 0; index + 1 < list.length; index += 2)
    pairs.push([list[index] ?? "", list[index + 1] ?? ""]);
  return pairs;
}

function describeCaller(caller: Caller | undefined): JournalEntry["caller"] {
  if (caller === undefined || caller.kind === "anonymous") return null;
  const { kind, organizationId } = caller;
  return { kind, id: getCallerId(caller) ?? "", organizationId };
}

/** Finds the fields and parameters of a request that were ignored because the contract does not define them. */
export function listUnknownFields({
  operationId,
  path,
  requestBody,
  profile,
  status,
}: RecordedExchange): readonly string[] {
  // a refusal already reports its mistakes
  if (operationId === undefined || status === 0 || status >= 400) return [];
  // a longer body is not searched
  const body = requestBody === null || requestBody.isCut ? null : requestBody.toString();
  return findUnknownFields({ operationId, path, body }, profile);
}
