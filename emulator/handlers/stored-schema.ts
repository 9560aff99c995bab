import { parseJson } from "../json/parse-json.js";
import { PooledCache, schemaPool } from "../memory/cache-pool.js";
import type { RepositorySchema } from "../repositories/repository-schema.js";
import { SchemaReader } from "../repositories/schema-reader.js";
import type { RepositoryRow } from "../store/repositories.js";
import { maxFilterDepth } from "./conditions.js";
import type { HandlerContext } from "./handler.js";

/** Schemas by their texts: repositories and namespaces of one schema share it. */
const known = new PooledCache<{ readonly schema: RepositorySchema; readonly length: number }>({
  pool: schemaPool,
  countBytes: (_key, { length }) => 20 * length,
});

/** The schema of a repository; without fields where none was given. */
export function getStoredSchema(
  { ref, schemaHash }: RepositoryRow,
  { store, profile }: HandlerContext,
): RepositorySchema {
  const patterns = profile["pattern-match"];
  const { schema } = known.get(`${schemaHash} ${patterns}`, () => {
    const text = store.repositories.schemaOf(ref);
    if (text === undefined) throw new Error("a repository has a schema");
    // its patterns are compiled when a text is first matched
    const reader = new SchemaReader(patterns, { left: 0 });
    const schema = reader.fields(parseJson(text, { maxDepth: maxFilterDepth }), "", 1);
    return { schema, length: text.length };
  });
  return schema;
}
