import type { Profile } from "../../openapi/gaps/profile.js";
import { readPosition, writePosition } from "../domain/cursor.js";
import { readUnitsOf } from "../domain/item-size.js";
import { attributePaths } from "../expressions/attribute-paths.js";
import type { Path } from "../expressions/expression.js";
import { canonicalJson } from "../json/canonical-json.js";
import { invalidBody } from "../domain/problem.js";
import { sortPath } from "../repositories/entity-order.js";
import { type EntityQuery, findEntities, scannedFields } from "../repositories/find-entities.js";
import { namesField } from "../repositories/names-field.js";
import type { EntityRow } from "../store/entities.js";
import type { RepositoryRow } from "../store/repositories.js";
import { deepest, entityFilterOf, withinWork } from "./conditions.js";
import { describeEntity } from "./entities.js";
import { readSortCursor, writeSortCursor } from "./entity-cursors.js";
import type { AnswerOf, Context, Handler, RequestOf } from "./handler.js";
import { pageSize } from "./page-size.js";
import { type RepositoryInDatabase, usableRepository } from "./repository-access.js";
import { storedSchema } from "./stored-schema.js";

/** GET /api/v1/repositories/{repositoryId}. */
export const listEntities: Handler<"listEntities"> = ({ path, query }, context) => {
  const place = usableRepository(path.repositoryId, context);
  const newestFirst = context.profile["entity-list-order"] === "newest-first";
  const limit = pageSize(query.limit === undefined ? undefined : Number(query.limit), context.profile);
  const scope = `entities/${path.repositoryId}/${newestFirst}`;
  const given = { cursor: query.cursor, place: "query" } as const;
  const [after] = (readPosition(scope, given, ["number"]) ?? []) as [number?];
  return wholePage(place, { newestFirst, after, limit, scope }, context);
};

/** POST /api/v1/repositories/{repositoryId}/query. */
export const queryEntities: Handler<"queryEntities"> = ({ path, body, json }, context) => {
  const { store, now, profile } = context;
  const place = usableRepository(path.repositoryId, context);
  const { repository, database } = place;
  const limit = pageSize(body.limit, profile);
  const { sortBy } = body;
  const given = { cursor: body.cursor, place: "body" } as const;
  const filter = entityFilterOf(json, profile);
  const query: EntityQuery = { filter, sortBy, order: orderOf(body, profile) };
  refuseUnknownFields(query, repository, context);
  const { descending, missing } = query.order;
  const values = filter?.values === undefined ? null : canonicalJson(filter.values);
  const asked = [sortBy ?? null, descending, missing, body.filter ?? null, values];
  const scope = `entity-query/${path.repositoryId}/${JSON.stringify(asked)}`;
  if (filter === undefined && sortBy === undefined) {
    const [after] = (readPosition(scope, given, ["number"]) ?? []) as [number?];
    return wholePage(place, { newestFirst: descending, after, limit, scope }, context);
  }
  const start = readSortCursor(scope, given, sortBy ?? "", repository, context);
  const fields = scannedFields(query);
  const { page, total, before } = withinWork({ pointer: "/filter" }, () =>
    findEntities((visit) => store.entities.scan(repository.ref, fields, visit), query, start, limit, deepest),
  );
  store.databases.addRead(database.ref, readUnitsOf(repository.storageBytes), now);
  const last = page.at(-1);
  const count = before + page.length;
  const nextCursor = last !== undefined && count < total ? writeSortCursor(scope, last, count) : null;
  const rows = page.flatMap(({ sequence }) => store.entities.bySequence(repository.ref, sequence) ?? []);
  const totalCount = profile["query-total-count"] === "all" ? repository.itemCount : total;
  return pageAnswer(rows, nextCursor, totalCount, context);
};

/** Gap `unknown-query-fields`. */
function refuseUnknownFields(
  { filter, sortBy }: EntityQuery,
  repository: RepositoryRow,
  context: Context,
): void {
  const answer = context.profile["unknown-query-fields"];
  if (answer === "looked-for") return;
  const schema = storedSchema(repository, context);
  const refuse = (pointer: string, path: Path | undefined) => {
    if (path !== undefined)
      throw invalidBody(
        pointer,
        schema.size === 0
          ? `names ${path.join(".")}, and the repository has no schema that declares it`
          : `names ${path.join(".")}, which the schema of the repository does not`,
      );
  };
  const isUnknown = (path: Path) => !namesField(schema, path, answer !== "declared-only");
  if (filter !== undefined) refuse("/filter", attributePaths(filter.expression).find(isUnknown));
  if (sortBy !== undefined) refuse("/sortBy", [sortPath(sortBy)].find(isUnknown));
}

interface WholePage {
  readonly newestFirst: boolean;
  readonly after: number | undefined;
  readonly limit: number;
  readonly scope: string;
}

/** A page of all entities in the order of creation or against it: it costs the same however many there are. */
function wholePage(
  { repository, database }: RepositoryInDatabase,
  { newestFirst, after, limit, scope }: WholePage,
  context: Context,
): AnswerOf<"listEntities"> {
  const { store, now } = context;
  const rows = store.entities.page(repository.ref, newestFirst, after, limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  store.databases.addRead(database.ref, readUnitsOf(page.reduce((sum, { bytes }) => sum + bytes, 0)), now);
  const nextCursor = rows.length > limit && last !== undefined ? writePosition(scope, [last.sequence]) : null;
  return pageAnswer(page, nextCursor, repository.itemCount, context);
}

function pageAnswer(
  rows: readonly EntityRow[],
  nextCursor: string | null,
  totalCount: number,
  context: Context,
): AnswerOf<"listEntities"> {
  return {
    status: 200,
    body: { entities: rows.map((row) => describeEntity(row, context)), nextCursor, totalCount },
  };
}

/** The order of a query; without `sortBy` it is that of the list (gap `entity-list-order`). */
function orderOf(
  { sortBy, sortOrder }: RequestOf<"queryEntities">["body"],
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
