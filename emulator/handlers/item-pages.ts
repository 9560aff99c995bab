import { readPosition, writePosition } from "../domain/cursor.js";
import { readUnitsOf } from "../domain/item-size.js";
import {
  parseSortKeyCondition,
  type SortKeyCondition,
  SortKeyConditionError,
} from "../domain/sort-key-condition.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { canonicalJson } from "../json/canonical-json.js";
import type { JsonValue } from "../json/json-value.js";
import { rawJson } from "../json/raw-json.js";
import { invalidBody } from "../domain/problem.js";
import type { ItemRow } from "../store/items.js";
import { bodyMember } from "./body-member.js";
import { type Condition, filterOf, holds } from "./conditions.js";
import { countOfPage } from "./count-of-page.js";
import { usableDatabase } from "./database-access.js";
import type { AnswerOf, Handler } from "./handler.js";
import { databaseCandidates, partitionCandidates } from "./item-candidates.js";
import { sortKeyOrNull } from "./items.js";
import { pageSize } from "./page-size.js";

/** A key before every key of an item. */
const beforeAll = ["", ""] as const;

/** POST /items/query: one partition, in sort-key order (4.2 rules 3 to 6). */
export const queryItems: Handler<"queryItems"> = ({ path, body, json }, context) => {
  const { store, now, profile } = context;
  const { partitionKey, sortKeyCondition, scanForward = true } = body;
  const database = usableDatabase(path.databaseId, context);
  const limit = pageSize(body.limit, profile);
  const filter = filterOf(json, profile);
  const scope = {
    list: `query/${path.databaseId}`,
    query: JSON.stringify([partitionKey, sortKeyCondition ?? null, scanForward]),
    filter: filterText(json),
  };
  const condition = sortKeyCondition === undefined ? undefined : conditionFrom(sortKeyCondition, profile);
  const given = { cursor: body.cursor, place: "body", rules: profile } as const;
  const [after] = (readPosition(scope, given, ["string"])?.position ?? []) as [string?];
  const candidatesAfter = (key: string | undefined, most: number) =>
    partitionCandidates(
      database,
      { pk: partitionKey, condition, forward: scanForward, after: key },
      most,
      context,
    );
  const candidates = candidatesAfter(after, candidateLimit(limit, profile));
  const page = collectPage(candidates, limit, filter, profile["limit-counts"]);
  store.databases.addRead(database.ref, readUnitsOf(page.bytesRead), now);
  const isWhole = after === undefined && page.next === undefined;
  const everything = () => candidatesAfter(undefined, -1);
  return pageAnswer(
    page,
    page.next === undefined ? null : writePosition(scope, [page.next.sk]),
    countOfPage({ items: page.items, isWhole }, filter, everything, profile),
    profile,
  );
};

/** POST /items/scan: all items of the database, in order of pk and sk. */
export const scanItems: Handler<"scanItems"> = ({ path, body, json }, context) => {
  const { store, now, profile } = context;
  const database = usableDatabase(path.databaseId, context);
  const limit = pageSize(body.limit, profile);
  const filter = filterOf(json, profile);
  const scope = { list: `scan/${path.databaseId}`, filter: filterText(json) };
  const given = { cursor: body.cursor, place: "body", rules: profile } as const;
  const after = readPosition(scope, given, ["string", "string"])?.position as [string, string] | undefined;
  const candidates = databaseCandidates(
    database,
    after ?? beforeAll,
    candidateLimit(limit, profile),
    context,
  );
  const page = collectPage(candidates, limit, filter, profile["limit-counts"]);
  store.databases.addRead(database.ref, readUnitsOf(page.bytesRead), now);
  const isWhole = after === undefined && page.next === undefined;
  const everything = () => databaseCandidates(database, beforeAll, -1, context);
  return pageAnswer(
    page,
    page.next === undefined ? null : writePosition(scope, [page.next.pk, page.next.sk]),
    countOfPage({ items: page.items, isWhole }, filter, everything, profile),
    profile,
  );
};

/** What tells one filter from another. */
function filterText(json: JsonValue | undefined): string {
  const filter = bodyMember(json, "filterExpression");
  return filter === undefined ? "" : canonicalJson(filter);
}

interface ItemPage {
  readonly items: readonly ItemRow[];
  readonly examined: number;
  readonly bytesRead: number;
  /** The last candidate examined, when there are more after it. */
  readonly next: ItemRow | undefined;
}

/** One candidate more than the page, to know whether there is another; all of them where matches are counted. */
function candidateLimit(limit: number, profile: Profile): number {
  return profile["limit-counts"] === "examined" ? limit + 1 : -1;
}

/** Takes candidates until the page is full: of those examined, or of those returned (gap `limit-counts`). */
function collectPage(
  candidates: Iterable<ItemRow>,
  limit: number,
  filter: Condition | undefined,
  counts: "examined" | "returned",
): ItemPage {
  const items: ItemRow[] = [];
  let examined = 0;
  let bytesRead = 0;
  let last: ItemRow | undefined;
  for (const candidate of candidates) {
    if ((counts === "examined" ? examined : items.length) >= limit)
      return { items, examined, bytesRead, next: last };
    examined += 1;
    bytesRead += candidate.bytes;
    last = candidate;
    if (filter === undefined || holds(filter, candidate)) items.push(candidate);
  }
  return { items, examined, bytesRead, next: undefined };
}

function pageAnswer(
  { items, examined }: ItemPage,
  nextCursor: string | null,
  count: number,
  profile: Profile,
): AnswerOf<"queryItems"> {
  const scanned = { examined, returned: items.length, "left-out": examined - items.length };
  return {
    status: 200,
    body: {
      items: items.map(({ pk, sk, data }) => ({ pk, sk: sortKeyOrNull(sk), data: rawJson(data) })),
      nextCursor,
      count,
      scannedCount: scanned[profile["scanned-count"]],
    },
  };
}

/** What the text of a condition means; nothing where it counts as none (gaps `empty-sort-key` and others). */
function conditionFrom(text: string, profile: Profile): SortKeyCondition | undefined {
  try {
    return parseSortKeyCondition(text, profile);
  } catch (error) {
    if (error instanceof SortKeyConditionError) throw invalidBody("/sortKeyCondition", error.message);
    throw error;
  }
}
