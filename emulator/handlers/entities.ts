import { limits } from "../../openapi/clauses/limits.js";
import { countItemBytes, countReadUnits, countWriteUnits } from "../domain/item-size.js";
import { getFieldEntries, type JsonObject, type JsonValue } from "../json/json-value.js";
import { rawJson } from "../json/stringify-body.js";
import { parseJson } from "../json/parse-json.js";
import { stringifyJson } from "../json/stringify-json.js";
import { Problem } from "../domain/problem.js";
import type { EntityRow } from "../store/entities.js";
import { getChangeTime } from "../time/get-change-time.js";
import { formatTimestamp } from "../time/timestamp.js";
import { getBodyField } from "./body-field.js";
import { maxStoredDepth } from "./conditions.js";
import { rejectStorageOverflow } from "./database-access.js";
import { prepareEntityData } from "./stored-schema.js";
import type { OperationResponse, HandlerContext, Handler } from "./handler.js";
import { type RepositoryInDatabase, findUsableRepository } from "./repository-access.js";

/** POST /api/v1/repositories/{repositoryId}. */
export const createEntity: Handler<"createEntity"> = ({ path, json }, context) => {
  const { store, ids, now } = context;
  const place = findUsableRepository(path.repositoryId, context);
  const { repository } = place;
  const given = getBodyField(json, "data") as JsonObject;
  const data = stringifyData(prepareEntityData(given, repository, context));
  const entityId = ids.next("ent");
  const bytes = countItemBytes(entityId, "", data);
  const entity = {
    sequence: repository.lastSequence + 1,
    entityId,
    data,
    bytes,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  rejectStorageOverflow(bytes, place.database, context);
  store.entities.insert(repository.ref, entity);
  countWrite(place, { created: 1, bytes, written: bytes }, context);
  return { status: 201, body: describeEntity(entity) };
};

/** GET /api/v1/repositories/{repositoryId}/{entityId}. */
export const getEntity: Handler<"getEntity"> = ({ path }, context) => {
  const { store, now } = context;
  const { repository, database } = findUsableRepository(path.repositoryId, context);
  const entity = store.entities.get(repository.ref, path.entityId);
  store.databases.addRead(database.ref, countReadUnits(entity?.bytes ?? 0), now);
  if (entity === undefined) throw createEntityNotFoundProblem();
  return { status: 200, body: describeEntity(entity) };
};

/** PUT /api/v1/repositories/{repositoryId}/{entityId} (gap `entity-put`). */
export const updateEntity: Handler<"updateEntity"> = ({ path, json }, context) => {
  const { store, now, profile } = context;
  const place = findUsableRepository(path.repositoryId, context);
  const { repository } = place;
  const before = store.entities.get(repository.ref, path.entityId);
  if (before === undefined) throw createEntityNotFoundProblem();
  const given = getBodyField(json, "data") as JsonObject;
  const merged =
    profile["entity-put"] === "merge"
      ? mergeFields(parseJson(before.data, { maxDepth: maxStoredDepth }) as JsonObject, given)
      : given;
  const data = stringifyData(prepareEntityData(merged, repository, context));
  const bytes = countItemBytes(before.entityId, "", data);
  const updatedAt = getChangeTime(before.updatedAt, now);
  const entity = { ...before, data, bytes, version: before.version + 1, updatedAt };
  rejectStorageOverflow(bytes - before.bytes, place.database, context);
  store.entities.update(repository.ref, entity);
  countWrite(place, { bytes: bytes - before.bytes, written: bytes }, context);
  return { status: 200, body: describeEntity(entity) };
};

/** Returns the fields of both objects. Updated fields keep their place. */
export function mergeFields(before: JsonObject, update: JsonObject): JsonObject {
  return new Map<string, JsonValue>([...getFieldEntries(before), ...getFieldEntries(update)]);
}

/** DELETE /api/v1/repositories/{repositoryId}/{entityId}. */
export const deleteEntity: Handler<"deleteEntity"> = ({ path }, context) => {
  const { store, profile } = context;
  const place = findUsableRepository(path.repositoryId, context);
  const entity = store.entities.get(place.repository.ref, path.entityId);
  if (entity === undefined) {
    if (profile["delete-missing-entity"] === 404) throw createEntityNotFoundProblem();
    return { status: 204 };
  }
  store.entities.remove(place.repository.ref, entity.sequence);
  countWrite(place, { deleted: 1, bytes: -entity.bytes, written: entity.bytes }, context);
  return { status: 204 };
};

/** Describes an entity in responses. */
export function describeEntity(row: EntityRow): OperationResponse<"getEntity">["body"] {
  const { entityId: id, data, createdAt, updatedAt, version } = row;
  return {
    id,
    data: rawJson(data),
    createdAt: formatTimestamp(createdAt),
    updatedAt: formatTimestamp(updatedAt),
    version,
  };
}

/** Writes the data as JSON. @throws a problem `item-too-large` */
function stringifyData(data: JsonObject): string {
  const text = stringifyJson(data);
  const bytes = Buffer.byteLength(text);
  if (bytes > limits.itemBytes)
    throw new Problem(
      "item-too-large",
      `As compact JSON in UTF-8, the entity's data has ${bytes} bytes; at most ${limits.itemBytes} are allowed.`,
    );
  return text;
}

interface EntityWrite {
  readonly created?: number;
  readonly deleted?: number;
  /** The growth of the stored data. */
  readonly bytes: number;
  /** Size of the data that was written or deleted. */
  readonly written: number;
}

function countWrite(
  { repository, database }: RepositoryInDatabase,
  { created = 0, deleted = 0, bytes, written }: EntityWrite,
  { store, now }: HandlerContext,
): void {
  store.repositories.change(repository.repositoryId, { created, deleted, bytes }, now);
  store.databases.addWrite(database.ref, { items: 0, bytes, writeUnits: countWriteUnits(written) }, now);
}

function createEntityNotFoundProblem(): Problem {
  return new Problem("entity-not-found", "There is no entity with this id in the repository.");
}
