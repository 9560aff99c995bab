import type { ApiResponse } from "./client.js";

/** Maximum number of pages that the suite reads of a list. */
const maxPages = 10_000;

/**
 * Reads all entries of a paginated list.
 *
 * @param field the field of a page that contains its entries
 * @param request requests a page; without a cursor, the first page
 * @param handleRefusal returns the list to use if a page is refused or invalid; may throw
 */
export async function readAllPages<Entry>(
  field: string,
  request: (cursor: string | undefined) => Promise<ApiResponse>,
  handleRefusal: (response: ApiResponse) => readonly Entry[],
): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const response = await request(cursor);
    const body = response.body as Readonly<Record<string, unknown>> | null | undefined;
    const list = body?.[field];
    if (response.status !== 200 || !isList(list)) return handleRefusal(response);
    entries.push(...(list as Entry[]));
    const next = body?.nextCursor;
    // A repeated cursor would never lead to the end.
    if (typeof next !== "string" || cursors.has(next)) break;
    cursors.add(next);
    cursor = next;
  }
  return entries;
}

/** Whether a value is a list of objects with any contents; the value may not have been validated. */
function isList(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === "object" && entry !== null);
}
