import { namePattern } from "../../openapi/clauses/limits.js";
import { Problem } from "../domain/problem.js";
import { parseName } from "./name.js";

/** A parsed request target, without the normalization of URL parsers. */
export interface ParsedTarget {
  /** Name of the namespace; an empty string for the default namespace. */
  readonly namespace: string;
  /** The path below the namespace, every segment percent-encoded in one canonical way. */
  readonly path: string;
  /** The query string without the question mark; may be empty. */
  readonly query: string;
  /** The problem with an invalid target, whose other fields are guesses. */
  readonly unreadable: Problem | undefined;
}

const namespacePrefix = "/ns/";

/**
 * Parses a raw request target. Keys may contain any characters, including `/`, `.` and `..`, so the path must not
 * be normalized as a URL.
 */
export function parseTarget(raw: string): ParsedTarget {
  try {
    return parseValidTarget(raw);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { name = "", rest = raw } = namespacedPath.exec(raw)?.groups ?? {};
    const path = misspelledControlPath.test(raw) ? "/_emulator/%" : rest;
    return { namespace: name, path, query: "", unreadable: error };
  }
}

/** @throws a problem `malformed-request` for escapes that are not UTF-8 text */
function parseValidTarget(raw: string): ParsedTarget {
  const { path: rawPath, query } = split(raw);
  if (query.includes("%")) assertDecodable(query, "query");
  const path = canonicalize(rawPath);
  if (!path.startsWith("/"))
    throw new Problem("malformed-request", "The request target must be a path, as in `GET /health`.");
  if (!path.startsWith(namespacePrefix)) return { namespace: "", path, query, unreadable: undefined };
  const end = path.indexOf("/", namespacePrefix.length);
  const name = end < 0 ? path.slice(namespacePrefix.length) : path.slice(namespacePrefix.length, end);
  return {
    namespace: parseName(name, "namespace"),
    path: end < 0 ? "/" : path.slice(end),
    query,
    unreadable: undefined,
  };
}

/** Matches an invalid target of which the namespace can be recognized. */
const namespacedPath = new RegExp(`^/ns/(?<name>${namePattern})(?<rest>/.*)$`);
/** Matches the control plane of a namespace, even one with an invalid name. */
const misspelledControlPath = /^(?:\/ns\/[^/?#]*)?\/_emulator(?![^/?#])/;

/** Whether a path below a namespace belongs to the control plane. */
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
