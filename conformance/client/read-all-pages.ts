import type { ApiResponse } from "./client.js";

/** Maximum number of pages that the suite reads of a list. */
const maxPages = 10_000;

/**
 * Reads all entries of a paginated list.
 *
 * @param member field of a page with its entries
 * @param ask requests a page; without a cursor, the first page
 * @param refused returns the list to use if a page is refused or invalid; may throw
 */
export async function readAllPages<Entry>(
  member: string,
  ask: (cursor: string | undefined) => Promise<ApiResponse>,
  refused: (answer: ApiResponse) => readonly Entry[],
): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const answer = await ask(cursor);
    const body = answer.body as Readonly<Record<string, unknown>> | null | undefined;
    const shown = body?.[member];
    if (answer.status !== 200 || !isList(shown)) return refused(answer);
    entries.push(...(shown as Entry[]));
    const next = body?.nextCursor;
    // cursors may be cyclic
    if (typeof next !== "string" || seen.has(next)) break;
    seen.add(next);
    cursor = next;
  }
  return entries;
}

/** Whether a value is a list of objects with any contents; the value may not have been validated. */
function isList(shown: unknown): boolean {
  return Array.isArray(shown) && shown.every((entry) => typeof entry === "object" && entry !== null);
}
