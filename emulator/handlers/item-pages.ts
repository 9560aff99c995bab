import { assertPageAdvances, decodeCursor, encodeCursor } from "../domain/cursor.js";
import { countReadUnits } from "../domain/item-size.js";
import { compareByHash, listKeysInHashOrder } from "../domain/list-keys-in-hash-order.js";
import { type KeyRange, parseSortKeyCondition } from "../domain/sort-key-condition.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { toCanonicalJson } from "../json/stringify-json.js";
import type { JsonValue } from "../json/json-value.js";
import { compareUtf8 } from "../json/utf8-order.js";
import { rawJson } from "../json/stringify-body.js";
import { maxPageBytes } from "../sqlite/statement.js";
import type { DatabaseSummary } from "../store/databases.js";
import type { ItemRow } from "../store/items.js";
import { getBodyField } from "./body-field.js";
import { type ParsedCondition, parseItemFilter, isConditionTrue } from "./conditions.js";
import { findUsableDatabase } from "./database-access.js";
import type { OperationResponse, HandlerContext, Handler } from "./handler.js";
import { toSortKeyOrNull } from "./items.js";
import { getPageSize } from "./read-page.js";

/** A key before every key of an item. */
const beforeAll = ["", ""] as const;

/** POST /items/query: one partition, in sort-key order (4.2 rules 3 to 6). */
export const queryItems: Handler<"queryItems"> = ({ path, body, json }, context) => {
  const { store, now, profile } = context;
  const { partitionKey, sortKeyCondition, scanForward = true } = body;
  const database = findUsableDatabase(path.databaseId, context);
  const limit = getPageSize(body.limit, profile);
  const filter = parseItemFilter(json, profile);
  const asked = [partitionKey, sortKeyCondition ?? null, scanForward, stringifyFilter(json)];
  const scope = `query/${path.databaseId}/${JSON.stringify(asked)}`;
  const range =
    sortKeyCondition === undefined ? {} : parseSortKeyCondition(sortKeyCondition, profile["between-split"]);
  const [after] = (decodeCursor(scope, { cursor: body.cursor, place: "body" }, ["string"]) ?? []) as [
    string?,
  ];
  const candidates = readPartitionRange(
    database,
    { pk: partitionKey, range, forward: scanForward, after },
    getCandidateLimit(limit, profile),
    context,
  );
  const page = collectPage(candidates, limit, filter, profile["limit-with-filter"]);
  if (after !== undefined && page.next !== undefined) {
    const order = compareUtf8(page.next.sk, after);
    assertPageAdvances(scanForward ? order : -order);
  }
  store.databases.addRead(database.ref, countReadUnits(page.bytesRead), now);
  return toPageResponse(page, page.next === undefined ? null : encodeCursor(scope, [page.next.sk]));
};

/** POST /items/scan: all items of the database, in order of pk and sk. */
export const scanItems: Handler<"scanItems"> = ({ path, body, json }, context) => {
  const { store, now, profile } = context;
  const database = findUsableDatabase(path.databaseId, context);
  const limit = getPageSize(body.limit, profile);
  const filter = parseItemFilter(json, profile);
  const scope = `scan/${path.databaseId}/${stringifyFilter(json)}`;
  const given = { cursor: body.cursor, place: "body" } as const;
  const after = decodeCursor(scope, given, ["string", "string"]) as [string, string] | undefined;
  const candidates = readDatabase(database, after ?? beforeAll, getCandidateLimit(limit, profile), context);
  const page = collectPage(candidates, limit, filter, profile["limit-with-filter"]);
  if (after !== undefined && page.next !== undefined)
    assertPageAdvances(compareScanOrder([page.next.pk, page.next.sk], after, profile));
  store.databases.addRead(database.ref, countReadUnits(page.bytesRead), now);
  const { next } = page;
  return toPageResponse(page, next === undefined ? null : encodeCursor(scope, [next.pk, next.sk]));
};

/** What a query may look at. */
interface PartitionRange {
  readonly pk: string;
  /** Empty where all items of the partition are candidates. */
  readonly range: KeyRange;
  readonly forward: boolean;
  /** The sort key of the last item of the page before. */
  readonly after: string | undefined;
}

/**
 * The candidates of a query, in the order of sort keys: that of their UTF-8 bytes.
 *
 * @param limit how many are wanted at most; -1 for all
 */
