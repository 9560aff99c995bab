import type { JsonObject } from "../json/json-value.js";
import { rawJson } from "../json/stringify-body.js";
import { stringifyJson } from "../json/stringify-json.js";
import { createInvalidBodyProblem, createValidationProblem, Problem } from "../domain/problem.js";
import { findSchemaMistakes } from "../repositories/find-schema-mistakes.js";
import type { RepositoryRow, RepositoryWithSchema } from "../store/repositories.js";
import { formatTimestamp } from "../time/timestamp.js";
import { getBodyField } from "./body-field.js";
import { requireOwnedDatabase } from "./database-access.js";
import type { HandlerContext, Handler } from "./handler.js";
import { readPage } from "./read-page.js";
import { createRepositoryNotFoundProblem } from "./repository-access.js";

/** Twice the size of a schema with as many fields, and as long patterns, as possible. */
const maxBodyBytes = 2 * 1024 * 1024;

/** POST …/repositories. */
export const createRepository: Handler<"createRepository"> = ({ path, body, bodyBytes, json }, context) => {
  const { store, ids, now, profile } = context;
  const { databaseId } = path;
  const { name, entityName } = body;
  const database = requireOwnedDatabase(databaseId, context);
  if (database.status === "Deleting")
    throw new Problem(
      "database-unavailable",
      "The database is being deleted, so nothing can be created in it.",
    );
  if (bodyBytes > maxBodyBytes)
    throw createInvalidBodyProblem(
      "/schema",
      `makes the body too long: it can have at most ${maxBodyBytes} bytes`,
    );
  const schema = (getBodyField(json, "schema") ?? {}) as JsonObject;
  const mistakes = findSchemaMistakes(schema, profile);
  if (mistakes.length > 0)
    throw createValidationProblem(...mistakes.map((mistake) => ({ in: "body" as const, ...mistake })));
  if (profile["duplicate-name"] === "reject" && store.repositories.hasName(database.ref, name))
    throw new Problem(
      "conflict",
      `The database already has a repository named ${name}. Choose another name.`,
    );
  const repositoryId = ids.next("repo");
  store.repositories.insert(
    { repositoryId, databaseRef: database.ref, name, entityName, schema: stringifyJson(schema) },
    now,
  );
  return {
    status: 201,
    body: { repositoryId, databaseId, name, entityName, createdAt: formatTimestamp(now) },
  };
};

/** GET …/repositories. */
export const listRepositories: Handler<"listRepositories"> = ({ path, query }, context) => {
  const { databaseId } = path;
  const { ref } = requireOwnedDatabase(databaseId, context);
  const { rows, nextCursor } = readPage(`repositories/${databaseId}`, query, context, (after, limit) =>
    context.store.repositories.page(ref, after, limit),
  );
  return {
    status: 200,
    body: { repositories: rows.map((row) => describeRepository(row, databaseId)), nextCursor },
  };
};

/** GET …/repositories/{repositoryId}. */
export const getRepository: Handler<"getRepository"> = ({ path }, context) => {
  const { repositoryId } = findVisibleRepository(path.databaseId, path.repositoryId, context);
  const row = context.store.repositories.withSchema(repositoryId);
  if (row === undefined) throw new Error("a visible repository has no row");
  return { status: 200, body: describeRepository(row, path.databaseId) };
};

/** DELETE …/repositories/{repositoryId}: the repository with all its entities. */
export const deleteRepository: Handler<"deleteRepository"> = ({ path }, context) => {
  const { store, now } = context;
  const { ref, databaseRef, storageBytes } = findVisibleRepository(
    path.databaseId,
    path.repositoryId,
    context,
  );
  store.repositories.remove(ref);
  store.databases.addWrite(databaseRef, { items: 0, bytes: -storageBytes, writeUnits: 1 }, now);
  return { status: 204 };
};

/** Finds a repository in a database of the caller's organization. */
function findVisibleRepository(
  databaseId: string,
  repositoryId: string,
  context: HandlerContext,
): RepositoryRow {
  const { ref } = requireOwnedDatabase(databaseId, context);
  const row = context.store.repositories.byId(repositoryId);
  if (row?.databaseRef !== ref) throw createRepositoryNotFoundProblem(context);
  return row;
}

function describeRepository(row: RepositoryWithSchema, databaseId: string) {
  return {
    repositoryId: row.repositoryId,
    databaseId,
    name: row.name,
    entityName: row.entityName,
    status: "Active" as const,
    schema: rawJson(row.schema),
    itemCount: row.itemCount,
    createdAt: formatTimestamp(row.createdAt),
    updatedAt: formatTimestamp(row.updatedAt),
  };
}
