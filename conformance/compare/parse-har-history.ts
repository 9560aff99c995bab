import type { OperationId } from "../../openapi/operations/register.js";
import { formatCount } from "../../openapi/text/format-count.js";
import type { Exchange } from "../client/exchange.js";
import { parseBody } from "../client/json-text.js";
import { RunError } from "../client/violation.js";
import { findRoute } from "../client/find-route.js";
import { isWrite } from "../client/is-write.js";
import { parameterizeHistory } from "./parameterize-history.js";
import type { ResponseSchemas } from "./response-schemas.js";
import type { HistoryStep, TracedEvent } from "./history.js";
import type { RecordedHistories } from "./record-histories.js";
import { type SharedValue, sharedValues } from "./shared-values.js";

type Route = NonNullable<ReturnType<typeof findRoute>>;

/** The fields of an entry that are read; all other fields may have any form. */
interface HarEntry {
  readonly request: Record<"method" | "url", string> & Partial<Record<"headers" | "postData", unknown>>;
  readonly response: { readonly status: number } & Partial<Record<"headers" | "content", unknown>>;
}

/** The headers of a request that are sent again; others may have another meaning for a gateway, or contain its credentials. */
const requestHeaders: ReadonlySet<string> = new Set(["Accept", "Authorization", "Content-Type"]);

/** Response headers with secrets. */
const secretHeader = /cookie|token|secret|password|api-?key/i;

/** Query parameters that contain credentials, which no operation has. */
const omittedParameters = /^((access|id|auth)[-_]?token|token|api[-_]?key|key|secret|password)$/i;

/** What the emulator's journal shows instead of any credential or password. */
const redacted = "[redacted]";

/** Stands for the access token of the owner. */
const ownerCredential = "owner-credential";

/** An entry with its route; undefined if it is for no known operation. */
interface RoutedEntry extends HarEntry {
  readonly route: Route | undefined;
}

interface HarOptions {
  readonly schemas: ResponseSchemas;
  /** Whether the targets may contain other data, so that the history may write only to the run's database. */
  readonly hasPreexistingData: boolean;
}

/**
 * Parses recorded traffic as a history. Resources from before the recording are replaced with those that all histories
 * share: an unknown database with the run's database, and an unknown credential with the owner's. If the targets have other
 * data, all databases and repositories are replaced with the run's, and requests that change databases,
 * organizations, members or subscriptions are left out.
 *
 * @returns the history, and which requests it leaves out: `errors` are those that may be for the service
 * @throws RunError when the text is not an HTTP Archive, or contains no request to the service
 */
export function parseHarHistory(text: string, name: string, options: HarOptions): RecordedHistories {
  const { schemas, hasPreexistingData } = options;
  const entries = readEntries(text, name).map(({ request, response }): RoutedEntry => {
    const url = normalizeUrl(request.url);
    return { request: { ...request, url }, response, route: findRoute(request.method, url) };
  });
  const baseUrl = findMostFrequent(entries.flatMap(({ route }) => route?.base ?? []));
  if (baseUrl === undefined) throw new RunError(`${name} contains no requests for the service's operations`);
  const { events, shared, unsafe } = traceEntries(entries, baseUrl, hasPreexistingData);
  const subject = { id: `har/${name}`, title: `recorded in ${name}`, needs: [] };
  // Recorded traffic has no run id, so the run id is a text that does not occur.
  const history = parameterizeHistory(
    subject,
    events,
    { baseUrl, run: "\0", isTraffic: true, shared },
    schemas,
  );
  const steps = history.steps.map((step) => ({ ...step, names: listNames(step, shared) }));
  return { histories: [{ ...history, steps }], ...describeOmitted(history.id, entries, baseUrl, unsafe) };
}

