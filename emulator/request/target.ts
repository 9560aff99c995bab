import { readName } from "./name.js";
import { Problem } from "../domain/problem.js";

/** A request target, taken apart without the folding that URL parsers do. */
export interface Target {
  /** Name of the namespace; the empty text for the default one. */
  readonly namespace: string;
  /** The path below the namespace, every segment percent-encoded in one canonical way. */
  readonly path: string;
  /** What follows the question mark; the empty text without one. */
  readonly query: string;
}

const namespacePrefix = "/ns/";

/**
 * Takes a raw request target apart. Keys may hold any character, `/`, `.` and `..` included, so the path must not
 * be normalized as a URL.
 *
 * @throws a problem `malformed-request` for escapes that are no UTF-8 text
 */
export function readTarget(raw: string): Target {
  const withoutOrigin = raw.startsWith("/") ? raw : raw.replace(/^https?:\/\/[^/?#]*/i, "");
  const hash = withoutOrigin.indexOf("#");
  const whole = hash < 0 ? withoutOrigin : withoutOrigin.slice(0, hash);
  const mark = whole.indexOf("?");
  const rawPath = mark < 0 ? whole : whole.slice(0, mark);
  const query = mark < 0 ? "" : whole.slice(mark + 1);
  if (query.includes("%")) decode(query, "query");
  const path = rawPath.includes("%") ? canonical(rawPath) : rawPath === "" ? "/" : rawPath;
  if (!path.startsWith("/"))
    throw new Problem("malformed-request", "The request target must be a path, as in `GET /health`.");
  if (!path.startsWith(namespacePrefix)) return { namespace: "", path, query };
  const end = path.indexOf("/", namespacePrefix.length);
  const name = end < 0 ? path.slice(namespacePrefix.length) : path.slice(namespacePrefix.length, end);
  return { namespace: readName(name, "namespace"), path: end < 0 ? "/" : path.slice(end), query };
}

/** Whether a path below a namespace is the control plane's. */
export function isControlPath(path: string): boolean {
  return path === "/_emulator" || path.startsWith("/_emulator/");
}

function canonical(path: string): string {
  decode(path, "path");
  return path
    .split("/")
    .map((segment) => (segment.includes("%") ? encodeURIComponent(decodeURIComponent(segment)) : segment))
    .join("/");
}

function decode(text: string, part: string): void {
  try {
    decodeURIComponent(text);
  } catch {
    throw new Problem(
      "malformed-request",
      `The ${part} has a percent escape that is not valid UTF-8: ${shortened(text)}.`,
    );
  }
}

function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
