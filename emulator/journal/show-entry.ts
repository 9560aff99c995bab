import type { Caller } from "../access/caller.js";
import { timestamp } from "../time/timestamp.js";
import type { JournalEntry, RecordedExchange } from "./recorded-exchange.js";
import { ByteText, CutBody, type RecordedBody, textOf } from "./recorded-body.js";
import { redactBody, redactHeader, redactPath } from "./redact.js";
import { unknownMembers } from "./unknown-members.js";

/** Operations whose bodies are credentials. */
const aboutSecrets: readonly (string | undefined)[] = ["login", "refreshSession", "switchOrganization"];

/** An entry as it may be shown: without credentials, which are looked for when it is read. */
export function showEntry(exchange: RecordedExchange): JournalEntry {
  const { sequence, at, durationMs, operationId, caller, faults, method, status } = exchange;
  const takesSecrets = aboutSecrets.includes(operationId);
  const message = (headers: Headers, body: RecordedBody) => ({
    headers,
    body: body === null ? null : redactBody(textOf(body), takesSecrets),
    bodyBytes: lengthOf(body),
    bodyCut: body instanceof CutBody,
  });
  return {
    sequence,
    at: timestamp(at),
    durationMs: Math.round(durationMs * 1000) / 1000,
    operationId: operationId ?? null,
    caller: shownCaller(caller),
    faults: [...faults],
    unknownMembers: [...unknownMembers(exchange)],
    request: {
      method,
      path: redactPath(exchange.path),
      ...message(headersOf(exchange.requestHeaders), exchange.requestBody),
    },
    response: {
      status,
      ...message(headersOf(Object.entries(exchange.responseHeaders).flat()), exchange.responseBody),
    },
  };
}

type Headers = Readonly<Record<string, string>>;

function headersOf(given: RecordedExchange["requestHeaders"]): Headers {
  const pairs: (readonly [string, string])[] =
    "forEach" in given && !Array.isArray(given)
      ? [...(given as globalThis.Headers)]
      : pairsOf(given as readonly string[]);
  const headers: Record<string, string> = {};
  for (const [name, value] of pairs) {
    const key = name.toLowerCase();
    const shown = redactHeader(key, value);
    headers[key] = key in headers ? `${headers[key] ?? ""}, ${shown}` : shown;
  }
  return headers;
}

function pairsOf(list: readonly string[]): (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [];
  for (let index = 0; index + 1 < list.length; index += 2)
    pairs.push([list[index] ?? "", list[index + 1] ?? ""]);
  return pairs;
}

function lengthOf(body: RecordedBody): number {
  if (body === null) return 0;
  if (body instanceof ByteText) return body.length;
  return body instanceof CutBody ? body.bytes : Buffer.byteLength(body);
}

function shownCaller(caller: Caller | undefined): JournalEntry["caller"] {
  if (caller === undefined || caller.kind === "anonymous") return null;
  const { kind, organizationId } = caller;
  return { kind, id: kind === "user" ? caller.userId : caller.apiKeyId, organizationId };
}
