import type { FuzzRequest } from "./fuzz-request.js";

/** Where a request goes, as far as that can be read in it. */
export interface Place {
  readonly method: string;
  /** The empty name is the default one's. */
  readonly namespace: string;
  /** Below the namespace, without the query. */
  readonly path: string;
}

export function readPlace({ method, target, raw }: FuzzRequest): Place {
  const sent =
    raw === undefined
      ? undefined
      : /^\s*([A-Za-z]+) +(\S+) HTTP/.exec(Buffer.from(raw).toString("latin1", 0, 10_000));
  const [whole = ""] = (sent?.[2] ?? target).replace(/^https?:\/\/[^/?#]*/i, "").split(/[?#]/);
  const [, namespace = "", path = whole] = /^\/ns\/([^/]*)(.*)$/.exec(whole) ?? [];
  return { method: sent?.[1] ?? method, namespace: namespace === "default" ? "" : decoded(namespace), path };
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
