import {
  type AnyJson,
  changeBody,
  type InterceptedRequest,
  type InterceptedResponse,
  type Interceptor,
  createErrorResponse,
} from "./intercept.js";

/** Reads all entries of a list, and returns them with the last response; after a refusal, there are no entries. */
export async function fetchAllEntries(
  request: InterceptedRequest,
  list: "items" | "entities",
  body: object,
): Promise<{ readonly entries: readonly AnyJson[]; readonly last: InterceptedResponse }> {
  const entries: AnyJson[] = [];
  for (let cursor: AnyJson; ;) {
    const last = await request.send({ body: { ...body, limit: 100, cursor } });
    if (last.status !== 200) return { entries: [], last };
    entries.push(...last.body[list]);
    cursor = last.body.nextCursor;
    if (cursor === null) return { entries, last };
  }
}

/** Returns the requested page of entries, with the number of entries before the next page as its cursor. */
export function createPage(
  { body: { cursor = 0, limit = 20 } }: InterceptedRequest,
  last: InterceptedResponse,
  list: "items" | "entities",
  entries: readonly AnyJson[],
): InterceptedResponse {
  const [start, end] = [Number(cursor), Number(cursor) + Number(limit)];
  if (last.status !== 200) return last;
  if (!Number.isInteger(start) || !(limit > 0)) return createErrorResponse(400);
  const page = entries.slice(start, end);
  const nextCursor = end < entries.length ? String(end) : null;
  const counts =
    list === "items" ? { count: page.length, scannedCount: page.length } : { totalCount: entries.length };
  return { ...last, body: { [list]: page, nextCursor, ...counts } };
}

const emptyMark = "empty.";

/** Each page follows an empty page with a cursor. */
export function insertEmptyPages(list: string, next: "nextCursor" | "nextPageToken"): Interceptor {
  const name = next === "nextCursor" ? "cursor" : "pageToken";
  return (request) => {
    const cursor = String(request.body?.[name] ?? "");
    if (cursor.startsWith(emptyMark))
      return request.send({ body: { ...request.body, [name]: cursor.slice(emptyMark.length) || undefined } });
    return changeBody(request.send(), (body) => {
      if (body[list].length === 0 || String(request.body.sql).startsWith("SELECT COUNT")) return;
      Object.assign(body, { [list]: [], [next]: emptyMark + cursor });
      for (const count of ["count", "rowCount"]) if (count in body) body[count] = 0;
    });
  };
}
