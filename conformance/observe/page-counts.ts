import type { ObserverContext } from "./observer-context.js";

/** What a page of a list says: how many entries it has, and how many it counts. */
export interface CountedPage {
  readonly size: number;
  readonly count: unknown;
}

/** Pages after which a list counts as endless. */
const mostPages = 50;

/**
 * What the pages of a list count. They are followed to their end, because a list that is longer than its first page shows
 * may end with an empty one.
 *
 * @param next sends the request for a page, and says what it shows and where the next one begins
 * @param total how many entries the list has; undecided where the pages have more or less
 */
export async function pagesCount(
  context: ObserverContext,
  next: (cursor: string | undefined) => Promise<CountedPage & { readonly next: string | null }>,
  total: number,
): Promise<"page" | "all-pages"> {
  const pages: CountedPage[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    if (pages.length >= mostPages)
      context.undecided(`a list of ${total} has no end after ${mostPages} pages`);
    const page = await next(cursor);
    pages.push(page);
    cursor = page.next;
  }
  const shown = pages.reduce((sum, { size }) => sum + size, 0);
  if (shown !== total) context.undecided(`the pages show ${shown} of ${total}`);
  if (pages.length === 1) context.undecided(`all ${total} are on one page`);
  if (pages.every(({ size, count }) => count === size)) return "page";
  if (pages.every(({ count }) => count === total)) return "all-pages";
  return context.other(
    pages.map(({ size, count }) => `${size} counted as ${String(count)}`).join(", "),
    `those of each page, or ${total} on each`,
  );
}
