/** Tells whether a path, as it came or percent-encoded in any way, is one that a pattern means. */
export type PathPattern = (path: string) => boolean;

/**
 * Compiles the pattern of a fault rule: `*` is any text within a segment, and a segment `**` any number of segments,
 * none included. Segments are compared decoded.
 *
 * @throws URIError for an escape that is no UTF-8 text
 */
export function pathPattern(pattern: string): PathPattern {
  const wanted = pattern
    .split("/")
    .map((segment) => (segment === "**" ? anySegments : segment.split("*").map(decodeURIComponent)));
  return (path) =>
    matches<readonly string[], string>(
      wanted,
      path.split("/").map(decodeURIComponent),
      anySegments,
      (parts, segment) => isSegment(parts, segment),
    );
}

const anySegments = Symbol("**");
const anyText = Symbol("*");

/** Whether a segment is the given texts with anything between them. */
function isSegment(parts: readonly string[], segment: string): boolean {
  if (parts.length === 1) return segment === parts[0];
  const wanted = parts.flatMap((part, index) => [...(index > 0 ? [anyText] : []), ...Array.from(part)]);
  return matches<string, string>(wanted, Array.from(segment), anyText, (a, b) => a === b);
}

/** Matches with a wildcard for any run of entries; going back to the last wildcard alone is enough. */
function matches<Wanted, Given>(
  wanted: readonly (Wanted | symbol)[],
  given: readonly Given[],
  wildcard: symbol,
  fits: (wanted: Wanted, given: Given) => boolean,
): boolean {
  let at = 0;
  let from = 0;
  let lastWildcard = -1;
  let retry = 0;
  while (from < given.length) {
    const next = wanted[at];
    if (at < wanted.length && next === wildcard) {
      lastWildcard = at;
      retry = from;
      at += 1;
    } else if (at < wanted.length && fits(next as Wanted, given[from] as Given)) {
      at += 1;
      from += 1;
    } else if (lastWildcard >= 0) {
      retry += 1;
      from = retry;
      at = lastWildcard + 1;
    } else return false;
  }
  return wanted.slice(at).every((rest) => rest === wildcard);
}
