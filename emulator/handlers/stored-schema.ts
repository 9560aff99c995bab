import { limits } from "../../openapi/clauses/limits.js";
import { createValidationProblem, Problem } from "../domain/problem.js";
import type { JsonObject } from "../json/json-value.js";
import { parseJson } from "../json/parse-json.js";
import { PooledCache, schemaPool } from "../memory/cache-pool.js";
import {
  createEntityPreparer,
  type EntityPreparer,
  TooManyDefaultsError,
} from "../repositories/entity-preparer.js";
import { LinearPattern } from "../repositories/linear-pattern.js";
import type { RepositorySchema } from "../repositories/schema-reader.js";
import { SchemaReader } from "../repositories/schema-reader.js";
import type { RepositoryRow } from "../store/repositories.js";
import { maxStoredDepth } from "./conditions.js";
import type { HandlerContext } from "./handler.js";

interface StoredSchema {
  /** A schema without fields if none was given. */
  readonly schema: RepositorySchema;
  readonly preparer: EntityPreparer;
  readonly length: number;
}

/** Compiled schemas, which repositories and namespaces share. */
const storedSchemas = new PooledCache<StoredSchema>({
  pool: schemaPool,
  countBytes: (_key, { length }) => 20 * length,
});

/** Returns the schema of a repository, and the preparer of its entities by the rules of the profile. */
export function getStoredSchema(
  { ref, schemaHash }: RepositoryRow,
  { store, profile }: HandlerContext,
): StoredSchema {
  const patterns = profile["pattern-match"];
  const key = [schemaHash, patterns, profile["entity-unknown-fields"], profile["entity-null-fields"]].join(
    " ",
  );
  return storedSchemas.get(key, () => {
    const text = store.repositories.schemaOf(ref);
    if (text === undefined) throw new Error("a repository has no stored schema");
    // Its patterns are compiled when they are first matched.
    const reader = new SchemaReader(patterns, (source) => LinearPattern.estimate(source));
    const schema = reader.readFields(parseJson(text, { maxDepth: maxStoredDepth }) as JsonObject, "", 1);
    return { schema, preparer: createEntityPreparer(schema, profile), length: text.length };
  });
}

/**
 * Validates the data of a new or updated entity against the repository's schema, and adds default values.
 *
 * @throws problems `validation-failed` with all mistakes, `item-too-large` for too many default values
 */
export function prepareEntityData(
  data: JsonObject,
  repository: RepositoryRow,
  context: HandlerContext,
): JsonObject {
  const { preparer } = getStoredSchema(repository, context);
  try {
    const prepared = preparer.prepare(data);
    if ("data" in prepared) return prepared.data;
    throw createValidationProblem(
      ...prepared.mistakes.map((mistake) => ({ in: "body" as const, ...mistake })),
    );
  } catch (error) {
    if (!(error instanceof TooManyDefaultsError)) throw error;
    throw new Problem(
      "item-too-large",
      `Including the schema's default values, the entity is larger than the maximum of ${limits.itemBytes} bytes.`,
    );
  }
}
