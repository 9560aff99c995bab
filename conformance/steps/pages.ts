import type { ClauseId } from "../../openapi/clauses/register.js";
import { limits } from "../../openapi/clauses/limits.js";
import type { OperationId } from "../../openapi/operations/register.js";
import type { ApiResponse, Caller, CallOptions } from "../client/client.js";
import type { CheckContext } from "../check/context.js";

/** A paginated operation, and how to request its pages. */
export interface PaginatedList {
  readonly operationId: OperationId;
  readonly path?: Readonly<Record<string, string>>;
  /** The field of a page with the entries, and the field of an entry that identifies the entry. */
  readonly member: string;
  readonly id: string;
  /** The body besides `limit` and `cursor`; if omitted, these are sent as query parameters. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly limit?: number;
  /** Whether the list has no `limit` in the specification, and therefore no maximum page size. */
  readonly hasNoLimit?: true;
  /** The clause about the maximum number of entries on a page. */
  readonly limitClause: ClauseId;
  readonly as?: Caller;
  /** Selects the entries to return. Defaults to all; page limits always apply to all entries. */
  readonly includes?: (entry: Readonly<Record<string, unknown>>) => boolean;
}

/** The databases of the caller's organization; databases that are being deleted may or may not be listed. */
export const databaseList = {
  operationId: "listDatabases",
  member: "databases",
  id: "databaseId",
  limitClause: "DB-10",
  includes: ({ status }) => status !== "Deleting",
} as const satisfies PaginatedList;

/** All pages of a list, in order. */
export interface PaginatedResult {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- pages of every kind of entry
  readonly pages: readonly any[];
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- entries of every kind
  readonly entries: readonly any[];
  readonly ids: readonly string[];
}

/** Maximum number of pages beyond one per entry; empty pages are allowed, but an endless list is not. */
const maxEmptyPages = 30;

/** Follows `nextCursor` from the first page until it is null, and asserts the limit of every page. */
export async function readPages(context: CheckContext, list: PaginatedList): Promise<PaginatedResult> {
  const { operationId, path = {}, member, id, body, limit, hasNoLimit, limitClause, as } = list;
  const pages: Record<string, unknown>[] = [];
  const entries: Record<string, string>[] = [];
  const ids = new Set<string>();
  let cursor: string | null = null;
  do {
    const position = {
      ...(limit === undefined ? {} : { limit }),
      ...(cursor === null ? {} : { cursor }),
    };
    const response = await context.assertSuccess(cursor === null ? limitClause : "GEN-04", operationId, {
      path,
      ...(body === undefined ? { query: position } : { body: { ...body, ...position } }),
      as,
    });
    const page = response.body[member] as Record<string, string>[];
    const most = limit ?? limits.defaultPageSize;
    const clause = limit === undefined ? "GEN-07" : limitClause;
    if (hasNoLimit !== true)
      context.assert(clause, page.length <= most, `at most ${most} entries on the page`, page.length);
    pages.push(response.body);
    entries.push(...page);
    for (const entry of page) ids.add(String(entry[id]));
    cursor = response.body.nextCursor;
    context.markExercised("GEN-03");
    context.assert(
      "GEN-04",
      entries.length - ids.size <= Math.max(most, page.length) && pages.length <= ids.size + maxEmptyPages,
      "a last page",
      `still a cursor after ${pages.length} pages with ${ids.size} different entries`,
    );
  } while (cursor !== null);
  const included = entries.filter((entry) => list.includes?.(entry) ?? true);
  return { pages, entries: included, ids: included.map((entry) => String(entry[id])) };
}

/** Finds the entry with an id in a list. */
export async function findEntry(
  context: CheckContext,
  list: PaginatedList,
  id: string,
): Promise<PaginatedResult["entries"][number]> {
  const { entries } = await readPages(context, list);
  return entries.find((entry: Readonly<Record<string, unknown>>) => entry[list.id] === id);
}

/** Asserts that ids are the expected ids in any order: none is missing, none occurs twice (GEN-04), and there are no others. */
export function assertEachListedOnce(
  context: CheckContext,
  clause: ClauseId,
  ids: readonly string[],
  expected: readonly string[],
  what: string,
): void {
  const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
  context.assert("GEN-04", repeated.length === 0, `each of ${what} once`, repeated);
  const others = ids.filter((id) => !expected.includes(id));
  context.assert(clause, others.length === 0, `${what} and nothing else`, { others });
  const missing = expected.filter((id) => !ids.includes(id));
  context.assert(clause, missing.length === 0, `all of ${what}`, { missing });
}

/** Reads a list, and asserts that it has the expected entries; see {@link assertEachListedOnce}. */
export async function assertList(
  context: CheckContext,
  clause: ClauseId,
  list: PaginatedList,
  expected: readonly string[],
  what: string,
): Promise<void> {
  const { ids } = await readPages(context, list);
  assertEachListedOnce(context, clause, ids, expected, what);
}

/**
 * Whether a count on a page is possible: the specification leaves open whether it counts the entries of this page, of all
 * pages, of the pages so far, or of the pages from this one on.
 *
 * @param sizes the sizes of all pages of the list
 */
export function isPossiblePageCount(count: unknown, sizes: readonly number[], at: number): boolean {
  return [sizes.slice(at, at + 1), sizes, sizes.slice(0, at + 1), sizes.slice(at)].some(
    (counted) => counted.reduce((sum, size) => sum + size, 0) === count,
  );
}

/** Asserts that the page with the last entry is the last page: only a null cursor shows that there are no more entries. */
export function assertLastPageNotEmpty(
  context: CheckContext,
  clause: "GEN-03" | "SQL-25",
  sizes: readonly number[],
  what: string,
): void {
  const isAtEnd = sizes.length === 1 || sizes.at(-1) !== 0;
  context.assert(clause, isAtEnd, `${what} null when there are no more results`, { entriesOnPages: sizes });
}

/** Number of entries of a long list. */
export const longListLength = 120;

/**
 * Returns limits for reading a long list: none, and the largest of some limits that the deployment accepts, because the
 * specification sets no maximum (gap `page-limit-max`).
 *
 * @param ask requests the first page with the given options
 */
export async function findLongLimits(
  ask: (limit: number, call: Pick<CallOptions, "intent" | "skipValidation">) => Promise<ApiResponse>,
): Promise<readonly (number | undefined)[]> {
  for (const limit of [100, 50, 25]) {
    const { status } = await ask(limit, { intent: "may-be-refused", skipValidation: true });
    if (status === 200) return [undefined, limit];
  }
  return [undefined];
}

/** Maximum number of times that a list is read to find a full page. */
const maxReads = 5;

/**
 * Asserts that the default size of a page is 20 (part 8). Pages may be shorter, but not all pages of every reading.
 *
 * @param readSizes reads the sizes of all pages, without a limit, of a list of more than 20 entries
 */
export async function assertDefaultPageSize(
  context: CheckContext,
  clause: "GEN-07" | "REPO-34",
  readSizes: () => Promise<readonly number[]>,
): Promise<void> {
  let sizes: readonly number[] = [];
  const isFull = () => Math.max(...sizes) >= limits.defaultPageSize;
  for (let reads = 0; reads < maxReads && !isFull(); reads++) sizes = await readSizes();
  context.assert(clause, isFull(), `a page of ${limits.defaultPageSize} entries without a limit`, {
    entriesOnPages: sizes,
  });
}
