import type { JournalEntry } from "./recorded-exchange.js";
import { tryTo } from "../../openapi/text/try-to.js";

/** A request that a namespace has received, with the response, in a form for tests: URL parts separated, bodies parsed. */
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

/** Converts an entry of the journal. Bodies are parsed on access. */
export function toReceivedRequest(entry: JournalEntry): ReceivedRequest {
  const { operationId, request, response, caller, faults, unknownFields } = entry;
  const [path = "", query = ""] = request.path.split(/\?(.*)/s);
  const received = {
    operationId,
    method: request.method,
    path,
    query: Object.fromEntries(new URLSearchParams(query)),
    headers: request.headers,
    // keeps its place among the fields
    body: undefined as unknown,
    isBodyCut: request.bodyCut || response.bodyCut,
    caller,
    faults,
    unknownFields,
    status: response.status,
    response: withBody({ headers: response.headers }, response.body),
  };
  return withBody(received, request.body);
}

/** Adds a body that is parsed when it is read or printed: most requests of a journal are only counted. */
function withBody<Fields extends object>(
  fields: Fields,
  text: string | null,
): Fields & { readonly body: unknown } {
  const shown = Object.defineProperty(fields, "body", { get: () => parseBody(text), enumerable: true });
  return Object.defineProperty(shown, Symbol.for("nodejs.util.inspect.custom"), {
    value: () => ({ ...shown }),
  }) as Fields & { readonly body: unknown };
}

function parseBody(text: string | null): unknown {
  if (text === null || text === "") return undefined;
  const parsed = tryTo(() => JSON.parse(text) as unknown);
  return parsed === undefined ? text : parsed;
}

/** Formats a request in one line: method, path, status, problem, and the fault rules that fired. */
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
