import { getSizeLimit } from "../../openapi/clauses/limits.js";
import type { JsonObject } from "../json/json-value.js";
import {
  createEntityPreparer,
  TooManyDefaultsError,
  type EntityPreparer,
  type PreparedEntity,
} from "../repositories/entity-preparer.js";
import { Problem, createValidationProblem } from "../domain/problem.js";
import type { RepositorySchema } from "../repositories/repository-schema.js";
import type { RepositoryRow } from "../store/repositories.js";
import type { HandlerContext } from "./handler.js";
import { getStoredSchema } from "./stored-schema.js";

/** By the rules of the profile. */
const preparers = new WeakMap<RepositorySchema, Map<string, EntityPreparer>>();

/**
 * The data of a new or updated entity as they are to be stored: held to the repository's schema, with defaults.
 *
 * @throws problems `validation-failed` with every place that does not fit, `item-too-large` for too many defaults
 */
export function prepareEntityData(
  data: JsonObject,
  repository: RepositoryRow,
  context: HandlerContext,
): JsonObject {
  const prepared = prepare(data, getPreparer(repository, context), context);
  if ("mistakes" in prepared)
    throw createValidationProblem(
      ...prepared.mistakes.map((mistake) => ({ in: "body" as const, ...mistake })),
    );
  return prepared.data;
}

function prepare(data: JsonObject, preparer: EntityPreparer, { profile }: HandlerContext): PreparedEntity {
  try {
    return preparer.prepare(data);
  } catch (error) {
    if (!(error instanceof TooManyDefaultsError)) throw error;
    throw new Problem(
      "item-too-large",
      `With the default values that the schema adds, the entity is larger than the maximum of ${getSizeLimit("item", profile["size-unit"])} bytes.`,
    );
  }
}

function getPreparer(repository: RepositoryRow, context: HandlerContext): EntityPreparer {
  const { profile } = context;
  const unknownFields = profile["entity-unknown-fields"];
  const nullFields = profile["entity-null-fields"];
  const schema = getStoredSchema(repository, context);
  let known = preparers.get(schema);
  if (known === undefined) preparers.set(schema, (known = new Map<string, EntityPreparer>()));
  const key = `${unknownFields} ${nullFields}`;
  let preparer = known.get(key);
  if (preparer === undefined)
    known.set(key, (preparer = createEntityPreparer(schema, { unknownFields, nullFields })));
  return preparer;
}
