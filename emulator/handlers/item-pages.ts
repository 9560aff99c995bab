import { decodeCursor, encodeCursor } from "../domain/cursor.js";
import { countReadUnits } from "../domain/item-size.js";
import { listKeysInHashOrder } from "../domain/list-keys-in-hash-order.js";
import { type KeyRange, parseSortKeyCondition } from "../domain/sort-key-condition.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { toCanonicalJson } from "../json/stringify-json.js";
import type { JsonValue } from "../json/json-value.js";
import { rawJson } from "../json/stringify-body.js";
import { noLimit } from "../sqlite/markers.js";
import { maxPageBytes } from "../sqlite/statement.js";
import type { ItemKey, ItemRow, ItemVisitor } from "../store/items.js";
import type { Store } from "../store/store.js";
import { getBodyField } from "./body-field.js";
import { type ParsedCondition, parseItemFilter, isConditionTrue, countParsingBytes } from "./conditions.js";
import { findUsableDatabase } from "./database-access.js";
import type { OperationResponse, HandlerContext, Handler } from "./handler.js";
import { toSortKeyOrNull } from "./items.js";
import { getPageSize } from "./read-page.js";

/** POST /items/query: one partition, in sort-key order (4.2 rules 3 to 6). */
export const queryItems: Handler<"queryItems"> = ({ path, body, json }, context) => {
  const { store, profile } = context;
  const { partitionKey: pk, sortKeyCondition, scanForward: isForward = true } = body;
  const { ref } = findUsableDatabase(path.databaseId, context);
  const conditions = [pk, sortKeyCondition ?? null, isForward, stringifyFilter(json)];
  const scope = `query/${path.databaseId}/${JSON.stringify(conditions)}`;
  const filter = parseItemFilter(json, profile);
  const range =
    sortKeyCondition === undefined ? {} : parseSortKeyCondition(sortKeyCondition, profile["between-split"]);
  const [after] = decodeCursor(scope, { cursor: body.cursor, place: "body" }, ["string"]) ?? [];
  const visitCandidates: VisitCandidates = (limit, visit) =>
    store.items.visitRange(ref, { pk, range: startAfter(range, after, isForward), isForward, limit }, visit);
  const page = collectPage(visitCandidates, getPageSize(body.limit, profile), filter, profile);
  return toPageResponse(page, page.next && encodeCursor(scope, [page.next.sk]), ref, context);
};

/** POST /items/scan: all items of the database, in order of pk and sk, or of the hash of pk (gap `scan-order`). */
export const scanItems: Handler<"scanItems"> = ({ path, body, json }, context) => {
  const { store, profile } = context;
  const { ref } = findUsableDatabase(path.databaseId, context);
  const scope = `scan/${path.databaseId}/${stringifyFilter(json)}`;
  const filter = parseItemFilter(json, profile);
  const after = decodeCursor(scope, { cursor: body.cursor, place: "body" }, ["string", "string"]);
  const visitCandidates: VisitCandidates =
    profile["scan-order"] === "scattered"
      ? (limit, visit) => visitInHashOrder(store, ref, after, limit, visit)
      : (limit, visit) => store.items.visit(ref, visit, after, limit);
  const page = collectPage(visitCandidates, getPageSize(body.limit, profile), filter, profile);
  return toPageResponse(page, page.next && encodeCursor(scope, [page.next.pk, page.next.sk]), ref, context);
};

/** Visits items of the rest of the partition that the previous page ended in, and of the partitions after it. */
function visitInHashOrder(
  { items }: Store,
  databaseRef: number,
  [afterPk, afterSk]: ItemKey = ["", ""],
  limit: number,
  visit: ItemVisitor,
): boolean {
  const visitPartition = (pk: string, range: KeyRange) =>
    items.visitRange(databaseRef, { pk, range, isForward: true, limit }, visit);
  if (afterPk !== "" && visitPartition(afterPk, startAfter({}, afterSk, true))) return true;
  return listKeysInHashOrder(items.partitions(databaseRef), afterPk).some((pk) => visitPartition(pk, {}));
}

/** Returns the part of a range after a sort key, in the order of the page. */
function startAfter(range: KeyRange, sk: string | undefined, isForward: boolean): KeyRange {
  return sk === undefined
    ? range
    : { ...range, [isForward ? "lower" : "upper"]: { value: sk, inclusive: false } };
}

/** Returns text that identifies the filter in the scope of a cursor. */
function stringifyFilter(json: JsonValue | undefined): string {
  const filter = getBodyField(json, "filterExpression");
  return filter === undefined ? "" : toCanonicalJson(filter);
}

/** Filtered pages end earlier, because parsing an item takes several times as long as copying its text. */
const maxFilteredPageBytes = maxPageBytes / 4;

/** Smaller candidates count as this size; otherwise, a page could examine hundreds of thousands of tiny items. */
const minCandidateBytes = 128;

/** Visits the items that may belong to a page in their order, until `visit` returns false. Returns whether it did. */
type VisitCandidates = (limit: number, visit: ItemVisitor) => boolean;

interface ItemPage {
  readonly items: readonly ItemRow[];
  readonly examined: number;
  readonly bytesRead: number;
  /** The last candidate examined; null if there are none after it. */
  readonly next: ItemRow | null;
}

/**
 * Collects a page of candidates. It ends when enough candidates have been examined or returned (gap
 * `limit-with-filter`), or enough bytes have been read or enough fields parsed.
 */
function collectPage(
  visitCandidates: VisitCandidates,
  limit: number,
  filter: ParsedCondition | undefined,
  profile: Profile,
): ItemPage {
  const items: ItemRow[] = [];
  let examined = 0;
  let bytesRead = 0;
  let work = 0;
  let last = null as ItemRow | null;
  const countsExamined = profile["limit-with-filter"] === "examined";
  const maxBytes = filter === undefined ? maxPageBytes : maxFilteredPageBytes;
  const hasMore = visitCandidates(countsExamined ? limit + 1 : noLimit, (candidate) => {
    if ((countsExamined ? examined : items.length) >= limit) return false;
    const cost = filter === undefined ? candidate.bytes : countParsingBytes(candidate);
    // The last item may exceed the page with its bytes, but not with its many fields.
    if (work + cost - candidate.bytes > maxBytes) return false;
    examined += 1;
    bytesRead += candidate.bytes;
    work += Math.max(cost, minCandidateBytes);
    last = candidate;
    if (filter === undefined || isConditionTrue(filter, candidate, cost)) items.push(candidate);
    return true;
  });
  return { items, examined, bytesRead, next: hasMore ? last : null };
}

function toPageResponse(
  { items, examined, bytesRead }: ItemPage,
  nextCursor: string | null,
  databaseRef: number,
  { store, now }: HandlerContext,
): OperationResponse<"queryItems"> {
  store.databases.addRead(databaseRef, countReadUnits(bytesRead), now);
  return {
    status: 200,
    body: {
      items: items.map(({ pk, sk, data }) => ({ pk, sk: toSortKeyOrNull(sk), data: rawJson(data) })),
      nextCursor,
      count: items.length,
      scannedCount: examined,
    },
  };
}
