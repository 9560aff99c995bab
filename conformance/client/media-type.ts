/**
 * The name under which the open document knows a media type. Bodies are JSON (part 4), and no word says what an answer
 * calls it: a type of its own with the suffix of JSON is JSON as well, and so is one that is not told.
 */
export function mediaType(header: string | undefined): string | undefined {
  if (header === undefined) return "application/json";
  const type = header.split(";")[0]?.trim() ?? "";
  return /^[^/]+\/([^/]+\+)?json$/i.test(type) ? "application/json" : header;
}
