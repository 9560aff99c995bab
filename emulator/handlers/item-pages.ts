import { assertAdvance, readPosition, writePosition } from "../domain/cursor.js";
import { readUnitsOf } from "../domain/item-size.js";
import {
  parseSortKeyCondition,
  type SortKeyCondition,
  SortKeyConditionError,
} from "../domain/sort-key-condition.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { canonicalJson } from "../json/canonical-json.js";
import type { JsonValue } from "../json/json-value.js";
import { compareUtf8 } from "../json/utf8-order.js";
import { rawJson } from "../json/raw-json.js";
import { invalidBody } from "../domain/problem.js";
import type { ItemRow } from "../store/items.js";
import { bodyMember } from "./body-member.js";
import { type Condition, filterOf, holds } from "./conditions.js";
import { usableDatabase } from "./database-access.js";
import type { AnswerOf, Handler } from "./handler.js";
import { compareInScan, databaseCandidates, partitionCandidates } from "./item-candidates.js";
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
  const asked = [partitionKey, sortKeyCondition ?? null, scanForward, filterText(json)];
  const scope = `query/${path.databaseId}/${JSON.stringify(asked)}`;
  const condition = sortKeyCondition === undefined ? undefined : conditionFrom(sortKeyCondition, profile);
  const [after] = (readPosition(scope, { cursor: body.cursor, place: "body" }, ["string"]) ?? []) as [
    string?,
  ];
  const candidates = partitionCandidates(
    database,
    { pk: partitionKey, condition, forward: scanForward, after },
    candidateLimit(limit, profile),
    context,
  );
  const page = collectPage(candidates, limit, filter, profile["limit-with-filter"]);
  if (after !== undefined && page.next !== undefined) {
    const order = compareUtf8(page.next.sk, after);
    assertAdvance(scanForward ? order : -order);
  }
  store.databases.addRead(database.ref, readUnitsOf(page.bytesRead), now);
  return pageAnswer(page, page.next === undefined ? null : writePosition(scope, [page.next.sk]));
};

/** POST /items/scan: all items of the database, in order of pk and sk. */
export const scanItems: Handler<"scanItems"> = ({ path, body, json }, context) => {
  const { store, now, profile } = context;
  const database = usableDatabase(path.databaseId, context);
  const limit = pageSize(body.limit, profile);
  const filter = filterOf(json, profile);
  const scope = `scan/${path.databaseId}/${filterText(json)}`;
  const given = { cursor: body.cursor, place: "body" } as const;
  const after = readPosition(scope, given, ["string", "string"]) as [string, string] | undefined;
  const candidates = databaseCandidates(
    database,
    after ?? beforeAll,
    candidateLimit(limit, profile),
    context,
  );
  const page = collectPage(candidates, limit, filter, profile["limit-with-filter"]);
  if (after !== undefined && page.next !== undefined)
    assertAdvance(compareInScan([page.next.pk, page.next.sk], after, profile));
  store.databases.addRead(database.ref, readUnitsOf(page.bytesRead), now);
  const { next } = page;
  return pageAnswer(page, next === undefined ? null : writePosition(scope, [next.pk, next.sk]));
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
  return profile["limit-with-filter"] === "examined" ? limit + 1 : -1;
}

/** Takes candidates until the page is full: of those examined, or of those returned (gap `limit-with-filter`). */
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
    filter?.work.allowFor(candidate.bytes);
    if (filter === undefined || holds(filter, candidate)) items.push(candidate);
  }
  return { items, examined, bytesRead, next: undefined };
}

function pageAnswer({ items, examined }: ItemPage, nextCursor: string | null): AnswerOf<"queryItems"> {
  return {
    status: 200,
    body: {
      items: items.map(({ pk, sk, data }) => ({ pk, sk: sortKeyOrNull(sk), data: rawJson(data) })),
      nextCursor,
      count: items.length,
      scannedCount: examined,
    },
  };
}

function conditionFrom(text: string, profile: Profile): SortKeyCondition {
  try {
    return parseSortKeyCondition(text, profile["between-split"]);
  } catch (error) {
    if (error instanceof SortKeyConditionError) throw invalidBody("/sortKeyCondition", error.message);
    throw error;
  }
}
