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
import { hasFieldAtPath } from "../repositories/has-field.js";
import { type EntityRow, getEntityByteCount } from "../store/entities.js";
import type { RepositoryRow } from "../store/repositories.js";
import { maxFilterDepth, parseEntityFilter, runWithinEvaluationLimit } from "./conditions.js";
import { describeEntity } from "./entities.js";
import type { OperationResponse, HandlerContext, Handler, OperationRequest } from "./handler.js";
import { getPageSize, takePage } from "./read-page.js";
import { type RepositoryInDatabase, findUsableRepository } from "./repository-access.js";
import { getStoredSchema } from "./stored-schema.js";

/** GET /api/v1/repositories/{repositoryId}. */
export const listEntities: Handler<"listEntities"> = ({ path, query }, context) => {
  const place = findUsableRepository(path.repositoryId, context);
  const newestFirst = context.profile["entity-list-order"] === "newest-first";
  const limit = getPageSize(query.limit, context.profile);
  const scope = `entities/${path.repositoryId}/${newestFirst}`;
  const given = { cursor: query.cursor, place: "query" } as const;
  const [after] = (decodeCursor(scope, given, ["number"]) ?? []) as [number?];
  return readUnfilteredPage(place, { newestFirst, after, limit, scope }, context);
};

/** POST /api/v1/repositories/{repositoryId}/query. */
export const queryEntities: Handler<"queryEntities"> = ({ path, body, json }, context) => {
  const { store, now, profile } = context;
  const place = findUsableRepository(path.repositoryId, context);
  const { repository, database } = place;
  const limit = getPageSize(body.limit, profile);
  const { sortBy } = body;
  const given = { cursor: body.cursor, place: "body" } as const;
  const filter = parseEntityFilter(json, profile);
  const { work } = filter ?? { work: new EvaluationBudget() };
  const query: EntityQuery = { filter, sortBy, order: getOrder(body, profile), work };
  rejectUnknownFields(query, repository, context);
  const { descending, missing } = query.order;
  const values = filter?.values === undefined ? null : toCanonicalJson(filter.values);
  const asked = [sortBy ?? null, descending, missing, body.filter ?? null, values];
  const scope = `entity-query/${path.repositoryId}/${JSON.stringify(asked)}`;
  if (filter === undefined && sortBy === undefined) {
    const [after] = (decodeCursor(scope, given, ["number"]) ?? []) as [number?];
    return readUnfilteredPage(place, { newestFirst: descending, after, limit, scope }, context);
  }
  const start = decodeSortCursor(scope, given);
  const fields = listScannedFields(query);
  const { page, total, before } = runWithinEvaluationLimit(
    { pointer: filter === undefined ? "/sortBy" : "/filter" },
    () =>
      findEntities(
        (visit) => store.entities.scan(repository.ref, fields, visit),
        query,
        start,
        limit,
        maxFilterDepth,
      ),
  );
  store.databases.addRead(database.ref, countReadUnits(repository.storageBytes), now);
  const rows = takePage(readEntities(page, repository, context), limit, getEntityByteCount);
  const last = page[rows.length - 1];
  const count = before + rows.length;
  const nextCursor = last !== undefined && count < total ? encodeSortCursor(scope, last) : null;
  const totalCount = profile["query-total-count"] === "all" ? repository.itemCount : total;
  return toPageResponse(rows, nextCursor, totalCount, context);
};

/** The text that stands for a missing value: no JSON text is empty. */
const missingValue = "";

/**
 * Writes the cursor of a sorted page: the number and the sort value of its last entity, so that the next page starts
 * after them whatever was written in between.
 */
function encodeSortCursor(scope: string, { value, sequence }: EntityPosition): string {
  return encodeCursor(scope, [sequence, value === undefined ? missingValue : stringifyJson(value)]);
}

/** Reads what {@link encodeSortCursor} wrote. */
function decodeSortCursor(scope: string, given: CursorParameter): EntityPosition | undefined {
  const position = decodeCursor(scope, given, ["number", "string"]) as [number, string] | undefined;
  if (position === undefined) return undefined;
  const [sequence, text] = position;
  if (text === missingValue) return { value: undefined, sequence };
  // no stored value is longer
  const isPossible = text.length <= limits.itemBytes;
  const value = isPossible ? tryTo(() => parseJson(text, { maxDepth: maxFilterDepth })) : undefined;
  if (value === undefined) throw createInvalidCursorProblem("body");
  return { value, sequence };
}

/** Reads the entities at positions one by one: a page may end before all of them. */
function* readEntities(
  positions: readonly { readonly sequence: number }[],
  { ref }: RepositoryRow,
  { store }: HandlerContext,
): Generator<EntityRow, void> {
  for (const { sequence } of positions) {
    const row = store.entities.bySequence(ref, sequence);
    if (row !== undefined) yield row;
  }
}

/** Gap `unknown-query-fields`. */
function rejectUnknownFields(
  { filter, sortBy }: EntityQuery,
  repository: RepositoryRow,
  context: HandlerContext,
): void {
  const answer = context.profile["unknown-query-fields"];
  if (answer === "looked-for") return;
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
  readonly newestFirst: boolean;
  readonly after: number | undefined;
  readonly limit: number;
  readonly scope: string;
}

/** A page of all entities in the order of creation or against it: it costs the same however many there are. */
function readUnfilteredPage(
  { repository, database }: RepositoryInDatabase,
  { newestFirst, after, limit, scope }: UnfilteredPage,
  context: HandlerContext,
): OperationResponse<"listEntities"> {
  const { store, now } = context;
  const rows = store.entities.page(repository.ref, newestFirst, after, limit + 1);
  const page = takePage(rows, limit, getEntityByteCount);
  const last = page.at(-1);
  store.databases.addRead(database.ref, countReadUnits(page.reduce((sum, { bytes }) => sum + bytes, 0)), now);
  const nextCursor =
    rows.length > page.length && last !== undefined ? encodeCursor(scope, [last.sequence]) : null;
  return toPageResponse(page, nextCursor, repository.itemCount, context);
}

function toPageResponse(
  rows: readonly EntityRow[],
  nextCursor: string | null,
  totalCount: number,
  context: HandlerContext,
): OperationResponse<"listEntities"> {
  return {
    status: 200,
    body: { entities: rows.map((row) => describeEntity(row, context)), nextCursor, totalCount },
  };
}

/** The order of a query; without `sortBy` it is that of the list (gap `entity-list-order`). */
function getOrder(
  { sortBy, sortOrder }: OperationRequest<"queryEntities">["body"],
  profile: Profile,
): EntityQuery["order"] {
  const missing = profile["sort-missing-field"];
  const texts = profile["sort-text-order"];
  const descending =
    sortBy === undefined
      ? profile["entity-list-order"] === "newest-first"
      : sortOrder === undefined
        ? profile["sort-order-default"] === "descending"
        : sortOrder === "desc";
  return { descending, missing, texts };
}
