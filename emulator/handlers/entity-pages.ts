import type { Profile } from "../../openapi/gaps/profile.js";
import { tryTo } from "../../openapi/text/try-to.js";
import {
  createInvalidCursorProblem,
  type CursorParameter,
  decodeCursor,
  encodeCursor,
} from "../domain/cursor.js";
import { limits } from "../../openapi/clauses/limits.js";
import { countReadUnits } from "../domain/item-size.js";
import { listAttributePaths } from "../expressions/operands.js";
import { EvaluationBudget } from "../expressions/evaluation-budget.js";
import type { Path } from "../expressions/expression.js";
import { parseJson } from "../json/parse-json.js";
import { stringifyJson, toCanonicalJson } from "../json/stringify-json.js";
import { createInvalidBodyProblem } from "../domain/problem.js";
import { type EntityPosition, parseSortPath } from "../repositories/entity-order.js";
import { type EntityQuery, findEntities, listScannedFields } from "../repositories/find-entities.js";
import { hasFieldAtPath } from "../repositories/has-field-at-path.js";
import { maxPageBytes } from "../sqlite/statement.js";
import type { EntityRow } from "../store/entities.js";
import type { RepositoryRow } from "../store/repositories.js";
import { maxStoredDepth, parseEntityFilter, runWithinEvaluationLimit } from "./conditions.js";
import { describeEntity } from "./entities.js";
import type { OperationResponse, HandlerContext, Handler, OperationRequest } from "./handler.js";
import { getPageSize } from "./read-page.js";
import { type RepositoryInDatabase, findUsableRepository } from "./repository-access.js";
import { getStoredSchema } from "./stored-schema.js";

/** GET /api/v1/repositories/{repositoryId}. */
export const listEntities: Handler<"listEntities"> = ({ path, query }, context) => {
  const place = findUsableRepository(path.repositoryId, context);
  const isNewestFirst = context.profile["entity-list-order"] === "newest-first";
  const limit = getPageSize(query.limit, context.profile);
  const scope = `entities/${path.repositoryId}/${isNewestFirst}`;
  const [after] = decodeCursor(scope, { cursor: query.cursor, place: "query" }, ["number"]) ?? [];
  return readUnfilteredPage(place, { isNewestFirst, after, limit, scope }, context);
};

/** POST /api/v1/repositories/{repositoryId}/query. */
export const queryEntities: Handler<"queryEntities"> = ({ path, body, json }, context) => {
  const { store, now, profile } = context;
  const place = findUsableRepository(path.repositoryId, context);
  const { repository, database } = place;
  const limit = getPageSize(body.limit, profile);
  const { sortBy } = body;
  const cursor = { cursor: body.cursor, place: "body" } as const;
  const filter = parseEntityFilter(json, profile);
  const { work } = filter ?? { work: new EvaluationBudget() };
  const query: EntityQuery = { filter, sortBy, isDescending: isDescendingQuery(body, profile), work };
  rejectUnknownFields(query, repository, context);
  const values = filter?.values === undefined ? null : toCanonicalJson(filter.values);
  const conditions = [sortBy ?? null, query.isDescending, body.filter ?? null, values];
  const scope = `entity-query/${path.repositoryId}/${JSON.stringify(conditions)}`;
  if (filter === undefined && sortBy === undefined) {
    const [after] = decodeCursor(scope, cursor, ["number"]) ?? [];
    return readUnfilteredPage(place, { isNewestFirst: query.isDescending, after, limit, scope }, context);
  }
  const start = decodeSortCursor(scope, cursor);
  const fields = listScannedFields(query);
  const { page, total, before } = runWithinEvaluationLimit(
    { pointer: filter === undefined ? "/sortBy" : "/filter" },
    () =>
      findEntities(
        (visit) => store.entities.scan(repository.ref, fields, visit),
        query,
        start,
        limit,
        maxStoredDepth,
      ),
  );
  store.databases.addRead(database.ref, countReadUnits(repository.storageBytes), now);
  const rows = readEntities(page, repository, context);
  const last = page[rows.length - 1];
  const count = before + rows.length;
  const nextCursor = last !== undefined && count < total ? encodeSortCursor(scope, last) : null;
  return toPageResponse(rows, nextCursor, total);
};

