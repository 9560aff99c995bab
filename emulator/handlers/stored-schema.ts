import { parseJson } from "../json/parse-json.js";
import { LruCache } from "../memory/lru-cache.js";
import type { RepositorySchema } from "../repositories/repository-schema.js";
import { SchemaReader } from "../repositories/schema-reader.js";
import type { RepositoryRow } from "../store/repositories.js";
import { maxFilterDepth } from "./conditions.js";
import type { HandlerContext } from "./handler.js";

/** Schemas by their texts: repositories and namespaces of one schema share it. */
const known = new LruCache<string, RepositorySchema>(200);

/** The schema of a repository; without fields where none was given. */
export function getStoredSchema(
  { ref, schemaHash }: RepositoryRow,
  { store, profile }: HandlerContext,
): RepositorySchema {
  const patterns = profile["pattern-match"];
  return known.get(`${schemaHash} ${patterns}`, () => {
    const text = store.repositories.schemaOf(ref);
    if (text === undefined) throw new Error("a repository has a schema");
    return new SchemaReader(patterns).fields(parseJson(text, { maxDepth: maxFilterDepth }), "", 1);
  });
}
