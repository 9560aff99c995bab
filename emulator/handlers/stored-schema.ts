import { getSizeLimit } from "../../openapi/clauses/limits.js";
import { createValidationProblem, Problem } from "../domain/problem.js";
import type { JsonObject } from "../json/json-value.js";
import { parseJson } from "../json/parse-json.js";
import { PooledCache, schemaPool } from "../memory/cache-pool.js";
import {
  createEntityPreparer,
  type EntityPreparer,
  type PreparedEntity,
  TooManyDefaultsError,
} from "../repositories/entity-preparer.js";
import type { RepositorySchema } from "../repositories/schema-reader.js";
import { SchemaReader } from "../repositories/schema-reader.js";
import type { RepositoryRow } from "../store/repositories.js";
import { maxStoredDepth } from "./conditions.js";
import type { HandlerContext } from "./handler.js";

interface StoredSchema {
  /** Without fields where none was given. */
  readonly schema: RepositorySchema;
  readonly preparer: EntityPreparer;
  readonly length: number;
}

/** Schemas by their texts: repositories and namespaces of one schema share it. */
const known = new PooledCache<StoredSchema>({
  pool: schemaPool,
  countBytes: (_key, { length }) => 20 * length,
});

/** The schema of a repository, and what prepares its entities by the rules of the profile. */
export function getStoredSchema(
  { ref, schemaHash }: RepositoryRow,
  { store, profile }: HandlerContext,
): StoredSchema {
  const patterns = profile["pattern-match"];
  const key = [schemaHash, patterns, profile["entity-unknown-fields"], profile["entity-null-fields"]].join(
    " ",
  );
  return known.get(key, () => {
    const text = store.repositories.schemaOf(ref);
    if (text === undefined) throw new Error("a repository has no stored schema");
    // Its patterns are compiled when they are first matched.
    const reader = new SchemaReader(patterns, { remaining: 0 });
    const schema = reader.readFields(parseJson(text, { maxDepth: maxStoredDepth }), "", 1);
    return { schema, preparer: createEntityPreparer(schema, profile), length: text.length };
  });
}

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
  const prepared = prepare(data, getStoredSchema(repository, context).preparer, context);
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
