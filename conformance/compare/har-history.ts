import { scopes } from "../../openapi/schemas/roles.js";
import type { Exchange } from "../client/exchange.js";
import { RunError } from "../client/violation.js";
import { actorNames } from "../target/needs.js";
import { findRoute } from "../client/find-route.js";
import { abstractHistory, type TracedEvent } from "./abstract-history.js";
import type { AnswerSchemas } from "./answer-schemas.js";
import type { History } from "./history.js";
import { type SharedValue, sharedValues } from "./shared-values.js";

interface HarHeader {
  readonly name: string;
  readonly value: string;
}

/** What is read of an entry; everything else in it may be of any form. */
interface HarEntry {
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers?: unknown;
    readonly postData?: unknown;
  };
  readonly response: { readonly status: number; readonly headers?: unknown; readonly content?: unknown };
}

/** Headers that are no part of what somebody asked for. */
const ofConnections =
  /^(:.*|host|connection|content-length|accept-encoding|transfer-encoding|cookie|user-agent|referer|sec-.*|origin|date)$/i;

/**
 * Reads recorded traffic as a history. What was there before the recording began is what all histories share: an unknown
 * database is the run's, a credential that nobody was given is the owner's, or the key that its name says.
 *
 * @throws RunTrouble when the text is no HTTP Archive, or has no request for the service
 */
export function harHistory(text: string, name: string, schemas: AnswerSchemas): History {
  const entries = readEntries(text, name);
  const shared = new Map<string, SharedValue>();
  const made = new Set<string>();
  const events: TracedEvent[] = [];
  const credentials = new Map<string, string>();
  let baseUrl: string | undefined;
  for (const [number, { request, response }] of entries.entries()) {
    const route = findRoute(request.method, request.url);
    if (route === undefined) continue;
    baseUrl ??= route.base;
    if (route.base !== baseUrl) continue;
    const headers = headersOf(request.headers);
    const body = textIn(request.postData);
    const [, password] = /"password"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(body ?? "") ?? [];
    if (password !== undefined) shared.set(password, sharedValues.login("owner", "password"));
    for (const [parameter, value] of Object.entries(route.path)) {
      const source = sharedBehind[parameter];
      if (source !== undefined && ![...made].some((answer) => answer.includes(value)))
        shared.set(value, source);
    }
    const credential = /^Bearer (.+)$/i.exec(headers.Authorization ?? "")?.[1];
    if (credential !== undefined && ![...made].some((answer) => answer.includes(credential))) {
      const { name: caller, source } = callerOf(credential);
      credentials.set(credential, caller);
      shared.set(credential, source);
    }
    const { encoding } = (response.content ?? {}) as { readonly encoding?: unknown };
    const content = textIn(response.content);
    const answer = encoding === "base64" && content !== undefined ? decoded(content) : content;
    made.add(answer ?? "");
    const exchange: Exchange = {
      number: number + 1,
      operationId: route.operationId,
      intent: "valid",
      caller: credentials.get(credential ?? "") ?? (credential === undefined ? "anonymous" : "session"),
      request: { method: request.method, url: request.url, headers, body: body === "" ? undefined : body },
      answer: { status: response.status, headers: headersOf(response.headers), body: answer ?? "" },
      setUp: false,
      startedAt: 0,
      durationMs: 0,
    };
    const { path } = route;
    events.push({ exchange, behavior: { path: keysOf(path, body) }, segment: 0 });
  }
  if (baseUrl === undefined) throw new RunError(`${name} has no request for an operation of the service`);
  const subject = { id: `har/${name}`, title: `recorded in ${name}`, needs: [] };
  return abstractHistory(subject, events, { baseUrl, run: noMark, shared }, schemas);
}

/** No text has it: what is recorded elsewhere has no mark of a run. */
const noMark = "\0";

/** What stands behind ids that were there before. */
const sharedBehind: Readonly<Record<string, SharedValue>> = {
  databaseId: sharedValues.database(),
  repositoryId: sharedValues.repository(),
  organizationId: sharedValues.organization("owner"),
};

/** Keys of items may be in the path or in the body; both are known to who sends the request in another way. */
function keysOf(
  path: Readonly<Record<string, string>>,
  body: string | undefined,
): Readonly<Record<string, string>> {
  try {
    const { pk, sk } = JSON.parse(body ?? "") as { readonly pk?: unknown; readonly sk?: unknown };
    return {
      ...path,
      ...(typeof pk === "string" && pk !== "" ? { pk } : {}),
      ...(typeof sk === "string" && sk !== "" ? { sk } : {}),
    };
  } catch {
    return path;
  }
}

/** Who bears a credential: what stands for a secret in our own recordings says so. */
function callerOf(credential: string): { readonly name: string; readonly source: SharedValue } {
  const name = credential.replace(/^\$/, "").toLowerCase();
  const actor = actorNames.find((known) => name === `${known}_token`);
  if (actor !== undefined) return { name: actor, source: sharedValues.session(actor, "accessToken") };
  const scope = scopes.find(
    (known) => name === `key_${known.replace("*", "all").replaceAll(/[^a-z]/g, "_")}`,
  );
  if (scope !== undefined) return { name: `key ${scope}`, source: sharedValues.key(scope) };
  return { name: "owner", source: sharedValues.session("owner", "accessToken") };
}

/** @throws RunTrouble when the text is no HTTP Archive */
function readEntries(text: string, name: string): readonly HarEntry[] {
  let log: { readonly entries?: unknown } | undefined;
  try {
    ({ log } = (JSON.parse(text) ?? {}) as { log?: { readonly entries?: unknown } });
  } catch {
    throw new RunError(`${name} is no HTTP Archive: it is no JSON`);
  }
  if (!Array.isArray(log?.entries)) throw new RunError(`${name} is no HTTP Archive: it has no log.entries`);
  // requests that were broken off have no response
  return (log.entries as readonly unknown[]).flatMap((entry) => {
    const { request, response } = (entry ?? {}) as Partial<HarEntry>;
    const isEntry =
      typeof request?.url === "string" &&
      typeof request.method === "string" &&
      Number.isInteger(response?.status);
    return isEntry ? [entry as HarEntry] : [];
  });
}

/** The headers of a request or a response that can be sent again. */
function headersOf(headers: unknown): Readonly<Record<string, string>> {
  const all = Array.isArray(headers) ? (headers as readonly (HarHeader | null)[]) : [];
  return Object.fromEntries(
    all
      .filter((header): header is HarHeader => isHeader(header))
      // in one spelling, or one header would be sent as two
      .map(({ name, value }): [string, string] => [spelled(name), value]),
  );
}

function isHeader(header: HarHeader | null): boolean {
  const { name, value } = (header ?? {}) as Partial<Record<keyof HarHeader, unknown>>;
  return (
    typeof name === "string" &&
    typeof value === "string" &&
    /^[-!#$%&'*+.^_`|~\w]+$/.test(name) &&
    /^[\t\x20-\x7e\x80-\xff]*$/.test(value) &&
    !ofConnections.test(name)
  );
}

function textIn(part: unknown): string | undefined {
  const { text } = (part ?? {}) as { readonly text?: unknown };
  return typeof text === "string" ? text : undefined;
}

function decoded(text = ""): string {
  return Buffer.from(text, "base64").toString("utf8");
}

/** The name of a header as the client spells those of its own. */
function spelled(name: string): string {
  return name.toLowerCase().replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
