import type { JournalEntry } from "./recorded-exchange.js";
import { tryTo } from "../../openapi/text/try-to.js";

/** A request that a namespace has received and its response, with parsed bodies and a separate query. */
export interface ReceivedRequest {
  /** Operation id; null if no operation matches. */
  readonly operationId: string | null;
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Headers with names in lower case and credentials redacted. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON body, or the text of another body; undefined without a body. */
  readonly body: unknown;
  /** Whether the journal keeps only the beginning of the body of the request or of the response. */
  readonly isBodyCut: boolean;
  readonly caller: JournalEntry["caller"];
  /** Ids of the fault rules that fired. */
  readonly faults: readonly string[];
  /** Unknown fields of the body, as JSON pointers, and unknown query parameters, as `?name`, that were ignored. */
  readonly unknownFields: readonly string[];
  /** Status; 0 if the connection was dropped. */
  readonly status: number;
  readonly response: { readonly headers: Readonly<Record<string, string>>; readonly body: unknown };
}

/** Converts an entry of the journal. */
export function toReceivedRequest(entry: JournalEntry): ReceivedRequest {
  const { operationId, request, response, caller, faults, unknownFields } = entry;
  const [path = "", query = ""] = request.path.split(/\?(.*)/s);
  return {
    operationId,
    method: request.method,
    path,
    query: Object.fromEntries(new URLSearchParams(query)),
    headers: request.headers,
    body: parseBody(request.body),
    isBodyCut: request.bodyCut || response.bodyCut,
    caller,
    faults,
    unknownFields,
    status: response.status,
    response: { headers: response.headers, body: parseBody(response.body) },
  };
}

function parseBody(text: string | null): unknown {
  if (text === null || text === "") return undefined;
  const parsed = tryTo(() => JSON.parse(text) as unknown);
  return parsed === undefined ? text : parsed;
}

/** Formats a request in one line: method, path, status, problem, and the fault rules that fired. */
export function formatReceivedRequest(request: ReceivedRequest): string {
  const { method, path, query, status, response, faults } = request;
  const search = new URLSearchParams(query).toString();
  const { type } = (response.body ?? {}) as { readonly type?: unknown };
  const problem = status >= 400 && typeof type === "string" ? ` ${type.split("/").at(-1) ?? type}` : "";
  const fault = faults.length === 0 ? "" : ` (fault rule ${faults.join(", ")})`;
  return `${method} ${path}${search === "" ? "" : `?${search}`} → ${status === 0 ? "connection dropped" : status}${problem}${fault}`;
}