function readPartitionRange(
  { ref }: DatabaseSummary,
  { pk, range, forward, after }: PartitionRange,
  limit: number,
  { store }: HandlerContext,
): Iterable<ItemRow> {
  const rest = after === undefined ? range : skipToKey(range, after, forward);
  return store.items.range(ref, pk, rest, forward, limit);
}

/** The candidates of a scan after a key: partition by partition (gap `scan-order`), each in the order of sort keys. */
function readDatabase(
  database: DatabaseSummary,
  [afterPk, afterSk]: readonly [string, string],
  limit: number,
  context: HandlerContext,
): Iterable<ItemRow> {
  const { store, profile } = context;
  const { ref } = database;
  if (profile["scan-order"] === "scattered")
    return readInHashOrder(database, [afterPk, afterSk], limit, context);
  return store.items.scan(ref, afterPk, afterSk, limit);
}

/** Orders two keys as a scan shows them: negative when the first comes first. */
function compareScanOrder(
  [pk, sk]: readonly [string, string],
  [otherPk, otherSk]: readonly [string, string],
  profile: Profile,
): number {
  if (pk === otherPk) return compareUtf8(sk, otherSk);
  return profile["scan-order"] === "scattered" ? compareByHash(pk, otherPk) : compareUtf8(pk, otherPk);
}

/** What is left of the partition of the page before, and the partitions after it. */
function* readInHashOrder(
  database: DatabaseSummary,
  [afterPk, afterSk]: readonly [string, string],
  limit: number,
  context: HandlerContext,
): Generator<ItemRow, void> {
  const whole = { range: {}, forward: true, after: undefined };
  if (afterPk !== "")
    yield* readPartitionRange(database, { ...whole, pk: afterPk, after: afterSk }, limit, context);
  for (const pk of listKeysInHashOrder(context.store.items.partitions(database.ref), afterPk))
    yield* readPartitionRange(database, { ...whole, pk }, limit, context);
}

/** What is left of a range after a key of it. */
function skipToKey(range: KeyRange, key: string, forward: boolean): KeyRange {
  const bound = { value: key, inclusive: false };
  return forward ? { ...range, lower: bound } : { ...range, upper: bound };
}

/** What tells one filter from another. */
function stringifyFilter(json: JsonValue | undefined): string {
  const filter = getBodyField(json, "filterExpression");
  return filter === undefined ? "" : toCanonicalJson(filter);
}

/** Filtered pages end earlier: the items have to be parsed, which takes several times as long as copying their text. */
const maxFilteredPageBytes = maxPageBytes / 8;

/** Minimum size as which a candidate counts, or a page could examine hundreds of thousands of tiny items. */
const minCandidateBytes = 128;

interface ItemPage {
  readonly items: readonly ItemRow[];
  readonly examined: number;
  readonly bytesRead: number;
  /** The last candidate examined, when there are more after it. */
  readonly next: ItemRow | undefined;
}

/** One candidate more than the page, to know whether there is another; all of them where matches are counted. */
function getCandidateLimit(limit: number, profile: Profile): number {
  return profile["limit-with-filter"] === "examined" ? limit + 1 : -1;
}

/**
 * Takes candidates until the page is full: of those examined, or of those returned (gap `limit-with-filter`), or of
 * bytes read.
 */
function collectPage(
  candidates: Iterable<ItemRow>,
  limit: number,
  filter: ParsedCondition | undefined,
  counts: "examined" | "returned",
): ItemPage {
  const items: ItemRow[] = [];
  let examined = 0;
  let bytesRead = 0;
  let work = 0;
  let counted = 0;
  let last: ItemRow | undefined;
  const maxBytes = filter === undefined ? maxPageBytes : maxFilteredPageBytes;
  for (const candidate of candidates) {
    if (counted >= limit || work > maxBytes) return { items, examined, bytesRead, next: last };
    const { bytes } = candidate;
    examined += 1;
    bytesRead += bytes;
    work += Math.max(bytes, minCandidateBytes);
    last = candidate;
    const isReturned = filter === undefined || isConditionTrue(filter, candidate);
    if (isReturned) items.push(candidate);
    if (isReturned || counts === "examined") counted += 1;
  }
  return { items, examined, bytesRead, next: undefined };
}

function toPageResponse(
  { items, examined }: ItemPage,
  nextCursor: string | null,
): OperationResponse<"queryItems"> {
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
