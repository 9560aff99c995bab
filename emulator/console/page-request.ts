import type { ConsoleBindings } from "./console-bindings.js";

/** The request for a page as Hono wants it, without its body: forms are read from where it came from. */
export function pageRequest({ target, incoming }: ConsoleBindings): Request {
  const { namespace, path, query } = target;
  const url = `${incoming.origin()}${namespace === "" ? "" : `/ns/${namespace}`}${path}${query === "" ? "" : `?${query}`}`;
  return new Request(url, { method: incoming.method, headers: headersOf(incoming.headers()) });
}

function headersOf(sent: readonly string[] | Headers): Headers {
  if (sent instanceof Headers) return sent;
  const headers = new Headers();
  for (let at = 0; at + 1 < sent.length; at += 2) headers.append(sent[at] ?? "", sent[at + 1] ?? "");
  return headers;
}
