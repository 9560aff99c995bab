import type { JournalEntry } from "./recorded-exchange.js";

/** A request that a namespace has received, and the response, as tests look at them: parts of the URL apart, bodies parsed. */
export interface ReceivedRequest {
  /** Null where no operation matches. */
  readonly operationId: string | null;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** With names in lower case; credentials are redacted. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON as a value, other text as it is; undefined where there is none. */
  readonly body: unknown;
  readonly caller: JournalEntry["caller"];
  /** The ids of the fault rules that applied. */
  readonly faults: readonly string[];
  /** 0 where the connection was dropped. */
  readonly status: number;
  readonly response: { readonly headers: Readonly<Record<string, string>>; readonly body: unknown };
}

/** Bodies are parsed on first access. */
export function toReceivedRequest(entry: JournalEntry): ReceivedRequest {
  const { operationId, request, response, caller, faults } = entry;
  const [path = "", query = ""] = request.path.split(/\?(.*)/s);
  return {
    operationId,
    method: request.method,
    path,
    query: Object.fromEntries(new URLSearchParams(query)),
    headers: request.headers,
    get body() {
      return parseBody(request.body);
    },
    caller,
    faults,
    status: response.status,
    response: {
      headers: response.headers,
      get body() {
        return parseBody(response.body);
      },
    },
  };
}

function parseBody(text: string | null): unknown {
  if (text === null || text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A line about a request: method, path, status, problem, and the fault rules that applied. */
export function formatReceivedRequest({
  method,
  path,
  query,
  status,
  response,
  faults,
}: ReceivedRequest): string {
  const search = new URLSearchParams(query).toString();
  const { type } = (response.body ?? {}) as { readonly type?: unknown };
  const problem = status >= 400 && typeof type === "string" ? ` ${type.split("/").at(-1) ?? type}` : "";
  const fault = faults.length === 0 ? "" : ` (fault rule ${faults.join(", ")})`;
  return `${method} ${path}${search === "" ? "" : `?${search}`} → ${status === 0 ? "connection dropped" : status}${problem}${fault}`;
}
