import { Problem } from "../domain/problem.js";
import { namePattern, parseName } from "./name.js";

/** A request target, taken apart without the folding that URL parsers do. */
export interface ParsedTarget {
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
export function parseTarget(raw: string): ParsedTarget {
  const { path: rawPath, query } = split(raw);
  if (query.includes("%")) assertDecodable(query, "query");
  const path = canonicalize(rawPath);
  if (!path.startsWith("/"))
    throw new Problem("malformed-request", "The request target must be a path, as in `GET /health`.");
  if (!path.startsWith(namespacePrefix)) return { namespace: "", path, query };
  const end = path.indexOf("/", namespacePrefix.length);
  const name = end < 0 ? path.slice(namespacePrefix.length) : path.slice(namespacePrefix.length, end);
  return { namespace: parseName(name, "namespace"), path: end < 0 ? "/" : path.slice(end), query };
}

/** A target that cannot be read, as far as it tells which namespace and which interface was meant. */
export function parseTargetLeniently(raw: string): ParsedTarget {
  const { name = "", rest = raw } = namespacedPath.exec(raw)?.groups ?? {};
  return { namespace: name, path: misspelledControlPath.test(raw) ? "/_emulator/%" : rest, query: "" };
}

const namespacedPath = new RegExp(`^/ns/(?<name>${namePattern})(?<rest>/.*)$`);
/** The control plane of a namespace, whatever its name: one that cannot be a name as well. */
const misspelledControlPath = /^(?:\/ns\/[^/?#]*)?\/_emulator(?![^/?#])/;

/** Whether a path below a namespace is the control plane's. */
export function isControlPath(path: string): boolean {
  return path === "/_emulator" || path.startsWith("/_emulator/");
}

function split(raw: string): { readonly path: string; readonly query: string } {
  const withoutOrigin = raw.startsWith("/") ? raw : raw.replace(/^https?:\/\/[^/?#]*/i, "");
  const hash = withoutOrigin.indexOf("#");
  const whole = hash < 0 ? withoutOrigin : withoutOrigin.slice(0, hash);
  const mark = whole.indexOf("?");
  const path = mark < 0 ? whole : whole.slice(0, mark);
  return { path: path === "" ? "/" : path, query: mark < 0 ? "" : whole.slice(mark + 1) };
}

function canonicalize(path: string): string {
  if (!path.includes("%")) return path;
  assertDecodable(path, "path");
  return path
    .split("/")
    .map((segment) => (segment.includes("%") ? encodeURIComponent(decodeURIComponent(segment)) : segment))
    .join("/");
}

function assertDecodable(text: string, part: string): void {
  try {
    decodeURIComponent(text);
  } catch {
    throw new Problem(
      "malformed-request",
      `The ${part} has a percent escape that is not valid UTF-8: ${shorten(text)}.`,
    );
  }
}

function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
