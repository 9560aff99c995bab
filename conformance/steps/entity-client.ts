import { isDeepStrictEqual } from "node:util";
import type { ClauseId } from "../../openapi/clauses/register.js";
import { defineChecksWithSubject } from "../check/check.js";
import type { CheckContext } from "../check/context.js";
import type { ApiResponse, CallOptions } from "../client/client.js";
import type { KnownEntity } from "../models/entities.js";
import type { NewRepository } from "../resources/resources.js";
import { readUntil } from "./read-until.js";
import {
  assertEachListedOnce,
  assertList,
  type PaginatedList,
  type PaginatedResult,
  readPages,
} from "./pages.js";
import { assertSameInstant } from "./timestamps.js";

/** Defines checks on repositories of the database that all checks share. */
export const defineRepositoryChecks = defineChecksWithSubject(["database", "repositories"], ({ resources }) =>
  resources.getDatabase(),
);

/** Maximum number of attempts to create an entity while other requests interfere. */
const maxAttempts = 5;

/** Fields of a query besides `limit` and `cursor`. */
type Query = Readonly<Record<string, unknown>>;
type How = Pick<CallOptions, "as" | "intent" | "setUp">;

/** Creates the list of the entities of a repository, by GET or, if a query is given, by that query. */
export function createEntityList(repositoryId: string, query?: Query): PaginatedList {
  return {
    operationId: query === undefined ? "listEntities" : "queryEntities",
    path: { repositoryId },
    member: "entities",
    id: "id",
    limitClause: "REPO-34",
    ...(query === undefined ? {} : { body: query }),
  };
}

/** Sends requests for the entities of one repository. */
export class EntityClient {
  constructor(
    readonly context: CheckContext,
    readonly repositoryId: string,
  ) {}

  /** Creates a repository in a database, and a client for it. */
  static async withNewRepository(
    context: CheckContext,
    databaseId: string,
    rest?: NewRepository,
  ): Promise<EntityClient> {
    return new EntityClient(context, await context.resources.createRepository(databaseId, rest));
  }

  create(data: unknown, how: How = {}): Promise<ApiResponse> {
    const path = { repositoryId: this.repositoryId };
    return this.context.call("createEntity", { path, body: { data }, ...how });
  }

  /** Creates an entity for a check to work with, even if other requests interfere. Returns its id. */
  async add(data: object): Promise<string> {
    const create = () => this.create(data, { setUp: true });
    let response = await create();
    for (let attempt = 1; response.status === 409 && attempt < maxAttempts; attempt++)
      response = await create();
    return this.context.assertStatus("REPO-23", response, 201).body.id as string;
  }

  get(entityId: string, how: How = {}): Promise<ApiResponse> {
    return this.context.call("getEntity", { path: this.path(entityId), ...how });
  }

  /** Returns the entity with an id, which must exist. */
  async read(entityId: string): Promise<KnownEntity> {
    return this.context.assertStatus("REPO-28", await this.get(entityId), 200).body as KnownEntity;
  }

  update(entityId: string, data: unknown, how: How = {}): Promise<ApiResponse> {
    return this.context.call("updateEntity", { path: this.path(entityId), body: { data }, ...how });
  }

  remove(entityId: string, how: How = {}): Promise<ApiResponse> {
    return this.context.call("deleteEntity", { path: this.path(entityId), ...how });
  }

  path(entityId: string): { readonly repositoryId: string; readonly entityId: string } {
    return { repositoryId: this.repositoryId, entityId };
  }

  /** Reads all pages by GET or, if a query is given, by that query. */
  pages(query?: Query, limit?: number): Promise<PaginatedResult> {
    return readPages(this.context, {
      ...createEntityList(this.repositoryId, query),
      ...(limit === undefined ? {} : { limit }),
    });
  }

  /** Asserts that the repository has the entities with these ids, and no others. */
  async assertIds(clause: ClauseId, ids: readonly string[], what: string): Promise<void> {
    await assertList(this.context, clause, createEntityList(this.repositoryId), ids, what);
  }

  /** Asserts that the pages have the entities with these ids, and no others; those of a list also count them. */
  async assertAll(
    clause: ClauseId,
    ids: readonly string[],
    query?: Query,
    limit?: number,
  ): Promise<PaginatedResult> {
    const read = await readUntil(
      this.context,
      () => this.pages(query, limit),
      ({ pages }) => query !== undefined || pages.every(({ totalCount }) => totalCount === ids.length),
    );
    assertEachListedOnce(this.context, clause, read.ids, ids, "the entities in the repository");
    // The specification does not say what the totalCount of a query counts.
    for (const { totalCount } of query === undefined ? read.pages : [])
      this.context.assertEqual("REPO-35", totalCount, ids.length, "totalCount on every page");
    return read;
  }

  /** Asserts that the repository has the right `itemCount`, possibly after a delay. */
  async assertItemCount(databaseId: string, expected: number): Promise<void> {
    const path = { databaseId, repositoryId: this.repositoryId };
    const count = await readUntil(
      this.context,
      async () => (await this.context.call("getRepository", { path })).body.itemCount as number,
      (seen) => seen === expected,
    );
    this.context.assertEqual("REPO-08", count, expected, "itemCount for the repository");
  }

  /** Asserts that an update returned the given data; an update may replace the previous data or be merged with it. */
  assertUpdated(response: ApiResponse, before: KnownEntity["data"], given: KnownEntity["data"]): KnownEntity {
    const updated = this.context.assertStatus("REPO-30", response, 200).body as KnownEntity;
    const isPossible = [given, { ...before, ...given }].some((data) => isDeepStrictEqual(data, updated.data));
    const expected = `the given data, with or without the previous data: ${JSON.stringify(before)}`;
    this.context.assert("REPO-30", isPossible, expected, updated.data);
    return updated;
  }
}

/** Asserts that an entity has its known fields; the specification does not exclude further fields. */
export function assertSameEntity(
  context: CheckContext,
  clause: ClauseId,
  seen: Partial<KnownEntity>,
  known: KnownEntity | undefined,
): void {
  context.assertEqual(clause, seen.id, known?.id, "id");
  context.assertEqual(clause, seen.data, known?.data, "data");
  for (const member of ["createdAt", "updatedAt"] as const)
    assertSameInstant(context, clause, seen[member], known?.[member], member);
  if (typeof known?.version === "number" && typeof seen.version === "number")
    context.assertEqual(clause, seen.version, known.version, "version");
}