/** Stands for a missing value in a cursor. No JSON text is empty. */
const missingValue = "";

/** Writes the cursor of a sorted page: the sequence number and the sort value of its last entity. */
function encodeSortCursor(scope: string, { value, sequence }: EntityPosition): string {
  return encodeCursor(scope, [sequence, value === undefined ? missingValue : stringifyJson(value)]);
}

/** Reads what {@link encodeSortCursor} wrote. */
function decodeSortCursor(scope: string, cursor: CursorParameter): EntityPosition | undefined {
  const position = decodeCursor(scope, cursor, ["number", "string"]);
  if (position === undefined) return undefined;
  const [sequence, text] = position;
  if (text === missingValue) return { value: undefined, sequence };
  // No stored value is longer.
  const canBeStored = text.length <= limits.itemBytes;
  const value = canBeStored ? tryTo(() => parseJson(text, { maxDepth: maxStoredDepth })) : undefined;
  if (value === undefined) throw createInvalidCursorProblem("body");
  return { value, sequence };
}

/** Reads the entities at positions, up to the entity with which they exceed {@link maxPageBytes}. */
function readEntities(
  positions: readonly EntityPosition[],
  { ref }: RepositoryRow,
  { store }: HandlerContext,
): readonly EntityRow[] {
  const rows: EntityRow[] = [];
  let bytes = 0;
  for (const { sequence } of positions) {
    const row = store.entities.bySequence(ref, sequence);
    if (row === undefined) throw new Error("an entity is missing while it is read");
    rows.push(row);
    bytes += row.bytes;
    if (bytes > maxPageBytes) break;
  }
  return rows;
}

/** Gap `unknown-query-fields`. */
function rejectUnknownFields(
  { filter, sortBy }: EntityQuery,
  repository: RepositoryRow,
  context: HandlerContext,
): void {
  const answer = context.profile["unknown-query-fields"];
  if (answer === "searched") return;
  const { schema } = getStoredSchema(repository, context);
  const refuse = (pointer: string, path: Path | undefined) => {
    if (path !== undefined)
      throw createInvalidBodyProblem(
        pointer,
        schema.size === 0
          ? `refers to ${path.join(".")}, but the repository has no schema, or its schema does not declare this field`
          : `refers to ${path.join(".")}, which the repository's schema does not declare`,
      );
  };
  const isUnknown = (path: Path) => !hasFieldAtPath(schema, path, answer !== "declared-only");
  if (filter !== undefined) refuse("/filter", listAttributePaths(filter.expression).find(isUnknown));
  if (sortBy !== undefined) refuse("/sortBy", [parseSortPath(sortBy)].find(isUnknown));
}

interface UnfilteredPage {
  readonly isNewestFirst: boolean;
  readonly after: number | undefined;
  readonly limit: number;
  readonly scope: string;
}

/** Reads a page of all entities by creation. It costs the same however many entities there are. */
function readUnfilteredPage(
  { repository, database }: RepositoryInDatabase,
  { isNewestFirst, after, limit, scope }: UnfilteredPage,
  context: HandlerContext,
): OperationResponse<"listEntities"> {
  const { store, now } = context;
  const { rows, hasMore } = store.entities.page(repository.ref, isNewestFirst, after, limit);
  const last = rows.at(-1);
  store.databases.addRead(database.ref, countReadUnits(rows.reduce((sum, { bytes }) => sum + bytes, 0)), now);
  const nextCursor = hasMore && last !== undefined ? encodeCursor(scope, [last.sequence]) : null;
  return toPageResponse(rows, nextCursor, repository.itemCount);
}

function toPageResponse(
  rows: readonly EntityRow[],
  nextCursor: string | null,
  totalCount: number,
): OperationResponse<"listEntities"> {
  return { status: 200, body: { entities: rows.map(describeEntity), nextCursor, totalCount } };
}

/** Whether a query sorts in descending order; without `sortBy`, the order is that of the list (gap `entity-list-order`). */
function isDescendingQuery(
  { sortBy, sortOrder }: OperationRequest<"queryEntities">["body"],
  profile: Profile,
): boolean {
  if (sortBy === undefined) return profile["entity-list-order"] === "newest-first";
  return sortOrder === undefined ? profile["sort-order-default"] === "descending" : sortOrder === "desc";
}
