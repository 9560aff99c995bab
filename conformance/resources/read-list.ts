import type { Answer } from "../client/client.js";

/** The suite stops reading a list after this many pages. */
const mostPages = 10_000;

/**
 * All entries of a list that comes in pages.
 *
 * @param member where the entries of a page stand
 * @param ask asks for a page: the first one without a cursor
 * @param refused what stands for the list when a page is refused; may throw
 */
export async function readList<Entry>(
  member: string,
  ask: (cursor: string | undefined) => Promise<Answer>,
  refused: (answer: Answer) => readonly Entry[],
): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const answer = await ask(cursor);
    if (answer.status !== 200) return refused(answer);
    const body = answer.body as Readonly<Record<string, unknown>>;
    entries.push(...((body[member] ?? []) as Entry[]));
    // a cursor may lead in circles
    if (typeof body.nextCursor !== "string" || seen.has(body.nextCursor)) break;
    seen.add(body.nextCursor);
    cursor = body.nextCursor;
  }
  return entries;
}
