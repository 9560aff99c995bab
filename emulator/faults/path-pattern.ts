/** Whether a path, percent-encoded in any way, matches a pattern. */
export type PathMatcher = (path: string) => boolean;

/**
 * Compiles the pattern of a fault rule: `*` matches any text within a segment, and `**` any number of segments,
 * including none. Segments are decoded before they are compared.
 *
 * @throws URIError for an escape that is not UTF-8 text
 */
export function compilePathPattern(pattern: string): PathMatcher {
  const wanted = pattern
    .split("/")
    .map((segment) => (segment === "**" ? anySegments : segment.split("*").map(decodeURIComponent)));
  return (path) => matches(wanted, splitSegments(path));
}

const anySegments = Symbol("**");

/** The last path with its segments, because every rule is matched against the same path. */
let latest: { readonly path: string; readonly segments: readonly string[] } = { path: "", segments: [""] };

function splitSegments(path: string): readonly string[] {
  if (path !== latest.path) latest = { path, segments: path.split("/").map(decodeURIComponent) };
  return latest.segments;
}

/** Whether a segment consists of the given texts with anything in between. The first position of each text is enough. */
function matchesSegment(parts: readonly string[], segment: string): boolean {
  const [first = "", ...others] = parts;
  const last = others.pop();
  if (last === undefined) return segment === first;
  if (!segment.startsWith(first)) return false;
  let from = first.length;
  for (const part of others) {
    const at = segment.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return segment.length - from >= last.length && segment.endsWith(last);
}

/** Backtracking to the last wildcard is enough. */
function matches(wanted: readonly (readonly string[] | symbol)[], given: readonly string[]): boolean {
  let at = 0;
  let from = 0;
  let lastWildcard = -1;
  let retry = 0;
  while (from < given.length) {
    const next = wanted[at];
    if (at < wanted.length && next === anySegments) {
      lastWildcard = at;
      retry = from;
      at += 1;
    } else if (at < wanted.length && matchesSegment(next as readonly string[], given[from] ?? "")) {
      at += 1;
      from += 1;
    } else if (lastWildcard >= 0) {
      retry += 1;
      from = retry;
      at = lastWildcard + 1;
    } else return false;
  }
  return wanted.slice(at).every((segment) => segment === anySegments);
}