/** Returns the most frequent text, the first of several; other services may have paths such as `/health`, too. */
function findMostFrequent(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

interface Trace {
  readonly events: readonly TracedEvent[];
  /** The sources of the values that differ between targets. */
  readonly shared: ReadonlyMap<string, SharedValue>;
  /** The requests that may not be sent, because the targets may contain other data. */
  readonly unsafe: readonly RoutedEntry[];
}

/** Reads the requests to the service, in order. */
function traceEntries(entries: readonly RoutedEntry[], baseUrl: string, hasPreexistingData: boolean): Trace {
  const shared = new Map([[ownerCredential, sharedValues.session("owner", "accessToken")]]);
  const events: TracedEvent[] = [];
  /** Strings in the responses so far; all other values existed before the recording. */
  const returned = new Set<string>();
  const unsafe: RoutedEntry[] = [];
  for (const [number, entry] of entries.entries()) {
    const { request, response, route } = entry;
    if (route?.base !== baseUrl) continue;
    const headers = readHeaders(request.headers, (name) => requestHeaders.has(name));
    let body = decodeText(request.postData);
    const answer = decodeText(response.content) ?? "";
    const answerBody = parseBody(answer);
    if (hasPreexistingData && isWrite(request.method, body, route.operationId) && !writesToDatabase(route)) {
      unsafe.push(entry);
      continue;
    }
    const fields = (parseBody(body ?? "") ?? {}) as Readonly<Record<string, unknown>>;
    for (const [field, source] of Object.entries(ownerFields[route.operationId] ?? {})) {
      const value = fields[field];
      if (typeof value !== "string" || value === "") continue;
      // The journal shows all secrets as the same text.
      const recorded = value === redacted ? `owner-${field}` : value;
      if (value === redacted) body = JSON.stringify({ ...fields, [field]: recorded });
      shared.set(recorded, source);
    }
    const { organizationId } = fields;
    const isSwitch = route.operationId === "switchOrganization" && typeof organizationId === "string";
    for (const [parameter, value] of Object.entries(isSwitch ? { organizationId } : route.path)) {
      const source = sharedParameters[parameter];
      if (source !== undefined && (hasPreexistingData || !returned.has(value))) shared.set(value, source);
    }
    const credential = /^Bearer (.+)$/i.exec(headers.Authorization ?? "")?.[1];
    const isKnown = credential !== undefined && credential !== redacted && returned.has(credential);
    if (credential === undefined) delete headers.Authorization;
    else if (!isKnown) headers.Authorization = `Bearer ${ownerCredential}`;
    // The run's data need not be in the organization of a new session, so its tokens are replaced with the owner's.
    if (ownerFields[route.operationId] === undefined) addStrings(answerBody, returned);
    const caller = credential === undefined ? "anonymous" : isKnown ? "session" : "owner";
    const exchange: Exchange = {
      number: number + 1,
      operationId: route.operationId,
      intent: "valid",
      caller,
      request: { method: request.method, url: request.url, headers, body: body === "" ? undefined : body },
      answer: {
        status: response.status,
        headers: readHeaders(response.headers, (name) => !secretHeader.test(name)),
        body: answer,
      },
      setUp: false,
      startedAt: 0,
      durationMs: 0,
    };
    events.push({ exchange, behavior: { path: { ...route.path, ...getItemKeys(body) } } });
  }
  return { events, shared, unsafe };
}

/** Describes the requests that the history with an id leaves out. */
function describeOmitted(
  id: string,
  entries: readonly RoutedEntry[],
  baseUrl: string,
  unsafe: readonly RoutedEntry[],
): Pick<RecordedHistories, "omitted" | "errors"> {
  const others = entries.filter(({ route }) => route?.base !== baseUrl);
  const mayBeForService = ({ route, request: { method, url } }: RoutedEntry) =>
    route !== undefined || (method !== "OPTIONS" && url.startsWith(`${baseUrl}/`));
  const formatList = (left: readonly RoutedEntry[], what: string) =>
    left.slice(0, 1).map(({ request: { method, url } }) => ({
      id,
      reason: `${left.length} of ${formatCount(entries.length, "request")} ${left.length === 1 ? "is" : "are"} ${what}, such as ${method} ${url.replace(/[?#].*/s, "")}`,
    }));
  return {
    omitted: formatList(
      others.filter((entry) => !mayBeForService(entry)),
      "for other services",
    ),
    errors: [
      ...formatList(others.filter(mayBeForService), `not for a known operation at ${baseUrl}`),
      ...formatList(unsafe, "not sent (reason: may change data outside the run's database)"),
    ],
  };
}

/** Whether an operation writes into a database, rather than to the database or repository itself. */
function writesToDatabase({ operationId, path }: Route): boolean {
  return (
    ("databaseId" in path || "repositoryId" in path) &&
    !/^(update|delete)(Database|Repository)$/.test(operationId)
  );
}

/** Returns the texts, and the words in them, by which a request may name what it reads or changes. */
function listNames(
  { exchange, behavior }: HistoryStep,
  shared: ReadonlyMap<string, SharedValue>,
): readonly string[] {
  const texts = new Set(Object.values(behavior.path ?? {}));
  addStrings(parseBody(exchange.request.body ?? ""), texts);
  const names = [...texts].flatMap((text) => [text, ...text.split(/[^\w.@#-]+/)]);
  return [...new Set(names)].filter((name) => name !== "" && !shared.has(name));
}

/** Adds every string in a JSON value to a set. */
function addStrings(value: unknown, strings: Set<string>): void {
  const pending = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === "string") strings.add(next);
    else if (next !== null && typeof next === "object")
      for (const part of Object.values(next)) pending.push(part);
  }
}

/** Replacements for what proves the identity of the user who starts a session, by operation and field of the body. */
const ownerFields: Partial<Record<OperationId, Readonly<Record<string, SharedValue>>>> = {
  login: {
    email: sharedValues.login("owner", "email"),
    password: sharedValues.login("owner", "password"),
  },
  refreshSession: { refreshToken: sharedValues.session("owner", "refreshToken") },
};

/** Replacements for ids that existed before the recording, by path parameter. */
const sharedParameters: Readonly<Record<string, SharedValue>> = {
  databaseId: sharedValues.database(),
  repositoryId: sharedValues.repository(),
  organizationId: sharedValues.organization("owner"),
};

/** Returns the keys of an item in a body, which another deployment may expect in the path. */
function getItemKeys(body = ""): Readonly<Record<string, string>> {
  const { pk, sk } = (parseBody(body) ?? {}) as Readonly<Record<string, unknown>>;
  const isKey = (value: unknown): value is string => typeof value === "string" && value !== "";
  return { ...(isKey(pk) ? { pk } : {}), ...(isKey(sk) ? { sk } : {}) };
}

/** @throws RunError when the text is not an HTTP Archive */
function readEntries(text: string, name: string): readonly HarEntry[] {
  const { log } = (parseBody(text) ?? {}) as { readonly log?: { readonly entries?: unknown } | null };
  if (!Array.isArray(log?.entries))
    throw new RunError(`${name} is not an HTTP Archive: it is not JSON with log.entries`);
  // Aborted requests have no response.
  return (log.entries as readonly (Partial<HarEntry> | null)[]).filter((entry): entry is HarEntry => {
    const { request, response } = entry ?? {};
    const isSent = typeof request?.url === "string" && typeof request.method === "string";
    return isSent && Number.isInteger(response?.status);
  });
}

/** Returns a URL as clients send it, without credentials. A URL in another spelling would not be recognized as one of the service. */
function normalizeUrl(recorded: string): string {
  if (!URL.canParse(recorded)) return recorded;
  const url = new URL(recorded);
  url.username = url.password = url.hash = "";
  // Deleting nothing would still change the spelling of the query.
  for (const name of [...url.searchParams.keys()])
    if (omittedParameters.test(name)) url.searchParams.delete(name);
  return url.href;
}

/** Reads the headers of a request or a response. @param isRead whether a header, with capitalized words, is read */
function readHeaders(headers: unknown, isRead: (name: string) => boolean): Record<string, string> {
  const found: Record<string, string> = {};
  for (const header of Array.isArray(headers) ? (headers as readonly unknown[]) : []) {
    const { name: given, value } = (header ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof given !== "string" || typeof value !== "string" || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      continue;
    // With the same capitalization as the client's headers, no header is sent twice.
    const name = given.toLowerCase().replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
    if (isRead(name)) found[name] = value;
  }
  return found;
}

function decodeText(part: unknown): string | undefined {
  const { text, encoding } = (part ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof text !== "string") return undefined;
  return encoding === "base64" ? Buffer.from(text, "base64").toString("utf8") : text;
}
