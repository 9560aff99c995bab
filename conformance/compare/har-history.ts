import { scopes } from "../../openapi/schemas/roles.js";
import type { Exchange } from "../client/exchange.js";
import { RunTrouble } from "../client/violation.js";
import { actorNames } from "../target/needs.js";
import type { History, Source } from "./command.js";
import { KnownValues } from "./known-values.js";
import { routeOf } from "./route-of.js";
import type { AnswerSchemas } from "./schema-of-answer.js";
import { toHistory } from "./to-history.js";
import type { Traced } from "./trace-recorder.js";

interface HarHeader {
  readonly name: string;
  readonly value: string;
}

interface HarEntry {
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers?: readonly HarHeader[];
    readonly postData?: { readonly text?: string };
  };
  readonly response: {
    readonly status: number;
    readonly headers?: readonly HarHeader[];
    readonly content?: { readonly text?: string; readonly encoding?: string };
  };
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
  const known = new KnownValues();
  const made = new Set<string>();
  const events: Traced[] = [];
  const credentials = new Map<string, string>();
  let baseUrl: string | undefined;
  for (const [number, entry] of entries.entries()) {
    if (!isEntry(entry)) continue;
    const { request, response } = entry;
    const route = routeOf(request.method, request.url);
    if (route === undefined) continue;
    baseUrl ??= route.base;
    if (route.base !== baseUrl) continue;
    if (!isWhole(entry))
      throw new RunTrouble(`${name} cannot be sent again: log.entries[${number}] is malformed`);
    const headers = headersOf(request.headers);
    const body = request.postData?.text;
    for (const [parameter, value] of Object.entries(route.path)) {
      const source = sharedBehind[parameter];
      if (source !== undefined && ![...made].some((answer) => answer.includes(value)))
        known.add(value, source);
    }
    const credential = /^Bearer (.+)$/i.exec(headers.Authorization ?? "")?.[1];
    if (credential !== undefined && ![...made].some((answer) => answer.includes(credential))) {
      const { name: caller, source } = callerOf(credential);
      credentials.set(credential, caller);
      known.add(credential, source);
    }
    const answer =
      response.content?.encoding === "base64" ? decoded(response.content.text) : response.content?.text;
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
    events.push({
      kind: "exchange",
      exchange,
      manner: { path: keysOf(path, body) },
      segment: 0,
      isControl: false,
    });
  }
  if (baseUrl === undefined) throw new RunTrouble(`${name} has no request for an operation of the service`);
  const subject = { id: `har/${name}`, title: `recorded in ${name}`, needs: [] };
  return toHistory(subject, events, {
    baseUrl,
    run: noMark,
    schemas,
    known,
    passwordOf: (email) =>
      email.includes("@")
        ? {
            text: passwordNear(events, email),
            template: [{ sources: [{ from: "login", of: "owner", member: "password" }] }],
          }
        : undefined,
  });
}

/** No text has it: what is recorded elsewhere has no mark of a run. */
const noMark = "\0";

/** What stands behind ids that were there before. */
const sharedBehind: Readonly<Record<string, Source>> = {
  databaseId: { from: "shared", what: "database" },
  repositoryId: { from: "shared", what: "repository" },
  organizationId: { from: "login", of: "owner", member: "organizationId" },
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
function callerOf(credential: string): { readonly name: string; readonly source: Source } {
  const name = credential.replace(/^\$/, "").toLowerCase();
  const actor = actorNames.find((known) => name === `${known}_token`);
  if (actor !== undefined)
    return { name: actor, source: { from: "session", of: actor, member: "accessToken" } };
  const scope = scopes.find(
    (known) => name === `key_${known.replace("*", "all").replaceAll(/[^a-z]/g, "_")}`,
  );
  if (scope !== undefined) return { name: `key ${scope}`, source: { from: "key", of: scope } };
  return { name: "owner", source: { from: "session", of: "owner", member: "accessToken" } };
}

/** What a login was sent as the password of an address. */
function passwordNear(events: readonly Traced[], email: string): string {
  for (const event of events) {
    const body = event.kind === "exchange" ? event.exchange.request.body : undefined;
    if (body?.includes(email) !== true) continue;
    const [, password] = /"password"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(body) ?? [];
    if (password !== undefined) return password;
  }
  return noMark;
}

function readEntries(text: string, name: string): readonly unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RunTrouble(`${name} is no HTTP Archive: it is no JSON`);
  }
  const { log } = (value ?? {}) as { readonly log?: { readonly entries?: unknown } };
  if (!Array.isArray(log?.entries)) throw new RunTrouble(`${name} is no HTTP Archive: it has no log.entries`);
  return log.entries as readonly unknown[];
}

/** Whether an entry has a request and a response; those that were broken off have none. */
function isEntry(entry: unknown): entry is HarEntry {
  if (!isRecord(entry) || !isRecord(entry.request) || !isRecord(entry.response)) return false;
  const { request, response } = entry;
  return (
    typeof request.url === "string" && typeof request.method === "string" && Number.isInteger(response.status)
  );
}

/** Whether everything else of an entry has the form that the format gives it, so that it can be sent again. */
function isWhole({ request, response }: HarEntry): boolean {
  const { postData = {} }: { readonly postData?: unknown } = request;
  const { content = {} }: { readonly content?: unknown } = response;
  return (
    areHeaders(request.headers) &&
    areHeaders(response.headers) &&
    isRecord(postData) &&
    isTextOrAbsent(postData.text) &&
    isRecord(content) &&
    isTextOrAbsent(content.text)
  );
}

function areHeaders(headers: unknown = []): boolean {
  return (
    Array.isArray(headers) &&
    headers.every(
      (header) =>
        isRecord(header) &&
        typeof header.name === "string" &&
        typeof header.value === "string" &&
        isHeader(header),
    )
  );
}

/** Whether a request can be sent with the header; those of connections are not sent again. */
function isHeader({ name, value }: Readonly<Record<string, unknown>>): boolean {
  return (
    ofConnections.test(String(name)) ||
    (/^[-!#$%&'*+.^_`|~\w]+$/.test(String(name)) && /^[\t\x20-\x7e\x80-\xff]*$/.test(String(value)))
  );
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function headersOf(headers: readonly HarHeader[] = []): Readonly<Record<string, string>> {
  return Object.fromEntries(
    headers
      .filter(({ name }) => !ofConnections.test(name))
      // in one spelling, or one header would be sent as two
      .map(({ name, value }): [string, string] => [spelled(name), value]),
  );
}

function decoded(text = ""): string {
  return Buffer.from(text, "base64").toString("utf8");
}

/** The name of a header as the client spells those of its own. */
function spelled(name: string): string {
  return name.toLowerCase().replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
