import type { Caller } from "../access/caller.js";
import { timestamp } from "../time/timestamp.js";
import type { JournalEntry, RecordedExchange } from "./recorded-exchange.js";
import { ByteText, CutBody, type RecordedBody, textOf } from "./recorded-body.js";
import { Redactor } from "./redact.js";
import { unknownMembers } from "./unknown-members.js";

/** Operations whose bodies are credentials. */
const aboutSecrets: readonly (string | undefined)[] = ["login", "refreshSession", "switchOrganization"];

/** An entry as it may be shown: without credentials, which are looked for when it is read. */
export function showEntry(exchange: RecordedExchange): JournalEntry {
  const { sequence, at, durationMs, operationId, caller, faults, method, status } = exchange;
  const redactor = new Redactor();
  const takesSecrets = aboutSecrets.includes(operationId);
  const body = (recorded: RecordedBody) =>
    recorded === null ? null : redactor.body(textOf(recorded), takesSecrets);
  // all parts say what is secret in them, before it is hidden in all
  const path = redactor.path(exchange.path);
  const requestHeaders = headersOf(exchange.requestHeaders, redactor);
  const requestBody = body(exchange.requestBody);
  const responseHeaders = headersOf(Object.entries(exchange.responseHeaders).flat(), redactor);
  const responseBody = body(exchange.responseBody);
  const hide = (text: string) => redactor.everywhere(text);
  const shownPath = hide(path);
  const message = (headers: Headers, text: string | null, body: RecordedBody) => ({
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, hide(value)])),
    body: text === null ? null : hide(text),
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
    unknownMembers: unknownMembers(exchange).map(hide),
    request: {
      method,
      // what is hidden as a whole is still a path, for those who make an address of it
      path: shownPath.startsWith("/") ? shownPath : `/${shownPath}`,
      ...message(requestHeaders, requestBody, exchange.requestBody),
    },
    response: { status, ...message(responseHeaders, responseBody, exchange.responseBody) },
  };
}

type Headers = Readonly<Record<string, string>>;

function headersOf(given: RecordedExchange["requestHeaders"], redactor: Redactor): Headers {
  const pairs: (readonly [string, string])[] =
    "forEach" in given && !Array.isArray(given)
      ? [...(given as globalThis.Headers)]
      : pairsOf(given as readonly string[]);
  const headers: Record<string, string> = {};
  for (const [name, value] of pairs) {
    const key = name.toLowerCase();
    const shown = redactor.header(key, value);
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
